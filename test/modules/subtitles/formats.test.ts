import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { formats } from '../../../src/modules/subtitles/formats/registry.ts';

it('only the registry and the files of the formats name a format, and the files that submit refuses', () => {
  const names = formats.flatMap(({ title, extensions }) => [title, ...extensions]);
  // A file name in an example, such as movie.srt, is none.
  const named = new RegExp(`(?<!\\.)\\b(?:${names.join('|')})\\b`, 'i');
  const mentions = ['src/modules/subtitles', 'src/core/commands/translation'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.startsWith(`formats${path.sep}`))
      .flatMap((file) => readFileSync(path.join(folder, file), 'utf8').split('\n'))
      .filter((row) => !/^\s*(?:\/?\*|\/\/)|'mar translation /.test(row) && named.test(row)),
  );
  expect(mentions).toEqual([expect.stringContaining('const subtitleFile = ')]);
});
