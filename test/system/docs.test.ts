import { docPages, testCommandsOf } from '../harness/pageCommands.ts';

testCommandsOf(docPages);
