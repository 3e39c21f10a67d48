import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { orUndefined, usageError } from '../../../core/errors.ts';
import { groupBy } from '../../../core/values/groupBy.ts';
import { plural } from '../../../core/values/numbers.ts';
import {
  addDeliveryFinding,
  type CueMark,
  type EarlierFinding,
  findingRecords,
  type Summary,
} from '../check/summary.ts';
import { localeOf } from '../languages/language.ts';
import { fileNameFacts } from '../languages/languageOfName.ts';
import type { Line } from '../line.ts';
import { comparableText, pairsBetween } from './difference.ts';

export interface EarlierFile {
  cues: readonly CueMark[];
  findings: readonly EarlierFinding[];
  /** The index of the cue of each finding; null if it belongs to none. */
  owners: readonly (number | null)[];
}

/** The files of the earlier delivery, by their labels. */
type Earlier = ReadonlyMap<string, EarlierFile>;

/** Keys of a file: two files with a key in common are the same, the surest first. An empty one does not count. */
const fileKeys: readonly ((name: string) => string)[] = [
  // The end of the path: the two are in different folders or archives.
  ...[5, 4, 3, 2, 1].map((depth) => (name: string) => name.split(/[/\\]/).slice(-depth).join('/')),
  (name) => JSON.stringify([fileNameFacts(name), path.extname(name)]),
  (name) => JSON.stringify(fileNameFacts(name)),
  (name) => localeOf(fileNameFacts(name).language)?.language ?? '',
];

/** Says of each file and finding what became of it. Returns the earlier files that are not there again. */
export function compareDeliveries(earlier: Earlier, files: readonly Summary[]): Earlier {
  const left = new Map(earlier);
  const areOnly = files.length === 1 && earlier.size === 1;
  for (const keyOf of areOnly ? [() => 'only'] : fileKeys) {
    const old = groupBy(left.keys(), keyOf);
    const unpaired = files.filter((file) => !file.earlier);
    for (const [key, [file, ...more]] of groupBy(unpaired, ({ label }) => keyOf(label))) {
      const [against, ...others] = old.get(key) ?? [];
      if (!key || !file || against === undefined || more.length + others.length > 0) continue;
      left.delete(against);
      compareFile(file, against, earlier.get(against) as EarlierFile);
    }
  }
  for (const file of files.filter((one) => !one.earlier)) {
    compareFile(file, null, { cues: [], findings: [], owners: [] });
  }
  return left;
}

function compareFile(file: Summary, against: string | null, old: EarlierFile): void {
  const { cues, findings, owners } = old;
  const indexes = pairCues(cues, file.marks);
  const found = new Set(indexes.values());
  const lostCues = cues.filter((_, at) => !found.has(at));
  const known = groupBy(findings.keys(), (at) => {
    const { rule, message } = findings[at] as EarlierFinding;
    return `${rule}\n${owners[at] ?? message}`;
  });
  for (const finding of file.findings) {
    const { rule, line, message } = finding;
    const key = `${rule}\n${line ? indexes.get(line.index) : message}`;
    finding.state = known.get(key)?.shift() === undefined ? 'new' : 'remaining';
  }
  const isUnread = cues.length > 0 && file.cues === 0;
  const closed = [...known.values()].flat().map((at) => {
    const owner = owners[at] ?? null;
    const isGone = owner === null ? isUnread : !found.has(owner);
    return { ...(findings[at] as EarlierFinding), state: isGone ? 'gone' : 'fixed' } as const;
  });
  const [first] = lostCues;
  if (first) {
    // It gets no state, because it says nothing about the file itself.
    const count = plural(lostCues.length, 'cue');
    const message = `${count} gone since the earlier delivery, the first at ${first.start.text}`;
    addDeliveryFinding(file, message, 'warning');
  }
  file.earlier = { against, closed, lostCues };
}

/** The index that each cue had. */
function pairCues(old: readonly Line[], now: readonly Line[]): Map<number, number> {
  const indexes = new Map<number, number>();
  const pairs = pairsBetween(old, now);
  const changed = pairs.filter(({ kind }) => kind !== '' && kind !== 're-timed');
  const left = groupBy(
    changed.flatMap(({ before }) => before ?? []),
    comparableText,
  );
  for (const { after } of changed) {
    const known = after && left.get(comparableText(after))?.shift();
    if (known) indexes.set(after.place, known.place);
  }
  const elsewhere = new Set(indexes.values());
  for (const { before, after } of pairs) {
    if (!before || !after || indexes.has(after.place) || elsewhere.has(before.place)) continue;
    indexes.set(after.place, before.place);
  }
  return indexes;
}

/** The data of a file that the page keeps for the next delivery. */
export function earlierFile(file: Summary): EarlierFile {
  // Without the finding about lost cues.
  const kept = file.findings.filter(({ state }) => state || !file.earlier);
  const findings = findingRecords({ ...file, name: file.label, findings: kept });
  return { cues: file.marks, findings, owners: kept.map(({ line }) => line?.index ?? null) };
}

export const diffNote = 'What changed in a file: mar translation diff OLD NEW';

const embedded = /<data hidden value="([\w+/=]*)">/g;
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const maxOutputLength = 100 * 1024 * 1024;

/** The part of a page that `readReport` finds. The texts would make it large. */
export function embeddedData(label: string, file: EarlierFile): string {
  const cues = file.cues.map(({ text: _, ...cue }) => cue);
  const text = JSON.stringify([label, { ...file, cues }]);
  return brotliCompressSync(text, quick).toString('base64');
}

/** Reads the page that `check --report` wrote. */
export function readReport(file: string, text: string): Earlier {
  const found = orUndefined(() =>
    Array.from(text.matchAll(embedded), ([, data = '']) => {
      const bytes = brotliDecompressSync(Buffer.from(data, 'base64'), { maxOutputLength });
      return JSON.parse(bytes.toString());
    }),
  );
  if (found?.[0]?.[1]?.owners) return new Map(found);
  throw usageError(
    `${file} is no page that translation check --report wrote, or an earlier version of mar wrote it`,
    'Use the earlier delivery itself.',
    { flag: '--against', value: file },
  );
}
