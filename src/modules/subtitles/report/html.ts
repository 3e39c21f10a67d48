import { sanitise } from '../../../core/values/sanitise.ts';

/** Markup for a page. Only `html` makes it, so no text gets into a page without being escaped. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

type Part = Html | readonly Html[] | string | number | false | undefined;

/** A template of markup. Text in it is escaped, and invisible characters are made visible. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(String.raw({ raw: strings }, ...parts.map(markupOf)));
}

function markupOf(part: Part): string {
  if (part === false || part === undefined) return '';
  if (part instanceof Html) return part.markup;
  if (typeof part === 'object') return part.map(({ markup }) => markup).join('');
  return sanitise(String(part)).replace(/[&<>"'`]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
