import type { Command } from '../../../core/commands/command.ts';
import { MarError, usageError } from '../../../core/errors.ts';
import { option } from '../../../core/input.ts';
import type { Reporter } from '../../../core/output/reporter.ts';
import { rowsResult } from '../../../core/output/result.ts';
import type { Column } from '../../../core/output/viewType.ts';
import { words } from '../../../core/values/commandLine.ts';
import { plural } from '../../../core/values/numbers.ts';
import { type Comparison, compareTranslations } from '../compare/languages.ts';
import { startOf } from '../line.ts';
import { plainText } from '../spans.ts';
import type { Subtitles } from '../subtitles.ts';
import {
  encodingOption,
  findSources,
  graphicsOption,
  nameOfSource,
  readEach,
  rememberRequests,
  type Source,
  sourceArgument,
  warnOfFile,
} from './source.ts';

export const command: Command = {
  isPaged: true,
  summary: 'Compare the languages of one asset',
  details:
    'Compares each translation with the first one, and counts the cues that are missing, extra, or left untranslated. A cue is a line of a work request or an entry of a file. Cues without text or with invalid times are not compared. Single words and a few letters do not count as untranslated. Exits with 3 if cues are missing or untranslated. To compare two versions in one language, use "mar translation diff".',
  arguments: [{ ...sourceArgument, many: true }],
  options: [
    option('--details', 'list the cues instead of counting them'),
    graphicsOption,
    encodingOption,
  ],
  examples: {
    'Compare two languages with the first one': 'mar translation compare wr-2001 wr-2002 wr-2003',
    'List the cues that differ': 'mar translation compare movie.eng.srt movie.fra.srt --details',
  },
  async *run(context, input) {
    const sources = await findSources(context, input);
    const [{ name: first }, second] = sources as [Source, ...Source[]];
    if (!second) {
      throw usageError(`compare needs at least two translations, and ${first} is the only one`, {
        text: 'The others are compared with the first one. For example:',
        command: words`mar translation compare wr-2001 wr-2002`,
      });
    }
    const failures: MarError[] = [];
    const found: Subtitles[] = [];
    const read = (source: Source) => source.read();
    for await (const one of readEach(context.session, sources, read, failures)) found.push(one);
    warnOfFile(context, found);
    const [reference, ...others] = found;
    if (reference?.name !== nameOfSource(first) || others.length === 0) {
      throw MarError.together(failures);
    }
    const compared = context.world.interruptible(() =>
      others.map((source) => compareTranslations(reference, source)),
    );
    if (input.options.details) {
      const rows = compared.flatMap((one) => {
        const owner = { source: one.source.name, language: one.source.language ?? null };
        return problemsOf(one).map((problem) => ({ ...owner, ...problem }));
      });
      yield rowsResult(rows, problemColumns);
    } else {
      const rows = [factsOf(reference, true), ...compared.map(comparisonRecord)];
      yield rowsResult(rows, comparisonColumns);
    }
    for (const one of compared) reportNotes(context.reporter, one);
    await rememberRequests(context, found);
    const wrong = compared.filter(isWrong);
    if (wrong.length > 0) {
      const hint = input.options.details ? undefined : 'To list these cues, add --details.';
      failures.unshift(new MarError('check', wrong.map(summaryOf).join('\n'), { hint }));
    }
    if (failures.length > 0) throw MarError.together(failures);
  },
};

function reportNotes(reporter: Reporter, comparison: Comparison): void {
  const { source, reference, compared, untranslated } = comparison;
  for (const side of ['reference', 'source'] as const) {
    const { name, lines } = comparison[side];
    const unusable = plural(lines.length - compared[side].length, 'cue');
    const message = `${name}: not compared because without text or with invalid times: ${unusable}`;
    if (lines.length > compared[side].length) reporter.warn('not-compared', message);
  }
  if (!untranslated) {
    reporter.reportOnce(
      `${reference.name} and ${source.name} are both in ${source.language}, so untranslated cues are not counted`,
    );
  }
  if (!isWrong(comparison)) reporter.reportOnce(summaryOf(comparison));
}

const isWrong = ({ missing, untranslated = [] }: Comparison) =>
  missing.length + untranslated.length > 0;

function summaryOf(comparison: Comparison): string {
  const { source, reference, compared, missing, untranslated = [] } = comparison;
  const parts = [
    missing.length > 0 && `${missing.length} missing`,
    untranslated.length > 0 && `${untranslated.length} untranslated`,
  ].filter(Boolean);
  const cues = plural(compared.reference.length, 'cue');
  return `${source.name}: ${parts.join(' and ') || 'nothing missing or untranslated'}, of ${cues} in ${reference.name}`;
}

const factsOf = (source: Subtitles, isReference: boolean) => ({
  source: source.name,
  isReference,
  language: source.language ?? null,
  cues: source.lines.length,
});

function comparisonRecord(comparison: Comparison) {
  const { source, missing, extra, untranslated, matched } = comparison;
  return {
    ...factsOf(source, false),
    matched,
    missing: missing.length,
    extra: extra.length,
    untranslated: untranslated?.length ?? null,
    problems: problemsOf(comparison),
  };
}

/** `missing` cues are those of the first translation, the others those of the compared one. */
function problemsOf({ source, reference, missing, extra, untranslated = [] }: Comparison) {
  const positions = new Map(
    [reference, source].flatMap(({ lines }) => lines.map((line, at) => [line, at + 1] as const)),
  );
  return Object.entries({ missing, untranslated, extra })
    .flatMap(([problem, lines]) => lines.map((line) => ({ problem, line })))
    .sort((a, b) => startOf(a.line) - startOf(b.line))
    .map(({ problem, line }) => ({
      problem,
      cue: line.number ?? positions.get(line) ?? null,
      startTime: line.start.text,
      stopTime: line.stop.text,
      text: plainText(line.spans),
    }));
}

const comparisonColumns: readonly Column[] = [
  { title: 'Source', path: 'source', kind: 'id' },
  { title: 'Language', short: 'Lang', path: 'language', importance: 3 },
  { title: 'Cues', path: 'cues', kind: 'number', importance: 4 },
  { title: 'Missing', path: 'missing', kind: 'number', importance: 4 },
  { title: 'Extra', path: 'extra', kind: 'number', importance: 2 },
  { title: 'Untranslated', path: 'untranslated', kind: 'number', importance: 4 },
];

const problemColumns: readonly Column[] = [
  { title: 'Source', path: 'source', kind: 'id' },
  { title: 'Language', short: 'Lang', path: 'language', importance: 2 },
  { title: 'Problem', path: 'problem', importance: 4 },
  { title: 'Cue', path: 'cue', kind: 'number', importance: 3 },
  { title: 'Start', path: 'startTime', kind: 'id' },
  { title: 'Text', path: 'text', importance: 1 },
];
