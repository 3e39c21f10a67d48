import { type Endpoint, endpoints } from '../../api/endpoints.ts';
import { hideSecrets } from '../../api/secrets.ts';
import { flagOf } from '../../input.ts';
import { textAt } from '../../json/fields.ts';
import { ServiceRecord } from '../../json/serviceRecord.ts';
import { pretty } from '../../json/text.ts';
import { isObject, type JsonObject, printJson } from '../../json/value.ts';
import { factsView } from '../../output/printer.ts';
import { type Canvas, recordResult, textResult } from '../../output/result.ts';
import { differences } from '../../records/recordDiff.ts';
import type { Context } from '../../session/context.ts';
import { shellWord } from '../../values/commandLine.ts';
import { plural } from '../../values/numbers.ts';
import { sanitise, visibleJson } from '../../values/sanitise.ts';
import { formatDate } from '../../values/time.ts';
import { differenceLines, noDiffNote, type Plan, requestText } from '../../writes/index.ts';
import type { Command } from '../command.ts';
import { applicationOf, type PlanFile, readPlan } from './planFile.ts';

export const planArgument = { name: 'file', summary: 'file of --plan', completes: 'file' } as const;

export const command: Command = {
  isPaged: true,
  summary: 'Show what a plan would write',
  details:
    'Shows who made the plan, for which service, with which command, its warnings and what it would write. Reads only the file. With --json, prints all of it.',
  arguments: [planArgument],
  examples: {
    'Look at a plan before it is applied': 'mar plan show plan.json',
    'Print the record that it would create': 'mar plan show plan.json --jq .plan.body',
  },
  /** Text for people; for programs, all that the file has. */
  async *run(context, { arguments: [file = ''] }) {
    const plan = readPlan(file);
    const text = (canvas: Canvas) => `${planLines(context, file, plan, canvas).join('\n')}\n`;
    yield textResult(text, { onlyFor: 'people' });
    const record = ServiceRecord.fromTree(plan.tree);
    yield recordResult(record, factsView, { isOwn: true, onlyFor: 'programs' });
  },
};

/** A plan as the question about it shows it. The file may come from anybody. */
export function planLines(
  { world }: Context,
  file: string,
  { content, digest }: ReturnType<typeof readPlan>,
  screen: Pick<Canvas, 'style' | 'isTerminal' | 'columns'>,
): string[] {
  const { service, account, made, plan, warnings } = content;
  const redact = (text: string) => world.redactor.clean(text);
  const applied = applicationOf(file, digest);
  const state = plan || applied?.isDone ? 'Applied' : 'Started';
  const notes = (plan?.remarks ?? []).filter(({ code }) => code === undefined);
  const head = [
    `Plan: ${commandText(content)}`,
    `Made: ${formatDate(new Date(made))}, by ${account}, for ${service}`,
    ...(applied ? [`${state}: ${formatDate(new Date(applied.at))}, by ${applied.account}`] : []),
    ...notes.map(({ text }) => text),
    ...warnings.map(({ message }) => `warning: ${message.replaceAll('\n', ' ')}`),
  ].map((line) => sanitise(redact(line)));
  const width = screen.isTerminal ? screen.columns : undefined;
  const tools = { ...screen, width, redact };
  return [...head, ...(plan ? writeLines(plan, tools) : rowLines(content.lines, tools))];
}

function commandText({ command, input }: PlanFile): string {
  const word = (text: string) => shellWord(text) ?? '…';
  const { options } = input;
  return [
    `mar ${command}`,
    ...input.arguments.map(word),
    ...input.given.map(({ name, value }) => `--${name} ${word(value)}`),
    ...Object.keys(options).flatMap((key) => (options[key] === true ? [flagOf(key)] : [])),
  ].join(' ');
}

interface LineTools extends Pick<Canvas, 'style' | 'isTerminal'> {
  width: number | undefined;
  redact(text: string): string;
}

function writeLines({ endpoint, id, body, over, guard, isNew }: Plan, tools: LineTools): string[] {
  const { method, path }: Endpoint = endpoints[endpoint];
  const request = sanitise(`${method} ${path.replace('{id}', () => id ?? '')}`);
  if (over) {
    const changes = differenceLines(differences(over.record, body), tools.style, tools);
    return [request, sanitise(`Changes to ${guard?.name}:`), ...changes];
  }
  const json = visibleJson(tools.redact(pretty(printJson(hideSecrets(body)))));
  const hasOld = !isNew && (id ?? body.get('_id')) !== undefined;
  return [
    request,
    'This record will be written:',
    ...json.split('\n'),
    ...(hasOld ? [noDiffNote] : []),
  ];
}

const maxLines = 50;

function rowLines(lines: readonly JsonObject[], tools: LineTools): string[] {
  const [first] = lines;
  const request = first?.get('request');
  if (!first) return ['Nothing to send.'];
  if (isObject(request)) return requestText(request, tools.isTerminal).trimEnd().split('\n');
  const isRows = first.has('digest');
  const records = new Set(lines.map((line) => textAt(line, '_id')));
  const fields = lines.slice(0, maxLines).map((line) => {
    const after = line.get('after') ?? line.get('body');
    return { path: lineName(line), before: line.get('before'), after };
  });
  const more = lines.length - fields.length;
  return [
    isRows
      ? `${plural(lines.length, 'row')}, one request per row:`
      : `Changes of ${plural(lines.length, 'field')} in ${plural(records.size, 'record')}:`,
    ...differenceLines(fields, tools.style, tools),
    ...(more > 0 ? [`and ${more} more (use --json to see all)`] : []),
  ];
}

/** `row 3`, `a-1: name` or `request` */
export function lineName(line: JsonObject): string {
  if (line.has('field')) return `${textAt(line, '_id')}: ${textAt(line, 'field')}`;
  return line.has('row') ? `row ${printJson(line.get('row') ?? null)}` : 'request';
}
