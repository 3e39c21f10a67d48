import { endpoints } from '../api/endpoints.ts';
import type { Context } from '../context.ts';
import { usageError } from '../errors.ts';
import type { JsonObject } from '../json/value.ts';
import { ranBatch } from './batch/batchable.ts';
import { type Command, type Input, type Noun, textOption } from './command.ts';
import { get, idsArgument } from './read/get.ts';
import { pageNames } from './wr/open.ts';
import { workRequestView } from './wr/view.ts';
import { waitOptions } from './wr/wait.ts';
import { create, createOptions, readBody } from './write/write.ts';

const getWorkRequest: Command = {
  name: 'get',
  summary: 'Show work requests',
  endpoint: 'workRequestGet',
  arguments: [idsArgument],
  examples: [
    { does: 'One work request, as a card', line: 'mar wr get wr-2001' },
    { does: 'Several, as a table', line: 'mar wr get wr-2001 wr-2002 wr-2003' },
    { does: 'Ids from a file', line: 'mar wr get - --jsonl < ids.txt' },
  ],
  run: (context, input) => get(context, 'workRequestGet', workRequestView, input),
};

const createWorkRequest: Command = {
  name: 'create',
  summary: 'Create a work request',
  endpoint: 'workRequestCreate',
  options: [
    ...createOptions,
    {
      flags: '--like <id>',
      summary: 'start from this work request, without its identity, state and history',
      completes: { idOf: 'WorkRequest' },
    },
    {
      flags: '--template',
      summary:
        'print the fields that can be filled in, and send nothing; with --edit, fill them in',
    },
  ],
  examples: [
    {
      does: 'From fields',
      line: 'mar wr create --set asset=a-1001 --set language=fra --set territory=FRA',
    },
    {
      does: 'From a file, with one field changed',
      line: 'mar wr create -f request.yaml --set due.date=2026-12-01T18:00',
    },
    {
      does: 'The same for another language',
      line: 'mar wr create --like wr-2001 --set language=deu',
    },
    { does: 'Fill it in', line: 'mar wr create --template > request.yaml' },
    { does: 'Keep the new id', line: 'id=$(mar wr create -f request.yaml --jq ._id)' },
  ],
  async run(context, input) {
    if (await ranBatch(context, input, 'workRequestCreate')) return;
    const start = await startOf(context, input);
    if (input.options.template && !input.options.edit) {
      const { printTemplate } = await import('./write/createInEditor.ts');
      const record = await readBody(context, input, 'workRequestCreate', start ?? new Map());
      return printTemplate(context, 'workRequestCreate', record);
    }
    await create(context, input, 'workRequestCreate', workRequestView, start);
  },
};

/** What a new work request begins with, where there is no file. */
async function startOf(context: Context, input: Input): Promise<JsonObject | undefined> {
  const id = textOption(input, 'like');
  if (id === undefined) return undefined;
  if (textOption(input, 'file') !== undefined) {
    throw usageError('--like and --file cannot be used together');
  }
  const { newWorkRequestFrom } = await import('../records/template.ts');
  const client = await context.client();
  const { tree } = await client.call(endpoints.workRequestGet, { id, forWrite: true });
  return newWorkRequestFrom(tree, id);
}

const waitForWorkRequest: Command = {
  name: 'wait',
  summary: 'Wait until work requests have a status',
  details:
    'Each change is told on standard error; standard output gets each record as it gets there, or as it ' +
    'was when time was up. Exits with 0 when all got there, 1 when one has a --fail-status, 9 when time ' +
    'was up. A network or a service in trouble (5xx, 429) is waited out, at growing intervals (--retries does not matter); a request ' +
    'that is refused (401, 403, 404) ends the wait for its id. --timeout is here for the whole wait: a ' +
    'single request has 30s.',
  arguments: [{ ...idsArgument, completes: { idOf: 'WorkRequest' } }],
  options: waitOptions,
  examples: [
    { does: 'Until it is complete', line: 'mar wr wait wr-2001 --status complete' },
    {
      does: 'In a build: an hour at most, and not on after a rejection',
      line: 'mar wr wait wr-2001 wr-2004 --status complete --fail-status rejected --timeout 1h',
    },
    {
      does: 'As each of many gets there',
      line: "mar wr wait - --status complete --jq '._id' < ids.txt",
    },
  ],
  async run(context, input) {
    const { wait } = await import('./wr/wait.ts');
    await wait(context, input);
  },
};

const workRequestHistory: Command = {
  name: 'history',
  summary: 'Show where a work request has been, for how long, and why',
  details:
    'A timeline on a terminal. Otherwise a list of the entries of the history, oldest first, each with ' +
    'began, ended, durationMs (the present one: until now) and isPresent.',
  arguments: [{ name: 'id', summary: 'the work request', completes: { idOf: 'WorkRequest' } }],
  examples: [
    { does: 'As a timeline', line: 'mar wr history wr-2001' },
    {
      does: 'How long did it wait for materials, in hours?',
      line: 'mar wr history wr-2001 --jq-slurp \'map(select(.status == "awaiting-materials").durationMs) | add / 3600000\'',
    },
  ],
  async run(context, input) {
    const { history } = await import('./wr/history.ts');
    await history(context, input);
  },
};

const openWorkRequest: Command = {
  name: 'open',
  summary: 'Open a page of a work request in the browser',
  details:
    'The address is that of the record; only https is opened, and http on this machine. The browser is ' +
    'that of BROWSER, else of the system, and gets the address alone: no token goes along. The pages ' +
    'invite and translate may need a code that no record has: that is said, and --print prints them ' +
    'as they are.',
  arguments: [{ name: 'id', summary: 'the work request', completes: { idOf: 'WorkRequest' } }],
  options: [
    { flags: '--page <page>', summary: 'which page', choices: pageNames, default: 'view' },
    { flags: '--print', summary: 'print the address, and open nothing' },
  ],
  examples: [
    { does: 'Look at it', line: 'mar wr open wr-2001' },
    { does: 'Without a browser', line: 'mar wr open wr-2001 --page manage --print' },
  ],
  async run(context, input) {
    const { open } = await import('./wr/open.ts');
    await open(context, input);
  },
};

export const wr: Noun = {
  commands: [
    getWorkRequest,
    createWorkRequest,
    waitForWorkRequest,
    workRequestHistory,
    openWorkRequest,
  ],
  view: workRequestView,
  examples: [
    { does: 'Where does a request stand?', line: 'mar wr get wr-2001' },
    {
      does: 'Ask for a French version',
      line: 'mar wr create --set asset=a-1001 --set language=fra',
    },
  ],
};
