/** Contents of JSON strings, as JSON source. */
const escapes = ['\\"', '\\\\', '\\/', '\\n', '\\u0041', '\\u001b', '\\ud83d\\ude00', '\\ud800'];
const pieces = [...'aZ é{}[],:\u007f\u009b\u202e\u2069\u2028', '  ', '蜘蛛', '👩‍👧', ...escapes];
const integers = ['0', '-0', '1', '9007199254740993', '123456789012345678901234567890'];
const numbers = [...integers, '1.0', '-1.50', '1e400', '1E-7', '0.1e+1'];
const words = ['true', 'false', 'null'];
const names = ['a', 'b', '2', '1', '__proto__', 'constructor', '', '\\u0061', '蜘'];
const keys = names.map((name) => `"${name}"`);
const blanks = ['', '', ' ', '\n', '\r\n\t', '  '];

/** A random JSON text, with white space wherever it is allowed. It may have duplicate keys. */
export function randomJson(next: (below: number) => number, depth = 5): string {
  const pick = (choices: readonly string[]) => choices[next(choices.length)] ?? '';
  const many = (make: () => string) => Array.from({ length: next(5) }, make);
  const string = () => `"${many(() => pick(pieces)).join('')}"`;
  // Never the key "\\" alone: once V8 13 or newer has parsed it, JSON.parse reads {"\u0041": 1} as {"\\": 1}.
  const key = () => (next(2) === 0 ? pick(keys) : string().replace(/^"\\\\"$/, '"a"'));
  const joined = (make: () => string) => many(make).join(',') || pick(blanks);
  const field = (depthLeft: number) => `${pick(blanks)}${key()}${pick(blanks)}:${value(depthLeft)}`;
  function value(depthLeft: number): string {
    const makers = [
      () => pick(numbers),
      string,
      () => pick(words),
      () => `[${joined(() => value(depthLeft - 1))}]`,
      () => `{${joined(() => field(depthLeft - 1))}}`,
    ];
    const make = makers[next(depthLeft > 0 ? makers.length : 3)] ?? string;
    return pick(blanks) + make() + pick(blanks);
  }
  return value(depth);
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;

/** The tokens of a JSON text. Equal tokens mean equal JSON, to the last digit. */
export const tokensOf = (text: string): string[] => text.match(token) ?? [];
