import type { Module } from './module.ts';
import { agents } from './modules/agents/module.ts';
import { batch } from './modules/batch/module.ts';
import { desk } from './modules/desk/module.ts';
import { sandbox } from './modules/sandbox/module.ts';
import { subtitles } from './modules/subtitles/module.ts';

/**
 * The parts of the program that can be deleted, each with its folder and its two lines here. If two of
 * them extend the same command, the later one gets the command of the earlier one: a check of subtitles
 * is made for each row of a batch.
 */
export const modules: readonly Module[] = [sandbox, desk, subtitles, batch, agents];
