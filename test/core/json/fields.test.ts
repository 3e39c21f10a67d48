import { describe, expect, it } from 'vitest';
import { flatten, valueAt } from '../../../src/core/json/fields.ts';
import { parseJson } from '../../../src/core/json/parse.ts';
import { machineCell } from '../../../src/core/values/cell.ts';

const source = `{
  "_id": "42", "due": {"date": 1796144400, "tz": "Europe/Paris"},
  "uses": {"items": ["online", "dcp"], "details": {}},
  "recipients": {"2D Scope": [{"name": "Ann"}], "a.b": 1, "c[0]": 2, "": 3, "say \\"hi\\"": 4, "été": 5},
  "$links": {"self": "//host/api/x?sig=secret"}, "auto": true, "audioFile": null, "tags": [],
  "big": 9007199254740993, "grid": [[1, 2], []]
}`;
const lossless = parseJson(source);

describe('flatten', () => {
  it('gives each leaf with its path, in the order of the record', () => {
    expect(flatten(lossless, machineCell)).toEqual([
      ['_id', '42'],
      ['due.date', '1796144400'],
      ['due.tz', 'Europe/Paris'],
      ['uses.items[0]', 'online'],
      ['uses.items[1]', 'dcp'],
      ['uses.details', ''],
      ['recipients["2D Scope"][0].name', 'Ann'],
      ['recipients["a.b"]', '1'],
      ['recipients["c[0]"]', '2'],
      ['recipients[""]', '3'],
      ['recipients["say \\"hi\\""]', '4'],
      ['recipients.été', '5'],
      ['$links.self', '//host/api/x?…'],
      ['auto', 'true'],
      ['audioFile', ''],
      ['tags', ''],
      ['big', '9007199254740993'],
      ['grid[0][0]', '1'],
      ['grid[0][1]', '2'],
      ['grid[1]', ''],
    ]);
  });

  it('gives the same for ordinary values, and paths that lead back to their values', () => {
    const pathsOf = (record: unknown) =>
      flatten(record, machineCell).map(([path, text]) => {
        expect(machineCell(valueAt(record, path))).toBe(text);
        return path;
      });
    expect(pathsOf(JSON.parse(source))).toEqual(pathsOf(lossless));
  });

  it('gives nothing for an empty record and one row for a bare value', () => {
    expect(flatten({}, machineCell)).toEqual([]);
    expect(flatten([], machineCell)).toEqual([]);
    expect(flatten('text', machineCell)).toEqual([['', 'text']]);
    expect(flatten(['a'], machineCell)).toEqual([['[0]', 'a']]);
  });
});

describe('valueAt', () => {
  it('reads what is there', () => {
    expect(valueAt({ a: [{ b: 1 }] }, 'a[0].b')).toBe(1);
    expect(valueAt({ '2D Scope': [1] }, '2D Scope[0]')).toBe(1);
    expect(valueAt([[5]], '[0][0]')).toBe(5);
  });

  it.each([
    ...['b', 'a.b', 'a[9]', 'a.length', 'text.length', 'text[0]', 'toString'],
    ...['n.source', 'a[0][0]'],
  ])('is undefined at %s', (path) => {
    const record = { a: [1], text: 'x', n: 1 };
    for (const value of [record, parseJson(JSON.stringify(record)), null, undefined]) {
      expect(valueAt(value, path)).toBeUndefined();
    }
  });
});
