/** Languages that the demo data is translated into. */
export type Language = 'fra' | 'deu' | 'jpn' | 'spa' | 'ara' | 'heb' | 'por';

/** One line of a script: when it is heard or seen, and what it says in each language. */
export interface ScriptLine {
  readonly start: string;
  readonly stop: string;
  readonly texts: Readonly<Partial<Record<Language, string>>>;
}

export interface Script {
  readonly dialogue: readonly ScriptLine[];
  /** Titles on the screen. */
  readonly graphics: readonly ScriptLine[];
}

/** The lines of a translation, as a work request carries them. */
export function linesIn(language: Language, script: readonly ScriptLine[], automatic: boolean) {
  return script
    .filter(({ texts }) => texts[language] !== undefined)
    .map(({ start, stop, texts }, at) => ({
      number: at + 1,
      text: texts[language],
      auto: automatic,
      custom: !automatic,
      machine: automatic,
      startTime: start,
      stopTime: stop,
      alignment: 'bottom',
      textAlign: 'center',
      split: '',
      merged: '',
      range: [seconds(start), seconds(stop)],
    }));
}

function seconds(timecode: string): number {
  const [hours = 0, minutes = 0, rest = 0] = timecode.replace(',', '.').split(':').map(Number);
  return hours * 3600 + minutes * 60 + rest;
}
