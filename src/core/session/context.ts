import type { Reporter } from '../output/reporter.ts';
import type { GlobalFlags, World } from '../world.ts';
import type { Session } from './session.ts';

/** Everything that a command works with. */
export interface Context {
  world: World;
  flags: GlobalFlags;
  /** The account and the service: configuration, identity, client, memory. */
  session: Session;
  /** Notes, warnings, progress and questions. */
  reporter: Reporter;
}
