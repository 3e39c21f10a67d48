import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/core/json/parse.ts';
import { printJson } from '../../../src/core/json/value.ts';
import { applyEdits, type Edit } from '../../../src/core/records/setFields.ts';
import { marOk } from '../../harness/mar.ts';
import { recordingServer } from '../../harness/recordingServer.ts';
import { recordWords } from '../../words/records.ts';

const set = (text: string): Edit => ({ kind: 'set', text });
const setString = (text: string): Edit => ({ kind: 'set-string', text });
const unset = (text: string): Edit => ({ kind: 'unset', text });

/** A record's text after some changes. */
function edited(before: string, ...edits: Edit[]): string {
  const record = parseJson(before);
  applyEdits(record, edits);
  return printJson(record);
}

/** Expects that a change is bad usage. */
const expectRefusal = (before: string, edit: Edit, message: unknown = expect.any(String)) =>
  expect(() => edited(before, edit)).toThrow(expect.objectContaining({ kind: 'usage', message }));

describe('--set', () => {
  it.each([
    ['a=1', '{"a":1}'],
    ['a=1.0', '{"a":1.0}'],
    ['a=9007199254740993', '{"a":9007199254740993}'],
    ['a=1e400', '{"a":1e400}'],
    ['a=true', '{"a":true}'],
    ['a=null', '{"a":null}'],
    ['a="1"', '{"a":"1"}'],
    ['a=[1, {"b": 2}]', '{"a":[1,{"b":2}]}'],
    ['a={"2":1,"1":9007199254740993}', '{"a":{"2":1,"1":9007199254740993}}'],
    ['a= 5 ', '{"a":5}'],
  ])('%s takes the value for the JSON that it reads as', (text, after) => {
    expect(edited('{}', set(text))).toBe(after);
  });

  it.each([
    ['a=Europe/Paris', 'Europe/Paris'],
    ['a=', ''],
    ['a=007', '007'],
    ['a=+1', '+1'],
    ['a=True', 'True'],
    ['a=[redacted', '[redacted'],
    ['a=2024-01-01', '2024-01-01'],
    ["a='x'", "'x'"],
    ['a=x=y', 'x=y'],
    ['a==', '='],
    ['a="unfinished', '"unfinished'],
    ['a=one\ntwo', 'one\ntwo'],
    ['a=NaN', 'NaN'],
  ])('%j takes the value for text, since it is not JSON', (text, value) => {
    expect(edited('{}', set(text))).toBe(`{"a":${JSON.stringify(value)}}`);
  });

  it('makes the objects that are missing on the way, and arrays before a number', () => {
    expect(edited('{}', set('due.deep.tz=x'))).toBe('{"due":{"deep":{"tz":"x"}}}');
    expect(edited('{}', set('uses.items[0]=online'))).toBe('{"uses":{"items":["online"]}}');
    expect(edited('{}', set('a[0][0].b=1'))).toBe('{"a":[[{"b":1}]]}');
  });

  it('replaces in place and appends at the end', () => {
    const before = '{"a":1,"b":[1,2],"c":3}';
    expect(edited(before, set('a=x'), set('b[0]=y'), set('b[2]=z'), set('d=w'))).toBe(
      '{"a":"x","b":["y",2,"z"],"c":3,"d":"w"}',
    );
  });

  it('reaches keys of every kind by quotes', () => {
    const after = edited('{}', set('recipients["2D Scope"][0]=g-1'), set('["a.b"]=1'));
    expect(after).toBe('{"recipients":{"2D Scope":["g-1"]},"a.b":1}');
  });

  it.each([
    ['["a=b"]=c', '{"a=b":"c"}'],
    ["['a=b']=c", '{"a=b":"c"}'],
    ['["a\\"=b"]=c', '{"a\\"=b":"c"}'],
    ['["a\\\\"]=c', '{"a\\\\":"c"}'],
    ['["x"]=say "a=b"', '{"x":"say \\"a=b\\""}'],
  ])('%s divides at the first = outside of the quoted key', (text, after) => {
    expect(edited('{}', set(text))).toBe(after);
  });

  it('leaves what it does not name as it was, to the digit', () => {
    const before = '{"10":1.0,"2":9007199254740993,"a":{"z":[],"y":{}},"__proto__":null}';
    expect(edited(before, set('a.x=1'))).toBe(before.replace('"y":{}', '"y":{},"x":1'));
  });
});

describe('--set-string', () => {
  it.each(['1', 'true', 'null', '{"a":1}', '"quoted"', '', ' 5 ', 'x=y'])(
    'takes %j for text, whatever it reads as',
    (value) => {
      expect(edited('{}', setString(`a.b=${value}`))).toBe(`{"a":{"b":${JSON.stringify(value)}}}`);
    },
  );
});

describe('--unset', () => {
  it.each([
    ['a', '{"b":{"c":[1,2,3],"d":null}}'],
    ['b.c', '{"a":1,"b":{"d":null}}'],
    ['b.d', '{"a":1,"b":{"c":[1,2,3]}}'],
    ['b.c[0]', '{"a":1,"b":{"c":[2,3],"d":null}}'],
    ['b.c[2]', '{"a":1,"b":{"c":[1,2],"d":null}}'],
  ])('%s removes that and closes the gap', (path, after) => {
    expect(edited('{"a":1,"b":{"c":[1,2,3],"d":null}}', unset(path))).toBe(after);
  });

  it.each(['x', 'x.y.z', 'x[0]', 'b[5]', 'b[5].x', 'c.x'])(
    '%s is not there, so there is nothing to do, and nothing is made',
    (path) => {
      const before = '{"a":1,"b":[1],"c":null}';
      expect(edited(before, unset(path))).toBe(before);
    },
  );

  it.each([
    ['a.x', recordWords.noStep('a.x', 'a is a number', 'field "x"')],
    ['a.x.y', recordWords.noStep('a.x.y', 'a is a number', 'field "x"')],
    ['b.x', recordWords.noStep('b.x', 'b is an array', 'field "x"')],
    ['a[0]', recordWords.noStep('a[0]', 'a is a number', 'element [0]')],
    ['[0]', recordWords.noStep('[0]', 'the record is an object', 'element [0]')],
  ])('%s can be nowhere, and names the step that fails', (path, message) => {
    expectRefusal('{"a":1,"b":[1]}', unset(path), message);
  });
});

describe('several changes', () => {
  it('are made in the order in which they are given', () => {
    expect(edited('{}', set('a=1'), set('a=2'))).toBe('{"a":2}');
    expect(edited('{}', set('a.b=1'), unset('a.b'), set('a.c=2'))).toBe('{"a":{"c":2}}');
    expect(edited('{"a":[1,2,3]}', unset('a[0]'), unset('a[0]'))).toBe('{"a":[3]}');
    expect(edited('{"a":1}', unset('a'), set('a.b=1'))).toBe('{"a":{"b":1}}');
    expect(edited('{}', set('a[0]=x'), setString('a[1]=1'), set('a[2]=1'))).toBe(
      '{"a":["x","1",1]}',
    );
  });

  it('keep their order across the three flags of a command line', async () => {
    const server = await recordingServer('{"_id":"wr-1"}');
    const edits = '--set a=1 --unset a --set-string b=1 --set a=2 --unset b --set c=3';
    await marOk(['wr', 'create', '--skip-checks', ...edits.split(' ')], server);
    expect(server.requests[0]).toMatch(/\r\n\r\n{"a":2,"c":3}$/);
  });

  it('apply to what -f gives', async () => {
    const server = await recordingServer('{"_id":"wr-1"}');
    const flags = ['--set', 'due.tz=Europe/Paris', '-f', '-', '--unset', 'language'];
    const argv = ['wr', 'create', '--skip-checks', ...flags];
    const stdin = '{"language":"fra","due":{"date":9007199254740993},"x":1.0}';
    await marOk(argv, { ...server, stdin });
    expect(server.requests[0]).toMatch(
      /\r\n\r\n{"due":{"date":9007199254740993,"tz":"Europe\/Paris"},"x":1.0}$/,
    );
  });
});

describe('a change that cannot be made', () => {
  it.each([
    ['a.b=1', '{"a":1}', recordWords.noStep('a.b', 'a is a number', 'field "b"')],
    ['a.b.c=1', '{"a":{"b":"x"}}', recordWords.noStep('a.b.c', 'a.b is a string', 'field "c"')],
    ['a.b=1', '{"a":null}', recordWords.noStep('a.b', 'a is null', 'field "b"')],
    ['a.b=1', '{"a":[]}', recordWords.noStep('a.b', 'a is an array', 'field "b"')],
    ['a.b=1', '{"a":true}', recordWords.noStep('a.b', 'a is a boolean', 'field "b"')],
    ['a[0]=1', '{"a":{}}', recordWords.noStep('a[0]', 'a is an object', 'element [0]')],
    ['[0]=1', '{}', recordWords.noStep('[0]', 'the record is an object', 'element [0]')],
    ['a[0].b=1', '{"a":[5]}', recordWords.noStep('a[0].b', 'a[0] is a number', 'field "b"')],
    ['a["x y"].b=1', '{"a":{"x y":5}}', 'a["x y"] is a number'],
    ['a[2]=1', '{"a":[0]}', 'a[2]: a has 1 element; use [+] to append one'],
    ['a[1]=1', '{}', 'a[1]: a has 0 elements; use [+] to append one'],
  ])('--set %s on %s names the step that fails', (text, before, message) => {
    expectRefusal(before, set(text), expect.stringContaining(message));
  });

  it.each([set('a'), set('=1'), setString('a'), set('')])('%j has no path or no value', (edit) => {
    expectRefusal('{}', edit, `--${edit.kind} ${edit.text}: expected path=value`);
  });

  it.each([set('a..b=1'), setString('a.=1'), unset('a[')])('%j has no valid path', (edit) => {
    expectRefusal('{}', edit, expect.stringContaining('invalid path'));
  });

  it('may not have its = in quotes', () => {
    expectRefusal('{}', set('"a=1"'));
    expectRefusal('{}', set('["a=1"]'));
  });

  it.each([
    set('__proto__.polluted=1'),
    set('a.constructor=1'),
    setString('["prototype"]=1'),
    unset('a.__proto__.toString'),
  ])('%j would leave the record, and is refused', (edit) => {
    expectRefusal('{"a":{}}', edit);
    expect('polluted' in {}).toBe(false);
    expect(typeof {}.toString).toBe('function');
  });
});
