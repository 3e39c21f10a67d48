import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { onCommandLine, usageError } from '../errors.ts';
import { readAll } from '../files/regularFile.ts';
import { readReason } from '../files/systemReason.ts';
import { decodeUtf8, parseJson, TextSyntaxError } from '../json/parse.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';
import { markedEncoding } from '../values/encoding.ts';

export const expectedRecord = 'expected one record (an object with fields)';
const manyHint = onCommandLine('To write each record of a table or a list, use --batch FILE.');

export async function readRecord(file: string, stdin: Readable): Promise<JsonObject> {
  const record = await readDocument(file, stdin);
  if (!isObject(record)) {
    const hint = record === null ? 'It contains only null or comments.' : manyHint;
    throw usageError(`${inputName(file)}: ${expectedRecord}`, hint);
  }
  return record;
}

/** Reads a JSON or YAML file with any content: a record, a list, a single value. */
export async function readDocument(file: string, stdin: Readable): Promise<Json> {
  return parseDocumentText(await readText(file, stdin), file);
}

/** The file name decides between JSON and YAML, else the first character. */
export async function parseDocumentText(text: string, file: string): Promise<Json> {
  const name = inputName(file);
  if (text.trim() === '') throw usageError(`${name} is empty`, 'Expected one JSON or YAML record.');
  const looksLikeJson = /\.json$/i.test(file) || /^\s*[{[]/.test(text);
  try {
    if (looksLikeJson && !/\.ya?ml$/i.test(file)) return parseJson(text);
    const { parseYaml } = await import('./parseYaml.ts');
    return parseYaml(text);
  } catch (error) {
    if (!(error instanceof TextSyntaxError)) throw error;
    const hint = error.near === '' ? undefined : `Near: ${error.near}`;
    throw usageError(`${name}: ${error.message}`, hint);
  }
}

/** Parses a file named .json or .yaml; the content of any other is a string. */
export async function readValue(file: string, stdin: Readable): Promise<Json> {
  const text = await readText(file, stdin);
  return /\.(?:json|ya?ml)$/i.test(file) ? parseDocumentText(text, file) : text;
}

const inputName = (file: string) => (file === '-' ? 'standard input' : file);

async function readText(file: string, stdin: Readable): Promise<string> {
  const bytes = file === '-' ? await readAll(stdin) : readFile(file);
  // PowerShell 5.1 writes UTF-16 with a byte-order mark.
  const encoding = markedEncoding(bytes) ?? 'utf-8';
  try {
    if (encoding === 'utf-8') return decodeUtf8(bytes);
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    const asText = 'Save it as UTF-8 text, then run the same command again.';
    if (/\.xls[xm]$/i.test(file)) throw usageError(`${file} is a workbook`, manyHint);
    throw usageError(`${inputName(file)}: invalid ${encoding.toUpperCase()}`, asText);
  }
}

export function readFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw usageError(`cannot read ${file}: ${readReason(error)}`, undefined, { cause: error });
  }
}
