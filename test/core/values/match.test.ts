import { describe, expect, it } from 'vitest';
import { textMatcher } from '../../../src/core/values/match.ts';

describe('a text matches', () => {
  it.each([
    ['harbor', 'HARBOR', 'exact'],
    ['Ines', 'Inês', 'exact'],
    ['lodz orsted', 'Łódź Ørsted', 'exact'],
    ['STRASSE', 'Straße', 'exact'],
    ['οδος', 'ΟΔΌΣ', 'exact'],
    ['ﾄﾚｰﾗｰ', 'トレーラー', 'exact'],
    ['田中', '田中 遥', 'start'],
    ['遥', '田中 遥', 'words'],
    ['한국', '대한국어', 'part'],
    ['trailer harbor', 'The Harbor Light – Trailer A', 'words'],
    ['the harbor', 'The  Harbor Light', 'start'],
    ['arbor', 'The Harbor Light', 'part'],
    ['one-sheet', 'Payoff One-Sheet', 'words'],
    ['harbor moon', 'The Harbor Light', undefined],
    ['e\u0301te', 'Été', 'exact'],
  ])('%j in %j: %s', (query, text, rank) => {
    expect(textMatcher(query)(text)).toBe(rank);
  });
});
