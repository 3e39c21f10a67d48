import { hash } from 'node:crypto';
import { existsSync, rmSync, statSync } from 'node:fs';
import { MarError, orUndefined, usageError } from '../../errors.ts';
import { takeLock } from '../../files/lock.ts';
import { readRegularFile } from '../../files/regularFile.ts';
import { replaceFile } from '../../files/replaceFile.ts';
import { readReason, systemReason } from '../../files/systemReason.ts';
import type { Input } from '../../input.ts';
import { JsonSyntaxError, parseJson } from '../../json/parse.ts';
import { pretty } from '../../json/text.ts';
import { fromPlain, isObject, type JsonObject, printJson, toPlain } from '../../json/value.ts';
import type { Reporter } from '../../output/reporter.ts';
import { newPlanHint, type Plan } from '../../writes/index.ts';

/** A write that was checked and kept in a file, so that somebody else can look at it and send it. */
export interface PlanFile {
  /** ISO 8601. Dates such as +14d mean what they meant then. */
  made: string;
  service: string;
  account: string;
  /** The words after `mar`. */
  command: string;
  /** The file with the rows or the record. */
  source?: string;
  input: Input;
  warnings: Reporter['warnings'];
  /** The write of one record. */
  plan?: Plan;
  /** For a batch: each field to change, or each row with a digest of its request. For `mar api`: the request. */
  lines: readonly JsonObject[];
}

const formatVersion = '1';

/** Writes a file that nobody else may read. Returns its digest. */
export async function writePlan(file: string, { plan, lines, ...facts }: PlanFile) {
  const tree = new Map([['marPlan', formatVersion], ...(fromPlain(facts) as JsonObject)]);
  if (plan) tree.set('plan', planTree(plan));
  else tree.set('lines', [...lines]);
  const digest = digestOf(tree);
  tree.set('digest', digest);
  await replaceFile(file, `${pretty(printJson(tree))}\n`, { sync: true }).catch((error: Error) => {
    throw usageError(`cannot write the plan to ${file}: ${systemReason(error)}`, nothingSent, {
      flag: '--plan',
      value: file,
    });
  });
  return digest;
}

const nothingSent = 'Nothing was sent.';

function planTree({ body, over, guard, ...facts }: Plan): JsonObject {
  const kept = guard && { name: guard.name, shownBy: guard.shownBy, force: guard.force };
  const tree = fromPlain({ ...facts, guard: kept }) as JsonObject;
  if (over) tree.set('over', over.record);
  return tree.set('body', body);
}

/** The age of the version that it replaces is lost, so the version is always read again. */
function planOf(tree: JsonObject): Plan {
  const { guard, ...facts } = toPlain(tree) as Plan;
  const [body, record] = ['body', 'over'].map((name) => tree.get(name) as JsonObject);
  return {
    ...facts,
    body: body ?? new Map(),
    over: record && { record, arrivedMs: 0 },
    guard: guard && { ...guard, maxAgeMs: 0, isExact: true },
  };
}

/** Covers the content, not how it is printed. */
function digestOf(tree: JsonObject): string {
  const content = new Map(tree);
  content.delete('digest');
  return hash('sha256', printJson(content));
}

/** Refuses a file that was changed after the plan was made. */
export function readPlan(file: string) {
  const tree = readTree(file);
  const digest = digestOf(tree);
  if (tree.get('digest') !== digest) {
    throw usageError(`${file} was changed after the plan was made`, newPlanHint, { value: file });
  }
  const [own, lines] = [tree.get('plan'), tree.get('lines')];
  const content: PlanFile = {
    ...(toPlain(tree) as PlanFile),
    plan: isObject(own) ? planOf(own) : undefined,
    lines: Array.isArray(lines) ? lines.filter(isObject) : [],
  };
  return { content, tree, digest };
}

function readTree(file: string): JsonObject {
  const notPlan = (why: string) =>
    usageError(`${file} ${why}`, 'To make a plan, add --plan FILE to a command that writes.', {
      value: file,
    });
  try {
    const tree = parseJson(readRegularFile(file).toString());
    const version = isObject(tree) ? tree.get('marPlan') : undefined;
    if (!isObject(tree) || version === undefined) throw notPlan('is not a plan of mar');
    if (version !== formatVersion) throw notPlan('is a plan of another version of mar');
    return tree;
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw notPlan('is not a plan of mar');
    if (error instanceof MarError) throw error;
    throw usageError(`cannot read ${file}: ${readReason(error)}`, { value: file, cause: error });
  }
}

/** Only an earlier plan, or an empty file, is replaced. */
export function refuseReplacing(file: string): void {
  if (!existsSync(file) || statSync(file).size === 0 || orUndefined(() => readTree(file))) return;
  throw usageError(
    `${file} exists and is not a plan, so --plan does not replace it`,
    'Nothing was sent. Name another file.',
    { flag: '--plan', value: file },
  );
}

/** What happened to a plan, in a file beside it. */
interface Application {
  digest: string;
  at: string;
  account: string;
  isDone?: boolean;
}

const applicationFile = (file: string) => `${file}.applied`;

/** Undefined if this plan has not been applied. The file may be that of an earlier plan. */
export function applicationOf(file: string, digest: string): Application | undefined {
  const found: unknown = orUndefined(() =>
    JSON.parse(readRegularFile(applicationFile(file)).toString()),
  );
  const application = Object(found) as Application;
  return application.digest === digest ? application : undefined;
}

/** Only one process can start to apply a plan. */
export async function startApplying(file: string, application: Application): Promise<void> {
  const place = applicationFile(file);
  if (!applicationOf(file, application.digest)) rmSync(place, { force: true });
  const isFirst = await takeLock(place, JSON.stringify(application)).catch((error: Error) => {
    const hint = 'Nothing was sent. Move the plan to a folder that you can write to.';
    throw usageError(`cannot create ${place}: ${systemReason(error)}`, hint, { cause: error });
  });
  if (!isFirst) throw usageError(`${file} is being applied by another process`, nothingSent);
}

/** After it, a batch is not resumed. */
export const endApplying = (file: string, application: Application) =>
  replaceFile(applicationFile(file), JSON.stringify({ ...application, isDone: true }));

/** Nothing was written, so the plan can be applied later. */
export const cancelApplying = (file: string) => rmSync(applicationFile(file), { force: true });
