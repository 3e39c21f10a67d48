import { textAt, valueAt } from '../../json/fields.ts';
import { cellText } from '../../values/cell.ts';
import { type Clock, formatDate } from '../../values/time.ts';
import type { CheckedSubtitles } from '../check/check.ts';
import { rowsOf } from '../formats/format.ts';
import { localeOf } from '../language.ts';
import type { Subtitles } from '../subtitles.ts';
import { type Html, html } from './html.ts';

/** `Trailer 1 (wr-2009)`, or the name of a file. */
export function titleOf({ name, request }: Subtitles): string {
  const asset = textAt(request?.record.value, 'asset.name');
  return asset === '' ? name : `${asset} (${name})`;
}

/** The list at the top of a translation: language, territory, due date, instructions. A file has only a language. */
export function facts({ subtitles, language }: CheckedSubtitles, readDate: Clock['date']): Html {
  const record = subtitles.request?.record.value;
  const due = valueAt(record, 'due.date');
  const date = readDate(due);
  const known: [label: string, text: string][] = [
    ['Language', languageName(language)],
    ['Territory', cellText(valueAt(record, 'territory'))],
    ['Due', date ? formatDate(date, valueAt(record, 'due.tz')) : cellText(due)],
    ['Instructions', cellText(valueAt(record, 'instructions'))],
  ];
  const rows = known
    .filter(([, text]) => text.trim() !== '')
    .map(([label, text]) => html`<dt>${label}</dt><dd>${rowsOf(text).map(textRow)}</dd>\n`);
  return html`<dl>${rows}</dl>`;
}

const textRow = (text: string) => html`<span class="row" dir="auto">${text}</span>`;

function languageName(language: string | undefined): string {
  const locale = localeOf(language);
  if (language === undefined || !locale) return language ?? 'unknown';
  const name = new Intl.DisplayNames('en', { type: 'language' }).of(locale.toString());
  return name === undefined || name === language ? language : `${name} (${language})`;
}
