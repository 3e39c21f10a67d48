import guide from '../../../../skills/mar/SKILL.md?raw';
import type { Command } from '../../../core/commands/command.ts';
import { outcome, textResult } from '../../../core/output/result.ts';

export const command: Command = {
  printsText: true,
  summary: 'Print instructions for AI agents with a shell',
  details:
    'The instructions are an agent skill: a file SKILL.md, which an agent reads when it works with mar.',
  examples: {
    'Show the instructions': 'mar skill',
    'Save them in a folder of skills, such as ~/.claude/skills':
      'mkdir -p skills/mar && mar skill -O skills/mar/SKILL.md',
  },
  async *run({ flags: { format, jq } }) {
    yield format || jq ? outcome({ skill: guide }, guide.trimEnd()) : textResult(guide);
  },
};
