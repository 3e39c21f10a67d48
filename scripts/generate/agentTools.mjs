import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { documentText, loadSource } from './loadSource.mjs';

const file = 'src/modules/agents/tools.json';

/** Writes the tools of `mar mcp`, with what each of them takes: it follows from the flags of the commands. */
export async function writeAgentTools() {
  // One of the commands imports the file.
  if (!existsSync(file)) await writeFile(file, '{"reads":[],"writes":[]}');
  const { agentTools } = await loadSource('scripts/generate/agentTools.ts');
  await writeFile(file, documentText(await agentTools()));
}
