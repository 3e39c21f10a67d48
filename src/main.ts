import { hideSecrets, mayHoldSecret } from './core/api/secretFields.ts';
import { type GlobalValues, hasJsonErrors } from './core/commands/globals.ts';
import {
  afterAbort,
  asMarError,
  exitCodes,
  type Hint,
  MarError,
  orUndefined,
  runHint,
  usageError,
} from './core/errors.ts';
import { Redactor } from './core/http/redact.ts';
import { hasIdsToRead, isWriting } from './core/input.ts';
import { compact, pretty } from './core/json/text.ts';
import { makeResultPrinter } from './core/output/printResults.ts';
import { Reporter } from './core/output/reporter.ts';
import { ClosedPipe, type Output } from './core/output/streams.ts';
import { createStyle, isColourWanted, isOn, type Style } from './core/output/style.ts';
import { paintStatus } from './core/records/status.ts';
import { Session } from './core/session/session.ts';
import { words } from './core/values/commandLine.ts';
import { commandsOf, fittedLines, linesForPrograms } from './core/values/hintLines.ts';
import { sanitise, sanitiseLines, visibleJson } from './core/values/sanitise.ts';
import { type Screen, wrapMessage } from './core/values/width.ts';
import { version } from './core/version.ts';
import type { World } from './core/world.ts';
import { catchSignals, type Host, openStreams } from './host.ts';
import { type ParsedCommand, parse, program } from './program/parse.ts';
import { isAvailable } from './program/table.ts';
import { CommandTree } from './program/tree.ts';

export async function main(
  argv: readonly string[],
  host: Host,
  { now = () => new Date(), elapsedMs = () => performance.now() } = {},
): Promise<number> {
  const tree = new CommandTree();
  const interruption = new AbortController();
  const redactor = new Redactor();
  const { signal } = interruption;
  const { streams, closeInput } = openStreams(host, signal);
  const { release, ...interrupts } = catchSignals(host, interruption);
  try {
    await run(argv, tree, {
      env: host.env,
      platform: host.platform,
      execPath: host.execPath,
      program: programOf(host),
      nodeVersion: host.version,
      now,
      elapsedMs,
      userId: host.getuid?.(),
      pid: host.pid,
      ...interrupts,
      isAvailable,
      streams,
      redactor,
      signal,
    });
    return signal.aborted ? exitCodeOf(signal.reason) : 0;
  } catch (error) {
    if (error instanceof ClosedPipe) return 0;
    const cause = afterAbort(signal, error);
    const values = tree.opts<GlobalValues>();
    const style = styleFor(host, streams.stderr, values.color);
    const text = errorText(cause, values, { style, screen: streams.stderr, host, redactor });
    // A terminal shows Ctrl-C as ^C; the message starts on the next line.
    const lineBreak = text && signal.aborted && streams.stderr.isTerminal ? '\n' : '';
    await streams.stderr.write(`${lineBreak}${redactor.clean(text)}`).catch(() => {});
    return exitCodeOf(cause);
  } finally {
    closeInput();
    release();
  }
}

const programOf = ({ execPath, argv: [, script], argv0 }: Host): World['program'] =>
  script === undefined || script === argv0 ? [execPath] : [execPath, script];

async function run(argv: readonly string[], tree: CommandTree, world: World): Promise<void> {
  const { stdout } = world.streams;
  const parsed = await parse(argv, tree);
  // Node puts this character in place of invalid bytes.
  const broken = argv.find((one) => one.includes('\ufffd'));
  if (broken !== undefined) {
    throw usageError(`an argument is not valid UTF-8: ${broken}`, 'Nothing was sent.');
  }
  const printJson = (document: object) => {
    const json = JSON.stringify(document);
    return stdout.write(`${stdout.isTerminal ? pretty(json) : json}\n`);
  };
  if (parsed.kind === 'version') {
    if (!parsed.isJson) return stdout.write(`${version}\n`);
    return printJson({ version, program: world.program.at(-1), node: world.nodeVersion });
  }
  if (parsed.kind === 'help-json') {
    const { jq, jqSlurp } = tree.opts<GlobalValues>();
    const filter = jq ?? jqSlurp;
    if (filter === undefined) return printJson(parsed.document);
    const { printFiltered } = await import('./core/output/jq.ts');
    return printFiltered(parsed.document, { program: filter, slurp: jq === undefined }, world);
  }
  if (parsed.kind === 'help') {
    const { renderHelp } = await import('./program/help.ts');
    const style = styleFor(world, stdout, parsed.color);
    return stdout.write(renderHelp(parsed.page, stdout, { style, platform: world.platform }));
  }
  await runCommand(world, parsed);
}

async function runCommand(
  world: World,
  { path, command, input: given, flags }: Extract<ParsedCommand, { kind: 'run' }>,
): Promise<void> {
  const reporter: Reporter = new Reporter(world, flags, () => session.isAccessible);
  const session = new Session(world, flags, reporter);
  const context = { world, flags, session, reporter };
  const output = makeResultPrinter({
    ...context,
    // `doctor` prints what is wrong with a damaged configuration.
    settings: () => orUndefined(() => session.settings) ?? {},
    pagerHint: runHint('To choose another', words`mar config set pager less`),
    printerOptions: () => ({
      ...flags,
      ...session.clock,
      listName: path,
      secrets: flags.showSecrets ? undefined : { mayHoldSecret, hideSecrets },
      paintStatus: (text, style) => paintStatus(text, style, session.service()),
      userName: (id) => session.userName(id),
    }),
  });
  const run = async () => {
    try {
      await output.prepare(command.view);
      const input = hasIdsToRead(command, given)
        ? await (await import('./core/reads/ids.ts')).readIds(context, {
            path,
            command,
            input: given,
          })
        : given;
      if (command.isPaged) await output.startPager();
      await output.printAll(command.run(context, input, program));
      await output.endPager();
      reporter.printFinalReports();
    } catch (error) {
      // `mar api` reads nothing before it writes, so the error of its request is the one that counts.
      const isUnsent = isWriting(command) && path !== 'api' && !session.hasSentWrite;
      if (!isUnsent || !(error instanceof MarError) || error.details.outcome) throw error;
      throw error.with({ outcome: 'not-sent' });
    } finally {
      await output.endPager();
      session.close();
    }
  };
  const { outputFile: file } = flags;
  if (file === undefined) return run();
  const { writingToFile } = await import('./core/output/outputFile.ts');
  const { printsText } = command;
  await writingToFile(context, { file, printsText, isEndless: command.isEndless?.(given) }, run);
}

const styleFor = ({ env }: Pick<World, 'env'>, { isTerminal }: Output, color: boolean) =>
  createStyle(color && isColourWanted(env, isTerminal));

const exitCodeOf = (error: unknown) =>
  exitCodes[error instanceof MarError ? error.kind : 'service'].code;

interface ErrorOutput {
  style: Style;
  screen: Screen;
  host: Host;
  redactor: Redactor;
}

function errorText(error: unknown, values: GlobalValues, output: ErrorOutput): string {
  const profile = values.profile || output.host.env.MAR_PROFILE;
  const known = asMarError(error);
  const stack = error instanceof Error ? error.stack : String(error);
  const shownStack = isOn(output.host.env.MAR_DEBUG) ? stack : undefined;
  if (hasJsonErrors(values)) return errorJson(known, output.screen, { profile, stack: shownStack });
  const text = errorLines(known, { ...output, profile });
  return shownStack ? `${text}${sanitiseLines(shownStack).join('\n')}\n` : text;
}

function errorJson(
  { facts: { kind, ...facts }, hints }: MarError,
  { isTerminal }: Screen,
  { profile, stack }: { profile?: string; stack?: string },
): string {
  const next = commandsOf(hints.filter(isAvailable), profile);
  const inLines = <Holder extends { hints?: readonly Hint[] }>({
    hints = [],
    ...holder
  }: Holder) => {
    const lines = linesForPrograms(hints.filter(isAvailable), profile);
    return { ...holder, hint: lines.length > 0 ? lines.join('\n') : undefined };
  };
  const error = {
    kind,
    exitCode: exitCodes[kind].code,
    ...inLines(facts),
    errors: facts.errors?.map(inLines),
    next: next.length > 0 ? next : undefined,
    stack,
  };
  const json = compact(JSON.stringify({ error }));
  return `${isTerminal ? visibleJson(json) : json}\n`;
}

const label = 'error:';

function errorLines(
  { kind, message, hints, details }: MarError,
  { style, screen, host: { platform }, redactor, profile }: ErrorOutput & { profile?: string },
): string {
  // The user pressed Ctrl-C: no message needed.
  if ((kind === 'interrupted' || kind === 'terminated') && hints.length === 0) return '';
  const clean = (text: string) => redactor.clean(text);
  const to = { screen, platform, profile, clean };
  // The message starts behind `error:`, and its other lines are indented like the hints.
  const [start = '', ...rest] = sanitiseLines(clean(message));
  const [first = '', ...more] = wrapMessage(`${label} ${start}`, screen, {
    indent: '  ',
    platform,
  });
  const others = [...rest.map((text) => ({ text })), ...hints];
  const lines = [
    style.red(label) + first.slice(label.length),
    ...more,
    ...others.filter(isAvailable).flatMap((hint) => fittedLines(hint, to, '  ')),
  ];
  const requestIds = new Set([details, ...(details.errors ?? [])].map((one) => one.requestId));
  const ids = [...requestIds].filter(Boolean).join(', ');
  if (ids) lines.push(style.dim(`  request id: ${sanitise(ids)}`));
  return `${lines.join('\n')}\n`;
}
