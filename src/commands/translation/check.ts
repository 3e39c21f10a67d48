import { pathSegment } from '../../client/request.ts';
import type { Context } from '../../context.ts';
import { MarError, usageError } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Finding } from '../../subtitles/lint/finding.ts';
import { lint } from '../../subtitles/lint/lint.ts';
import { commandLine } from '../../values/commandLine.ts';
import { defaultConcurrency } from '../../values/defaults.ts';
import { inOrder } from '../../values/mapConcurrently.ts';
import { type Input, textOption } from '../command.ts';
import { remember } from '../read/remember.ts';
import { type Found, githubLines, printFindings, summaryOf } from './findings.ts';
import { readLimits } from './limitFlags.ts';
import { isFile, readRequest, readSource, type Source } from './source.ts';

/** Prints what is wrong with each source; errors among it are an error. */
export async function checkSources(context: Context, input: Input): Promise<void> {
  refuseTwoForms(context, input);
  const words = [...new Set(input.arguments)];
  for (const word of words) if (!isFile(word)) pathSegment(word);
  const find = finder(input);
  const found: Found[] = [];
  const failures: MarError[] = [];
  const concurrency = context.settings.concurrency ?? defaultConcurrency.reads;
  const read = (word: string) => readSource(context, input, word);
  for await (const { result, error } of inOrder(each(words), concurrency, read)) {
    if (result) found.push({ source: result, findings: find(result) });
    else if (error instanceof MarError) failures.push(error);
    else throw error;
  }
  await print(context, input, found);
  await rememberAll(context, found);
  const wrong = found.filter(({ findings }) => countErrors(findings) > 0);
  if (wrong.length > 0) {
    failures.unshift(new MarError('refused', wrong.map(summaryOf).join('\n')));
  }
  if (failures.length > 0) throw MarError.together(failures);
}

function refuseTwoForms({ flags }: Context, input: Input): void {
  const isPrinted = flags.format ?? flags.jq ?? flags.columns;
  if (input.options.format === undefined || isPrinted === undefined) return;
  throw usageError(
    '--format github does not go with --json, -o, --columns and --jq',
    'annotations are a form of their own: leave one of them out',
  );
}

async function* each(words: readonly string[]): AsyncGenerator<string> {
  yield* words;
}

/** Before a translation is submitted: its request's lines must be without errors. */
export async function refuseMistakes(
  context: Context,
  input: Input,
  body: JsonObject,
): Promise<void> {
  if (input.options.edit) {
    throw usageError(
      '--check does not go with --edit, where the work request may still change',
      'check it first: mar translation check ID',
    );
  }
  const id = body.get('workRequest');
  if (typeof id !== 'string' || id === '') {
    throw usageError('--check needs to know whose lines to check', 'add --work-request ID');
  }
  pathSegment(id);
  const language = body.get('language');
  const named = typeof language === 'string' ? { language } : {};
  const source = await readRequest(context, input, id, true);
  const findings = finder(input)({ ...source, ...named });
  if (findings.length === 0 && source.lines.length > 0) return;
  const summary = summaryOf({ source, findings });
  const checkAll = commandLine`mar translation check ${id}`;
  if (countErrors(findings) === 0) {
    context.note(`warning: ${summary}${findings.length > 0 ? `: ${checkAll}` : ''}`);
    return;
  }
  const [first] = findings.filter(({ severity }) => severity === 'error');
  throw new MarError('refused', `nothing was sent: ${summary}`, {
    hint: `line ${first?.number ?? first?.place} ${first?.message}\nall of them: ${checkAll}`,
  });
}

const countErrors = (findings: readonly Finding[]) =>
  findings.filter(({ severity }) => severity === 'error').length;

/** Holds a source to the limits that were asked for, in its language. */
function finder(input: Input): (source: Source) => Finding[] {
  const limitsIn = readLimits(input);
  const asked = textOption(input, 'language');
  return ({ lines, problems, format, language }) => {
    const code = asked ?? language;
    const inFile = problems.map(
      ({ row, message }): Finding => ({
        rule: 'file',
        severity: 'error',
        place: row,
        message,
        text: '',
      }),
    );
    const limits = limitsIn(code);
    const mayLackNumbers = format === 'vtt';
    const inLines = lint({ lines, limits, language: code, mayLackNumbers });
    return [...inFile, ...inLines].sort((a, b) => a.place - b.place);
  };
}

async function print(context: Context, input: Input, found: readonly Found[]): Promise<void> {
  if (input.options.format === 'github') {
    return context.streams.stdout.write(found.flatMap(githubLines).join(''));
  }
  const hasFindings = found.some(({ findings }) => findings.length > 0);
  if (hasFindings || context.printer.isForPrograms) await printFindings(context, found);
  if (context.printer.isForPrograms) return;
  for (const one of found) {
    if (countErrors(one.findings) === 0) context.note(summaryOf(one));
  }
}

async function rememberAll(context: Context, found: readonly Found[]): Promise<void> {
  const used = found.flatMap(({ source: { name, record } }) =>
    record ? [{ id: name, record }] : [],
  );
  if (used.length > 0) await remember(context, 'WorkRequest', used);
}
