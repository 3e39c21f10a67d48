import { knownStatuses } from '../api/endpoints.ts';
import { placeholders } from '../subtitles/names.ts';
import { ranBatch } from './batch/batchable.ts';
import type { Argument, Command, Noun, Option } from './command.ts';
import { exportFormats } from './translation/export.ts';
import { limitOptions } from './translation/limitFlags.ts';
import { refuseWithoutCheck, withSubmission } from './translation/submission.ts';
import { translationView } from './translation/view.ts';
import { createFrom, createOptions, readBody } from './write/write.ts';

const graphicsOption: Option = {
  flags: '--graphics',
  summary: "the titles on the screen, in place of the dialogue: the request's graphicsTranslation",
};
const encodingOption: Option = {
  flags: '--encoding <name>',
  summary: 'of a subtitle file that is not UTF-8 and has no byte-order mark: windows-1252',
  default: 'utf-8',
};

/** A work request or a file: what looks like a file is one. */
const sourceArgument: Argument = {
  name: 'source',
  summary: 'the id of a work request, or a file: *.srt, *.vtt, any path with a slash, - for stdin',
  completes: { idOf: 'WorkRequest', orFile: true },
};

const exportTranslation: Command = {
  name: 'export',
  summary: "Write a work request's translation as subtitles",
  details:
    'The format follows from --format, else from the name after -O, else it is SRT. --json, --jq and -o print the lines as the service has them. SRT and WebVTT get <b>, <i>, <u> and line breaks; all other markup becomes text. Empty lines are left out.',
  arguments: [
    {
      name: 'id',
      summary: 'work requests; - reads their ids from standard input, one a line',
      many: true,
      completes: { idOf: 'WorkRequest' },
    },
  ],
  options: [
    graphicsOption,
    {
      flags: '--format <format>',
      summary: 'what to write',
      choices: exportFormats,
      default: "by the file's name, else srt",
    },
    {
      flags: '-O, --output-file <name>',
      summary: `where to write it; may hold ${placeholders.map((name) => `{${name}}`).join(', ')}`,
      default: 'standard output',
      completes: 'file',
    },
    {
      flags: '--skip-bad-times',
      summary: 'leave out lines that SRT and WebVTT cannot time, in place of stopping',
    },
  ],
  examples: [
    { does: 'As SRT, to look at', line: 'mar translation export wr-2001' },
    { does: 'Into a file, as WebVTT', line: 'mar translation export wr-2001 -O trailer.vtt' },
    {
      does: 'Several, each into a file of its own',
      line: "mar translation export wr-2001 wr-2002 -O '{id}.{language}.srt'",
    },
    {
      does: 'The titles, for a spreadsheet',
      line: 'mar translation export wr-2001 --graphics -O titles.csv',
    },
  ],
  async run(context, input) {
    const { exportSubtitles } = await import('./translation/export.ts');
    await exportSubtitles(context, input);
  },
};

const check: Command = {
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
    const { checkSources } = await import('./translation/check.ts');
    await checkSources(context, input);
  },
};

const diff: Command = {
  name: 'diff',
  summary: 'Show what changed between two translations',
  details: 'Lines that are new or gone, that were re-timed, re-worded or both.',
  arguments: [
    { ...sourceArgument, name: 'before' },
    { ...sourceArgument, name: 'after' },
  ],
  options: [graphicsOption, encodingOption],
  examples: [
    { does: 'A request and a file', line: 'mar translation diff wr-2001 trailer.srt' },
    { does: 'For a script', line: 'mar translation diff old.srt new.srt --jq .change' },
  ],
  async run(context, input) {
    const { diffSources } = await import('./translation/diff.ts');
    await diffSources(context, input);
  },
};

/** What a check before submission looks at. */
const checkingOptions = [graphicsOption, ...limitOptions];

const submit: Command = {
  name: 'submit',
  summary: 'Submit a translation',
  endpoint: 'translationCreate',
  options: [
    {
      flags: '--work-request <id>',
      summary: 'the work request that it is for',
      completes: { idOf: 'WorkRequest' },
    },
    { flags: '--asset <id>', summary: 'the asset', completes: { idOf: 'Asset' } },
    { flags: '--language <code>', summary: 'its language, in three letters' },
    {
      flags: '--status [status]',
      summary: 'its status; alone, with --batch: how far the batch came',
      default: 'submitted, where a flag above is given and no file',
      completes: () => knownStatuses.translation.map((value) => ({ value })),
    },
    { flags: '--check', summary: "check the request's lines first, and send nothing on errors" },
    // Of a batch, --status is a switch: both are the one above.
    ...createOptions.filter(({ flags }) => flags !== '--status'),
    ...checkingOptions,
  ],
  examples: [
    {
      does: 'For a work request, if its lines are in order',
      line: 'mar translation submit --work-request wr-2001 --asset a-1001 --language fra --check',
    },
    { does: 'From a file', line: 'mar translation submit -f translation.yaml' },
  ],
  async run(context, input) {
    if (await ranBatch(context, input, 'translationCreate')) return;
    refuseWithoutCheck(input, checkingOptions);
    const record = await readBody(context, withSubmission(input), 'translationCreate');
    if (input.options.check) {
      const { refuseMistakes } = await import('./translation/check.ts');
      await refuseMistakes(context, input, record);
    }
    await createFrom(context, input, 'translationCreate', translationView, record);
  },
};

export const translation: Noun = {
  commands: [exportTranslation, check, diff, submit],
  view: translationView,
  examples: [
    { does: 'As subtitles', line: 'mar translation export wr-2001 -O trailer.srt' },
    { does: 'Is it in order?', line: 'mar translation check wr-2001' },
    {
      does: 'Submit it',
      line: 'mar translation submit --work-request wr-2001 --asset a-1001 --language fra',
    },
  ],
};
