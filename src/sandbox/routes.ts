import { type Endpoint, type EndpointId, endpoints } from '../api/endpoints.ts';
import type { Operation } from './call.ts';

export interface Route {
  readonly endpoint: Endpoint;
  readonly operation: Operation;
}

/** What was found at a path: its routes, and the id in it. */
export interface Match {
  readonly routes: readonly Route[];
  readonly id: string | undefined;
}

interface Place {
  readonly segments: readonly string[];
  readonly routes: Route[];
}

/** Finds the routes at a path. They are the registry's endpoints, one route each. */
export function makeRoutes(
  operationOf: (name: EndpointId, endpoint: Endpoint) => Operation,
): (segments: readonly string[]) => Match | undefined {
  const places = new Map<string, Place>();
  for (const [name, endpoint] of Object.entries(endpoints) as [EndpointId, Endpoint][]) {
    const { path } = endpoint;
    const place = places.get(path) ?? { segments: path.split('/').slice(1), routes: [] };
    place.routes.push({ endpoint, operation: operationOf(name, endpoint) });
    places.set(path, place);
  }
  // A path's own words win over a segment that could be an id.
  const ordered = [...places.values()].sort((a, b) => ids(a) - ids(b));
  return (segments) => {
    const place = ordered.find((candidate) => fits(candidate.segments, segments));
    if (place === undefined) return undefined;
    const at = place.segments.indexOf('{id}');
    return { routes: place.routes, id: at < 0 ? undefined : segments[at] };
  };
}

const ids = ({ segments }: Place) => segments.filter((segment) => segment === '{id}').length;

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, at) => (part === '{id}' ? segments[at] !== '' : part === segments[at]))
  );
}
