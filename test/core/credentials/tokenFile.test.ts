import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { tokenFile, tokenFilePath } from '../../../src/core/credentials/tokenFile.ts';
import { temporaryFolder } from '../../harness/mar.ts';

const ines = { email: 'ines@studio.example', origin: 'https://media.example' };

describe('the token file', () => {
  it('keeps a token for each account at each origin', async () => {
    const store = tokenFile(temporaryFolder());
    const elsewhere = { ...ines, origin: 'https://lab.example' };
    const other = { ...ines, email: 'tom@studio.example' };
    await store.write(ines, 'one');
    await store.write(elsewhere, 'two');
    expect([await store.read(ines), await store.read(elsewhere)]).toEqual(['one', 'two']);
    expect(await store.read(other)).toBeUndefined();
    await store.write(ines, 'three');
    await store.remove(elsewhere);
    expect([await store.read(ines), await store.read(elsewhere)]).toEqual(['three', undefined]);
  });

  it.each(['{"a', '[]', '["token"]', '"token"', 'null', '{"a":1}', '{"a":{}}'])(
    'that holds %s is refused, and not written over',
    async (text) => {
      const folder = temporaryFolder();
      writeFileSync(tokenFilePath(folder), text);
      const store = tokenFile(folder);
      await expect(store.read(ines)).rejects.toMatchObject({ kind: 'usage' });
      await expect(store.write(ines, 'one')).rejects.toMatchObject({ kind: 'usage' });
      expect(readFileSync(tokenFilePath(folder), 'utf8')).toBe(text);
    },
  );
});
