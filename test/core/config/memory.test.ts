import { readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Memory } from '../../../src/core/config/memory.ts';
import { temporaryFolder } from '../../harness/mar.ts';

const account = { baseUrl: new URL('https://media.example/api'), email: 'ines@media.example' };
const text = 'n'.repeat(80);

const filesIn = (state: string) =>
  readdirSync(path.join(state, 'memory')).map((name) => path.join(state, 'memory', name));

describe('the memory of an account', () => {
  it('keeps the newest thousand of each kind in a small file', async () => {
    const state = temporaryFolder();
    const memory = new Memory(state, account);
    await memory.add([{ kind: 'User', id: 'u-1', text, at: 0 }]);
    for (let at = 0; at < 5000; at += 1) {
      await memory.add([{ kind: 'Asset', id: `a-${at}`, text, at }]);
    }
    const ids = memory.entries('Asset').map(({ id }) => id);
    expect(ids).toEqual(Array.from({ length: 1000 }, (_, at) => `a-${4999 - at}`));
    expect(memory.entries('User')).toHaveLength(1);
    expect(filesIn(state)).toHaveLength(1);
    expect(statSync(filesIn(state)[0] ?? '').size).toBeLessThan(250_000);
  });

  it('loses nothing when several write at once', async () => {
    const state = temporaryFolder();
    await Promise.all(
      Array.from({ length: 20 }, async (_, writer) => {
        const memory = new Memory(state, account);
        for (let count = 0; count < 80; count += 1) {
          const id = `a-${writer}-${count % 40}`;
          await memory.add([{ kind: 'Asset', id, text, at: count }]);
        }
      }),
    );
    expect(new Memory(state, account).entries('Asset')).toHaveLength(800);
  });

  it('survives a process that was killed while it removed old lines', async () => {
    const state = temporaryFolder();
    const memory = new Memory(state, account);
    await memory.add([{ kind: 'Asset', id: 'a-old', text: '', at: 1 }]);
    const [file = ''] = filesIn(state);
    renameSync(file, `${file}.old`);
    const ids = () => memory.entries('Asset').map(({ id }) => id);
    expect(ids()).toEqual(['a-old']);
    for (let count = 0; count < 1200; count += 1) {
      await memory.add([{ kind: 'Asset', id: `a-${count % 10}`, text, at: 2 }]);
    }
    expect(ids()).toHaveLength(11);
    expect(filesIn(state)).toEqual([file]);
  });

  it('is not mixed with that of another account or service', async () => {
    const state = temporaryFolder();
    await new Memory(state, account).add([{ kind: 'Asset', id: 'a-1', text: '', at: 1 }]);
    const others = [
      { ...account, email: 'tom@media.example' },
      { ...account, baseUrl: new URL('https://media.example/other/api') },
      { ...account, baseUrl: new URL('https://media.example:8443/api') },
    ];
    for (const other of others) expect(new Memory(state, other).entries('Asset')).toEqual([]);
    const same = { ...account, email: 'Ines@Media.Example' };
    expect(new Memory(state, same).entries('Asset')).toHaveLength(1);
  });

  it('ignores lines that are damaged', async () => {
    const state = temporaryFolder();
    const memory = new Memory(state, account);
    await memory.add([{ kind: 'Asset', id: 'a-1', text: '', at: 1 }]);
    const lines = ['["Asset"', '["Asset",'];
    writeFileSync(filesIn(state)[0] ?? '', `${lines.join('\n')}\n["Asset","a-3","",2]\n`);
    expect(memory.entries('Asset').map(({ id }) => id)).toEqual(['a-3']);
  });
});
