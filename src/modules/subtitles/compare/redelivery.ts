import path from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import { orUndefined, usageError } from '../../../core/errors.ts';
import { groupBy } from '../../../core/values/groupBy.ts';
import { plural } from '../../../core/values/numbers.ts';
import { addDeliveryFinding, type EarlierFinding, type Summary } from '../check/summary.ts';
import { localeOf } from '../languages/language.ts';
import { fileNameFacts } from '../languages/languageOfName.ts';

interface EarlierFile {
  cues: number;
  findings: readonly EarlierFinding[];
}

/** The files of the earlier delivery, by their names. */
type Earlier = Map<string, EarlierFile>;

/** Keys of a file: two files with a key in common are the same, the surest first. */
const fileKeys: readonly ((name: string) => string | undefined)[] = [
  // The end of the path: the two are in different folders or archives.
  ...[5, 4, 3, 2, 1].map((depth) => (name: string) => name.split(/[/\\]/).slice(-depth).join('/')),
  (name) => JSON.stringify([fileNameFacts(name), path.extname(name)]),
  (name) => JSON.stringify(fileNameFacts(name)),
  (name) => localeOf(fileNameFacts(name).language)?.language,
];

/** Keys of a finding: with one in common, it is the same mistake. Its cue may be moved or reworded. */
const mistakeKeys: readonly ((finding: EarlierFinding) => string | undefined)[] = [
  ({ rule, startTime, text, message }) => [rule, startTime ?? message, text].join('\n'),
  ({ rule, text }) => (text === '' ? undefined : `${rule}\n${text}`),
  ({ rule, startTime }) => (startTime === null ? undefined : `${rule}\n${startTime}`),
];

/** Items without a key are left out. */
function groupsBy<Item>(items: Iterable<Item>, keyOf: (item: Item) => string | undefined) {
  const groups = groupBy(items, (item) => keyOf(item) ?? '');
  groups.delete('');
  return groups;
}

/** Says of each file and finding what became of it. Returns the earlier files that are not there again. */
export function compareDeliveries(earlier: Earlier, files: readonly Summary[]): string[] {
  const left = new Set(earlier.keys());
  const areOnly = files.length === 1 && earlier.size === 1;
  for (const keyOf of areOnly ? [() => 'only'] : fileKeys) {
    const old = groupsBy(left, keyOf);
    const unpaired = files.filter((file) => !file.earlier);
    for (const [key, [file, ...more]] of groupsBy(unpaired, ({ name }) => keyOf(name))) {
      const [against, ...others] = old.get(key) ?? [];
      if (!file || against === undefined || more.length + others.length > 0) continue;
      left.delete(against);
      const { cues, findings } = earlier.get(against) as EarlierFile;
      file.earlier = { against, fixed: new Set(findings) };
      // A mistake is also gone if its cue is.
      const lost = cues - file.cues;
      if (lost > 0) addDeliveryFinding(file, `${plural(lost, 'cue')} fewer than before`, 'warning');
    }
  }
  for (const file of files) {
    file.earlier ??= { against: null, fixed: new Set() };
    markFindings(file, file.earlier.fixed);
  }
  return [...left];
}

/** Leaves in `fixed` what is not found again. */
function markFindings({ findings }: Summary, fixed: Set<EarlierFinding>): void {
  for (const keyOf of mistakeKeys) {
    const known = groupsBy(fixed, keyOf);
    for (const finding of findings.filter(({ state }) => state !== 'remaining')) {
      const key = keyOf({ ...finding, startTime: finding.line?.start.text ?? null });
      const before = known.get(key ?? '')?.shift();
      finding.state = before ? 'remaining' : 'new';
      if (before) fixed.delete(before);
    }
  }
}

const embedded = /<data hidden value="([\w+/=]*)">/g;
const maxOutputLength = 100 * 1024 * 1024;

/** The part of a page that `readReport` finds. */
export const embeddedData = (name: string, file: EarlierFile) =>
  deflateSync(JSON.stringify([name, file])).toString('base64');

/** Reads the page that `check --report` wrote. */
export function readReport(file: string, text: string): Earlier {
  const found = orUndefined(() =>
    Array.from(text.matchAll(embedded), ([, data = '']) => {
      const bytes = inflateSync(Buffer.from(data, 'base64'), { maxOutputLength });
      return JSON.parse(bytes.toString());
    }),
  );
  if (found && found.length > 0) return new Map(found);
  const facts = { flag: '--against', value: file };
  throw usageError(`${file} is no page that translation check --report wrote`, undefined, facts);
}
