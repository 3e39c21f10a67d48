import { statSync } from 'node:fs';
import path from 'node:path';
import type { Command } from '../../../core/commands/command.ts';
import { usageError } from '../../../core/errors.ts';
import { resolveLinks } from '../../../core/files/paths.ts';
import { option, stringOption } from '../../../core/input.ts';

export const command: Command = {
  isEndless: () => true,
  summary: 'Let an AI agent use mar (Model Context Protocol)',
  details:
    'Serves one agent on standard input and output. Without --allow-writes, the tools only read. With it, a write takes two calls: the first shows what would be written, the second writes it. If the client can ask you, mar asks before it writes. All calls use the profile that is in use at the start. They can name only those of your files that are below --root.',
  options: [
    option(
      '--allow-writes[=when]',
      'also offer tools that write; asked: they write only if the client can ask you',
      { choices: ['asked'] },
    ),
    option('--root <dir>', 'folder for the files of calls', {
      default: 'the current folder',
      completes: 'folder',
    }),
  ],
  examples: {
    'Let an agent read': 'mar mcp',
    'Let an agent write with another account, if it can ask you first':
      'mar mcp --profile staging --allow-writes=asked',
  },
  // biome-ignore lint/correctness/useYield: the agent gets the results
  async *run(context, input, program) {
    const { allowWrites } = input.options;
    const root = readRoot(stringOption(input, 'root'));
    const { reporter } = context;
    if (reporter.isInteractive) reporter.reportOnce('Waiting for an agent, until Ctrl-D');
    return (await import('../server.ts')).serve(context, program, {
      allowWrites: allowWrites !== undefined,
      mustAsk: allowWrites === 'asked',
      root,
    });
  },
};

function readRoot(folder = ''): string {
  const root = resolveLinks(path.resolve(folder));
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory()) return root;
  throw usageError(`--root ${folder} is not a folder`, { flag: '--root', value: folder });
}
