// Writes the source files that type checks need and that are not committed.
import { writeAgentTools } from './generate/agentTools.mjs';
import { writeRecordTypes } from './generate/recordTypes.mjs';

await writeRecordTypes();
await writeAgentTools();
