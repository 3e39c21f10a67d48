import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { systemCode, usageError } from '../errors.ts';
import { decodeUtf8 } from '../files/utf8.ts';
import { JsonSyntaxError, parseJson } from '../json/parse.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';
import { readAll } from '../terminal/streams.ts';

/** Reads one record from a JSON or YAML file, or from standard input (`-`). */
export async function readRecord(file: string, stdin: Readable): Promise<JsonObject> {
  const record = await readDocument(file, stdin);
  if (!isObject(record)) {
    const hint = record === null ? 'there is nothing in it but null or comments' : undefined;
    throw usageError(`${nameOf(file)}: expected one record, an object with fields`, hint);
  }
  return record;
}

/** Reads a JSON or YAML file with any content: a record, a list, a single value. */
export async function readDocument(file: string, stdin: Readable): Promise<Json> {
  return parseDocumentText(await readText(file, stdin), file);
}

/** The file name decides between JSON and YAML. */
export async function parseDocumentText(text: string, file: string): Promise<Json> {
  const name = nameOf(file);
  if (text.trim() === '') throw usageError(`${name} is empty`, 'expected one JSON or YAML record');
  return looksLikeJson(text, file) ? readJson(text, name) : await readYaml(text, name);
}

/** Parses a file named .json or .yaml; the content of any other is a string. */
export async function readValue(file: string, stdin: Readable): Promise<Json> {
  const text = await readText(file, stdin);
  return /\.(?:json|ya?ml)$/i.test(file) ? parseDocumentText(text, file) : text;
}

async function readText(file: string, stdin: Readable): Promise<string> {
  return decode(await readBytes(file, stdin), nameOf(file));
}

const nameOf = (file: string) => (file === '-' ? 'standard input' : file);

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
};

async function readBytes(file: string, stdin: Readable): Promise<Buffer> {
  if (file === '-') return readAll(stdin);
  try {
    return readFileSync(file);
  } catch (error) {
    const reason = reasons[systemCode(error) ?? ''] ?? (error as Error).message;
    throw usageError(`cannot read ${file}: ${reason}`);
  }
}

function decode(bytes: Buffer, name: string): string {
  try {
    return decodeUtf8(bytes);
  } catch {
    throw usageError(`${name} is not UTF-8 text`, 'save it as UTF-8 and try again');
  }
}

/** Decides by the file name, else by the first character. */
function looksLikeJson(text: string, file: string): boolean {
  if (/\.ya?ml$/i.test(file)) return false;
  return /\.json$/i.test(file) || /^\s*[{[]/.test(text);
}

function readJson(text: string, name: string): Json {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw usageError(
      `${name}: ${error.message}`,
      error.near === '' ? undefined : `near: ${error.near}`,
    );
  }
}

async function readYaml(text: string, name: string): Promise<Json> {
  const { parseYaml, YamlSyntaxError } = await import('./parseYaml.ts');
  try {
    return parseYaml(text);
  } catch (error) {
    if (!(error instanceof YamlSyntaxError)) throw error;
    throw usageError(
      `${name}: ${error.message}`,
      error.near === '' ? undefined : `near: ${error.near}`,
    );
  }
}
