import type { Module } from '../../module.ts';

/** AI agents as users: a server for their protocol, and instructions for those with a shell. */
export const agents: Module = {
  entries: [
    {
      name: 'mcp',
      group: 'Tools',
      summary: 'Let an AI agent use mar (Model Context Protocol)',
      load: () => import('./commands/mcp.ts'),
    },
    {
      name: 'skill',
      group: 'Tools',
      summary: 'Print instructions for AI agents with a shell',
      load: () => import('./commands/skill.ts'),
    },
  ],
};
