import { docPages, skillPage, testCommandsOf } from '../harness/pageCommands.ts';

testCommandsOf([...docPages, skillPage]);
