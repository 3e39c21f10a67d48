import { statSync } from 'node:fs';
import path from 'node:path';
import { usageError } from '../errors.ts';
import { option, stringOption } from '../input.ts';
import { textResult } from '../output/result.ts';
import type { Command } from './command.ts';

/** The clients, and where they keep their servers. */
const configFiles: Readonly<Record<string, string>> = {
  claude: '.mcp.json',
  vscode: '.vscode/mcp.json',
  cursor: '.cursor/mcp.json',
  codex: '~/.codex/config.toml',
  json: 'the settings of your client',
};

export const command: Command = {
  printsText: true,
  isEndless: ({ options }) => options.printConfig === undefined,
  summary: 'Let an AI agent use mar (Model Context Protocol)',
  details:
    'Serves one agent on standard input and output, until the agent closes it. The tools only read, unless you give --allow-writes. A write then takes two calls: the first shows the request, the second sends exactly that. A client that can ask you does so before; --allow-writes=asked writes only there. All calls use the account of --profile. Calls name only files below --root.',
  options: [
    option(
      '--allow-writes[=when]',
      'also offer the tools that write; asked: only if the client can ask you first',
      { choices: ['asked'] },
    ),
    option('--all-tools', 'also offer rare tools, such as submit_translation'),
    option('--root <dir>', 'folder for the files of calls', {
      default: 'the current folder',
      completes: 'folder',
    }),
    option(
      '--print-config <client>',
      'print what to paste into the settings of a client, and serve nothing',
      { choices: Object.keys(configFiles) },
    ),
  ],
  examples: {
    'Set up Claude Code for a project': 'mar mcp --print-config claude > .mcp.json',
    'Print the settings for an agent that may write':
      'mar mcp --allow-writes --profile staging --print-config vscode',
  },
  async *run(context, input, program) {
    const { flags, reporter } = context;
    const { allowWrites, allTools } = input.options;
    const root = stringOption(input, 'root');
    const client = stringOption(input, 'printConfig');
    if (client === undefined) {
      if (reporter.isInteractive) reporter.reportOnce('Waiting for an agent, until Ctrl-D');
      return (await import('../agents/server.ts')).serve(context, program, {
        allowWrites: allowWrites !== undefined,
        mustAsk: allowWrites === 'asked',
        allTools: allTools === true,
        root: readRoot(root),
      });
    }
    const { profile } = flags;
    const args = [
      'mcp',
      ...(profile ? ['--profile', profile] : []),
      ...(allowWrites ? [`--allow-writes${allowWrites === true ? '' : `=${allowWrites}`}`] : []),
      ...(allTools ? ['--all-tools'] : []),
      ...(root === undefined ? [] : ['--root', path.resolve(root)]),
    ];
    reporter.reportOnce(`For ${configFiles[client]}:`);
    yield textResult(`${configFor(client, args)}\n`);
  },
};

function readRoot(folder = ''): string {
  const root = path.resolve(folder);
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory()) return root;
  throw usageError(`--root ${folder} is not a folder`, { flag: '--root', value: folder });
}

function configFor(client: string, args: readonly string[]): string {
  const toml = `[mcp_servers.mar]\ncommand = "mar"\nargs = ${JSON.stringify(args)}`;
  if (client === 'codex') return toml;
  const mar = { command: 'mar', args };
  const key = client === 'vscode' ? 'servers' : 'mcpServers';
  return JSON.stringify(client === 'json' ? mar : { [key]: { mar } }, undefined, 2);
}
