import { visibleJson } from '../../values/sanitise.ts';
import type { CheckedSubtitles } from '../check/check.ts';
import { playerText } from '../formats/registry.ts';
import { localeOf } from '../language.ts';
import { sortedByStart, startOf, stopOf } from '../line.ts';
import { titleOf } from './facts.ts';
import { Html } from './html.ts';

/** The subtitles for the player, as JSON in which no text can end the element around it. */
export function tracks(checked: readonly CheckedSubtitles[]): Html {
  const data = checked.map(({ subtitles, language }) => ({
    label: titleOf(subtitles),
    language: localeOf(language)?.toString(),
    cues: sortedByStart(subtitles.lines).map((line) => ({
      start: startOf(line),
      stop: stopOf(line),
      text: playerText(line.spans),
      ...line.placement,
    })),
  }));
  return new Html(visibleJson(JSON.stringify(data)).replaceAll('<', '\\u003c'));
}
