// Writes the source file that type checks need and that is not committed.
import { writeRecordTypes } from './generate/recordTypes.mjs';

await writeRecordTypes();
