import type { Context } from '../../context.ts';
import { MarError, usageError } from '../../errors.ts';
import type { Command, Input } from '../command.ts';
import {
  type CheckedSource,
  errorsIn,
  githubAnnotations,
  limitOptions,
  printFindings,
  sourceChecker,
  summaryOf,
} from './findings.ts';
import {
  checkSourceNames,
  distinct,
  encodingOption,
  graphicsOption,
  readEach,
  readSource,
  rememberSources,
  sourceArgument,
} from './source.ts';

export const command: Command = {
  name: 'check',
  summary: 'Find mistakes in a translation or a subtitle file',
  details:
    'Errors end with exit code 3, warnings alone with 0. Lengths are columns: a Chinese or Japanese character is two of them. mar translation check --preset none finds only what is wrong by any standard.',
  arguments: [{ ...sourceArgument, many: true }],
  options: [
    graphicsOption,
    ...limitOptions,
    {
      flags: '--language <code>',
      summary: 'what a file is in; its limits and its script follow from it',
      default: "the translation's",
    },
    encodingOption,
    {
      flags: '--format <format>',
      summary: 'annotations for a CI job in place of a table',
      choices: ['github'],
    },
  ],
  examples: [
    { does: 'Before it is submitted', line: 'mar translation check wr-2001' },
    {
      does: 'Files in CI, with annotations',
      line: 'mar translation check subtitles/*.srt --preset bbc --format github',
    },
    { does: 'Looser', line: 'mar translation check wr-2001 --max-cps 20 --max-width 45' },
  ],
  async run(context, input) {
    const { format, jq, columns } = context.flags;
    if (input.options.format !== undefined && (format ?? jq ?? columns) !== undefined) {
      throw usageError(
        '--format github does not go with --json, -o, --columns and --jq',
        'annotations are a form of their own: leave one of them out',
      );
    }
    checkSourceNames(input.arguments);
    const check = sourceChecker(input);
    const checked: CheckedSource[] = [];
    const failures: MarError[] = [];
    const read = (word: string) => readSource(context, input, word);
    for await (const source of readEach(context, distinct(input.arguments), read, failures)) {
      checked.push(check(source));
    }
    await print(context, input, checked);
    const sources = checked.map(({ source }) => source);
    await rememberSources(context, sources);
    const wrong = checked.filter(({ findings }) => errorsIn(findings).length > 0);
    if (wrong.length > 0) {
      failures.unshift(new MarError('refused', wrong.map(summaryOf).join('\n')));
    }
    if (failures.length > 0) throw MarError.together(failures);
  },
};

async function print(context: Context, input: Input, checked: readonly CheckedSource[]) {
  if (input.options.format === 'github') {
    return context.streams.stdout.write(checked.flatMap(githubAnnotations).join(''));
  }
  const { isForPrograms } = context.printer;
  const hasFindings = checked.some(({ findings }) => findings.length > 0);
  if (hasFindings || isForPrograms) await printFindings(context, checked);
  if (isForPrograms) return;
  for (const one of checked) {
    if (errorsIn(one.findings).length === 0) context.reportOnce(summaryOf(one));
  }
}
