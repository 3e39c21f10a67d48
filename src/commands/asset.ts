import { assetMemory } from './asset/guardedAsset.ts';
import { assetView } from './asset/view.ts';
import type { Command, Noun, Option } from './command.ts';
import { get, idsArgument } from './read/get.ts';
import { list, listOptions } from './read/list.ts';
import { dryRunOption, replaceOptions, yesOption } from './write/write.ts';

const getAsset: Command = {
  name: 'get',
  summary: 'Show assets',
  endpoint: 'assetGet',
  arguments: [idsArgument],
  examples: [
    { does: 'One asset, as a card', line: 'mar asset get a-1001' },
    { does: 'Several, as a table', line: 'mar asset get a-1001 a-1002 a-1003' },
    { does: 'For a script', line: 'mar asset get a-1001 --jq .usage' },
  ],
  run: (context, input) => get(context, 'assetGet', assetView, input, assetMemory(context)),
};

const forceOption: Option = {
  flags: '--force',
  summary: 'write even over what was changed elsewhere',
};

const putAsset: Command = {
  name: 'put',
  summary: 'Write an asset',
  details:
    'With --set, the asset is read, changed and written back whole, on top of the newest. With -f, the file is written as it is. What was changed elsewhere is not undone: that ends with exit code 6, and nothing is written.',
  endpoint: 'assetPut',
  arguments: [{ name: 'id', summary: 'the asset to change', optional: true, completes: 'id' }],
  options: [
    ...replaceOptions,
    {
      flags: '--base <file>',
      summary: 'what the file was made from; what others changed since is kept',
      completes: 'file',
    },
    forceOption,
  ],
  examples: [
    { does: 'Change one field', line: 'mar asset put a-1001 --set usage.online=true' },
    { does: 'See what would be sent', line: 'mar asset put a-1001 --set name=New --dry-run' },
    {
      does: 'Keep what others changed since the copy was made',
      line: 'mar asset put -f mine.json --base copy.json',
    },
  ],
  async run(context, input) {
    const { put } = await import('./asset/put.ts');
    await put(context, input, assetView);
  },
};

const editAsset: Command = {
  name: 'edit',
  summary: 'Change an asset in your editor',
  details:
    'Opens $VISUAL or $EDITOR on the asset as YAML, or as JSON with --json. What you change is written on top of the newest; a file that you leave as it is writes nothing. Your text is kept until it is written.',
  arguments: [{ name: 'id', summary: 'the asset to change', completes: { idOf: 'Asset' } }],
  options: [yesOption, forceOption, dryRunOption],
  examples: [
    { does: 'In your editor', line: 'mar asset edit a-1001' },
    { does: 'In another one, as JSON', line: "VISUAL='code --wait' mar asset edit a-1001 --json" },
  ],
  async run(context, input) {
    const [id = ''] = input.arguments;
    const { editGuarded } = await import('./asset/edit.ts');
    await editGuarded(context, input, id, assetView);
  },
};

const workflowNotify: Command = {
  name: 'workflow-notify',
  summary: 'List the assets that the workflow notification is about',
  endpoint: 'assetWorkflowNotify',
  options: listOptions,
  examples: [
    { does: 'The first ten', line: 'mar asset workflow-notify' },
    {
      does: 'All of them, one JSON record a line',
      line: 'mar asset workflow-notify --all --jsonl',
    },
  ],
  run: (context, input) => list(context, 'assetWorkflowNotify', assetView, input),
};

const showWorkflow: Command = {
  name: 'workflow',
  summary: 'Show the phases of an asset, where it is, and who may act',
  details:
    'The phases stand in the order of their definition; which may follow which, the service does not ' +
    'say. Work requests carry the workflow of their asset; an asset by itself need not.',
  arguments: [{ name: 'id', summary: 'the asset', optional: true, completes: { idOf: 'Asset' } }],
  options: [
    {
      flags: '--work-request <id>',
      summary: 'the asset of this work request',
      completes: { idOf: 'WorkRequest' },
    },
  ],
  examples: [
    { does: 'Of an asset', line: 'mar asset workflow a-1001' },
    { does: 'Of what is asked for', line: 'mar asset workflow --work-request wr-2001' },
    { does: 'Which phase is it in?', line: 'mar asset workflow a-1001 --jq .phase' },
  ],
  async run(context, input) {
    const { workflow } = await import('./asset/workflow.ts');
    await workflow(context, input);
  },
};

export const asset: Noun = {
  commands: [getAsset, putAsset, editAsset, showWorkflow, workflowNotify],
  view: assetView,
  examples: [
    { does: 'Show an asset', line: 'mar asset get a-1001' },
    { does: 'Change a field of it', line: 'mar asset put a-1001 --set usage.online=true' },
  ],
};
