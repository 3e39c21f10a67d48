import subtitles from './subtitles.json' with { type: 'json' };

/** By project and part. `times` has the start and stop of each line, in seconds; then the texts by language. */
type Subtitles = Readonly<Record<string, Record<string, Record<string, readonly unknown[]>>>>;

/** The lines of a trailer in a language. Graphics are titles on the screen. */
export function subtitleLines(project: string, part: 'dialogue' | 'graphics', language: string) {
  const { times = [], ...texts } = (subtitles as Subtitles)[project]?.[part] ?? {};
  return (texts[language] ?? []).map((text, index) => {
    const range = times.slice(2 * index, 2 * index + 2);
    const [startTime, stopTime] = range.map((seconds) => timecode(Number(seconds)));
    return {
      number: index + 1,
      text,
      auto: false,
      custom: true,
      machine: false,
      startTime,
      stopTime,
      alignment: 'bottom',
      textAlign: 'center',
      split: '',
      merged: '',
      range,
    };
  });
}

const timecode = (seconds: number): string =>
  new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23).replace('.', ',');
