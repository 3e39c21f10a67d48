/** What the commands for translations say about subtitles, and what they find in them. */
export const subtitleWords = {
  // What is read
  noLines: (source: string) => `error: ${source} has no lines`,
  noSubtitleFiles: (folder: string) => `${folder} has no subtitle files`,
  unknownFormat: 'is neither SRT, WebVTT nor TTML',
  notRead: (what: string) => `is ${what}, which mar does not read`,
  convertFirst: 'Convert another format first',
  animation: 'an animation (<set>) changes text, which mar does not read',

  // Times
  countsFrames: 'counts frames, but the frame rate is unknown',
  threeDigits: (mark: string) => `needs three digits after a ${mark}`,
  tooManyMinutes: 'has more than 59 minutes',
  noTtmlTime: 'is not a TTML time such as 00:00:03.200 or 3.2s',
  sameTimes: (time: string) => `start and stop time are both ${time}`,

  // Mistakes in a file
  noEmptyLine: 'no empty line before this cue',
  textBeforeCues: 'text before the first timing line',
  blockWithoutTimes: 'block without a timing line',
  commaInWebVtt: (time: string) => `${time} has a comma; WebVTT needs a dot`,
  wrongArrow: 'the arrow must be -->; players show this line as text',
  crampedArrow: 'no space around the arrow',
  openTag: (tag: string) => `<${tag}> is not closed`,
  unescaped: (character: string, written: string) => `${character} must be written as ${written}`,

  // Check
  encodedTwice: 'text was encoded twice',
  verdict: (source: string, found: string, size: string) => `${source}: ${found} in ${size}`,
  tooShort: (from: string) => `${from}; too little text to check it)`,
  assumedRate: (rate: string) => `Assuming ${rate}`,
  otherTimes: 'its times are not those of the other files',
  movedTimes: (by: string) => `all its times are ${by}`,
  wouldOverwrite: (file: string) => `--report would overwrite ${file}`,

  // Compare
  needsTwo: 'compare needs at least two translations',
  sameLanguage: (code: string) => `are both in ${code}, so untranslated cues are not counted`,

  // Export
  oneFileEach: 'several work requests need one file each',
  sorted: (by: string) => `sorted by ${by}`,
  invalidTime: (line: string) => `${line} has an invalid time`,
  skippedTimes: (lines: string) => `skipped because of invalid times: ${lines}`,
  empty: (flag: string) => `${flag} is empty`,

  // Fix
  nothingToFix: (source: string) => `${source}: nothing to fix`,
  onlyTextIsFixed: 'only SRT and WebVTT files are changed',

  // Submit
  noLinesSent: 'No lines were sent.',
  takesNoSubtitles: 'translation submit takes no subtitles',
};
