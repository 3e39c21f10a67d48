import { describe, expect, it } from 'vitest';
import { ServiceRecord } from '../../../src/core/json/serviceRecord.ts';
import { JsonNumber, printJson } from '../../../src/core/json/value.ts';

describe('a record of the service', () => {
  it('has a tree that keeps what ordinary values lose', () => {
    const text = '{"b":9007199254740993,"a":1.0,"1":true}';
    const record = new ServiceRecord(JSON.parse(text), text);
    expect(printJson(record.tree)).toBe(text);
    // It is parsed once.
    expect(record.tree).toBe(record.tree);
  });

  it('counts the last of duplicate keys, as JSON.parse does', () => {
    const record = new ServiceRecord({ a: 2 }, '{"a":1,"a":2}');
    expect(record.tree).toEqual(new Map([['a', new JsonNumber('2')]]));
  });

  it('is made from a value or from a tree', () => {
    expect(ServiceRecord.fromValue({ a: [1] }).text).toBe('{"a":[1]}');
    const tree = new Map([['a', new JsonNumber('1.0')]]);
    const record = ServiceRecord.fromTree(tree);
    expect(record.text).toBe('{"a":1.0}');
    expect(record.tree).toBe(tree);
  });
});
