import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { expectOneRead } from '../../../core/credentials/keychain/countedReads.ts';
import { mar, temporaryFile, temporaryFolder } from '../../../harness/mar.ts';
import { entry, workRequest } from '../request.ts';

it('-O keeps the result of a check with findings, which fails after it', async () => {
  const subtitles = temporaryFile('1\n00:00:01,000 --> 00:00:01,100\nShort\n', 'movie.en.srt');
  const file = path.join(temporaryFolder(), 'findings.csv');
  const { code, stderr } = await mar(['translation', 'check', subtitles, '-O', file]);
  expect(code, stderr).toBe(3);
  expect(readFileSync(file, 'utf8')).toContain('Short');
  expect(stderr).toContain(file);
});

it('the credential store is read once by a check of three', async () => {
  const request = workRequest([entry(1, 'Bonjour.'), entry(2, 'Oui.')]);
  const requests = ['wr-1', 'wr-2', 'wr-3'].map((id) => request.replaceAll('wr-1', id));
  await expectOneRead('translation check wr-1 wr-2 wr-3', requests, 3);
});
