import { createHash } from 'node:crypto';
import { isSecretField, redacted } from '../../api/secrets.ts';
import { printJson } from '../../json/print.ts';
import { type Edit, pathOf } from '../../records/edit.ts';

/** Enough to see that something is another, too little to find out what it is. */
const markLength = 8;

/** A change that every row goes through, as a journal keeps it: without secrets, and with what a file held. */
export function changeOf(edit: Edit): string {
  const { kind, text, content } = edit;
  const path = pathOf(edit);
  const isSecret = kind !== 'unset' && path.split(/[^\w$]+/).some(isSecretField);
  if (!isSecret && content === undefined) return `--${kind} ${text}`;
  const shown = isSecret ? `${path}=${redacted}` : text;
  return `--${kind} ${shown} (${markOf(content === undefined ? text : printJson(content))})`;
}

const markOf = (text: string) =>
  createHash('sha256').update(text).digest('hex').slice(0, markLength);
