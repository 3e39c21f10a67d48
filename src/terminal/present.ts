import { hideSecrets } from '../api/secrets.ts';
import { MarError } from '../errors.ts';
import { JsonSyntaxError, parseJson } from '../json/parse.ts';
import { printJson } from '../json/print.ts';
import type { Json } from '../json/value.ts';
import type { Shown } from './view.ts';

export interface Presentation {
  showSecrets: boolean;
  /** Whether the values are shown: then big integers and key order must come out as they were. */
  exactValues: 'always' | 'if-numbers-need-it' | 'never';
}

/** Numbers that ordinary values may change: more digits than they hold, fractions, exponents. */
const delicateNumber = /\d{16}|\d\.\d|\d[eE][-+\d]/;

/**
 * A record as it may be shown: with its secrets hidden and, where its values are shown, as lossless
 * JSON. Most records of a list are neither secret nor delicate, and are not worth a second parse.
 */
export function presentable(record: Shown, { showSecrets, exactValues }: Presentation): Shown {
  const { text } = record;
  const hasSecret = !showSecrets && /password|\\u/.test(text);
  const isDelicate =
    exactValues === 'always' || (exactValues === 'if-numbers-need-it' && delicateNumber.test(text));
  if (!hasSecret && !isDelicate) return record;
  const json = read(text);
  if (!hasSecret) return { value: json, text };
  const hidden = hideSecrets(json);
  return { value: hidden, text: printJson(hidden) };
}

function read(text: string): Json {
  try {
    return parseJson(text, { lastKeyCounts: true });
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new MarError('service', `the record cannot be shown: ${error.message}`, {
      hint: 'print it as it is: --json --show-secrets',
    });
  }
}
