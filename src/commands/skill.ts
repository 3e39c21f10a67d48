import { promises } from 'node:fs';
import path from 'node:path';
import guide from '../../skills/mar/SKILL.md?raw';
import { orUndefined } from '../errors.ts';
import { makeFolder } from '../files/makeFolder.ts';
import { option, stringOption } from '../input.ts';
import { confirmOverwrite, isProtected, writeNamedFile } from '../output/outputFile.ts';
import { textResult } from '../output/result.ts';
import type { Command } from './command.ts';

export { guide };

export const command: Command = {
  printsText: true,
  summary: 'Print instructions for AI agents with a shell',
  details:
    'The instructions are an agent skill: a file SKILL.md, which an agent reads when it works with mar.',
  options: [
    option('--install <dir>', 'write mar/SKILL.md into this folder of skills instead', {
      completes: 'folder',
    }),
  ],
  examples: {
    'Show the instructions': 'mar skill',
    'Install them for Claude Code': 'mar skill --install ~/.claude/skills',
  },
  async *run(context, input) {
    const folder = stringOption(input, 'install');
    if (folder === undefined) return yield textResult(guide);
    const file = path.join(folder, 'mar', 'SKILL.md');
    const current = await promises.readFile(file, 'utf8').catch(() => undefined);
    if (current !== guide) {
      const facts = { flag: '--install', value: folder };
      if (await isProtected(context, file)) await confirmOverwrite(context, [file], facts);
      // A failure is reported when the file is written.
      orUndefined(() => makeFolder(path.dirname(file)));
      await writeNamedFile(file, guide, facts);
    }
    context.reporter.reportOnce(`Installed ${file}`);
  },
};
