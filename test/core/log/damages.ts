import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const edit = (change: (content: Buffer) => string | Buffer) => (file: string) =>
  writeFileSync(file, change(readFileSync(file)));

/** What can happen to the file of a ledger. */
export const damages: readonly [name: string, damage: (file: string) => void][] = [
  ['changed', edit((content) => String(content).replace('fin', 'fim'))],
  ['cut in the middle', edit((content) => content.subarray(100))],
  ['followed by something else', edit((content) => `${content}garbage\n`)],
  ['filled with zeros', edit(() => Buffer.alloc(500))],
  [
    'a folder',
    (file: string) => {
      rmSync(file);
      mkdirSync(file);
    },
  ],
];
