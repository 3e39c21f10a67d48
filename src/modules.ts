import type { Module } from './module.ts';
import { agents } from './modules/agents/module.ts';
import { batch } from './modules/batch/module.ts';
import { desk } from './modules/desk/module.ts';
import { sandbox } from './modules/sandbox/module.ts';
import { subtitles } from './modules/subtitles/module.ts';

/** The parts of the program that can be deleted, each with its folder and its two lines here. */
export const modules: readonly Module[] = [
  sandbox,
  desk,
  // Before batch, which lets a row be checked as a single translation is.
  subtitles,
  batch,
  agents,
];
