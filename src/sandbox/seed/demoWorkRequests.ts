import type { WorkRequest } from '../../api/workRequest.ts';
import { fromPlain, type JsonObject, toPlain } from '../../json/value.ts';
import { applicationUrls, embedAsset, link, summarizeUser } from '../newRecords.ts';
import { type AssetPlan, assetPlans, day, hour, projectOf, toAsset } from './demoAssets.ts';
import { thumbnailOf } from './demoFiles.ts';
import {
  cafeScript,
  emptyScript,
  foxScript,
  harborScript,
  type Language,
  type Script,
  type ScriptLine,
  translationLines,
} from './demoScripts.ts';
import { userOf } from './demoUsers.ts';

type Step = readonly [status: string, user: string, daysAgo: number, reason: string];

/** The fields that differ from one demo work request to the next. */
export interface WorkRequestPlan {
  number: number;
  asset: number;
  language: Language;
  territory: string;
  timeZone: string;
  /** Negative if overdue. */
  dueInDays: number;
  translator: string;
  script: Script;
  translationStatus: 'incomplete' | 'submitted';
  automatic?: boolean;
  /** Names of the materials that have not been delivered. */
  missing: readonly string[];
  instructions: string;
  steps: readonly Step[];
}

const requested = (daysAgo: number): Step => ['incomplete', 'u-ines', daysAgo, ''];

const houseStyle =
  'Two lines at most, 42 characters a line.\nItalics for radio and voices off screen.';

// biome-ignore format: a table reads best as one.
export const workRequestPlans: readonly WorkRequestPlan[] = [
  {
    number: 2001, asset: 1001, script: harborScript, dueInDays: 4,
    language: 'fra', territory: 'FRA', timeZone: 'Europe/Paris',
    translator: 'u-marc', translationStatus: 'submitted', missing: [],
    instructions: `${houseStyle}\nKeep “Aurelia” untranslated; the ship is feminine in French.`,
    steps: [
      requested(18),
      ['awaiting-materials', 'u-ines', 17, 'M&E is still in the mix'],
      ['in-progress', 'u-marc', 9, ''],
    ],
  },
  {
    number: 2002, asset: 1001, script: harborScript, dueInDays: 6,
    language: 'deu', territory: 'DEU', timeZone: 'Europe/Berlin',
    translator: 'u-greta', translationStatus: 'incomplete', missing: ['textless'],
    instructions: `${houseStyle}\nFSK card 12 goes first.`,
    steps: [
      requested(16),
      ['awaiting-materials', 'u-tom', 15, 'Textless master has a dropout at reel end'],
    ],
  },
  {
    number: 2003, asset: 1001, script: harborScript, dueInDays: -20,
    language: 'jpn', territory: 'JPN', timeZone: 'Asia/Tokyo',
    translator: 'u-haruka', translationStatus: 'submitted', missing: [],
    instructions: '13 full-width characters a line, two lines.\nNo full stops at line ends.',
    steps: [
      requested(60),
      ['in-progress', 'u-haruka', 55, ''],
      ['awaiting-approval', 'u-haruka', 31, ''],
      ['complete', 'u-ines', 22, 'Approved by the territory'],
    ],
  },
  {
    number: 2004, asset: 1002, script: harborScript, dueInDays: 2,
    language: 'spa', territory: 'ESP', timeZone: 'Europe/Madrid',
    translator: 'u-lucia', translationStatus: 'submitted', missing: [],
    instructions: `${houseStyle}\nCastilian, not neutral Spanish.`,
    steps: [
      requested(25),
      ['in-progress', 'u-lucia', 20, ''],
      ['awaiting-approval', 'u-lucia', 3, 'Offline uploaded, please look at line 8'],
    ],
  },
  {
    number: 2005, asset: 1001, script: harborScript, dueInDays: 11,
    language: 'ara', territory: 'ARE', timeZone: 'Asia/Dubai',
    translator: 'u-omar', translationStatus: 'incomplete', missing: ['m-and-e'],
    instructions: `${houseStyle}\nPunctuation on the left; check the numerals on the card.`,
    steps: [requested(5)],
  },
  {
    number: 2006, asset: 1001, script: harborScript, dueInDays: 8,
    language: 'heb', territory: 'ISR', timeZone: 'Asia/Jerusalem',
    translator: 'u-noa', translationStatus: 'submitted', missing: [],
    instructions: houseStyle,
    steps: [requested(14), ['in-progress', 'u-noa', 10, '']],
  },
  {
    number: 2007, asset: 1009, script: foxScript, dueInDays: 3,
    language: 'por', territory: 'BRA', timeZone: 'America/Sao_Paulo',
    translator: 'u-lucia', translationStatus: 'submitted', missing: [],
    instructions: 'Brazilian Portuguese.\nNames stay in Hepburn: Yuki, not Iúqui.',
    steps: [
      requested(19),
      ['in-progress', 'u-lucia', 12, ''],
      ['awaiting-approval', 'u-lucia', 4, ''],
      ['rejected', 'u-haruka', 2, 'Line 4: the fox speaks formally to the girl'],
    ],
  },
  {
    number: 2008, asset: 1009, script: foxScript, dueInDays: 9,
    language: 'fra', territory: 'FRA', timeZone: 'Europe/Paris',
    translator: 'u-marc', translationStatus: 'incomplete', missing: ['script', 'textless'],
    instructions: `${houseStyle}\nThe song is not subtitled.`,
    steps: [
      requested(8),
      ['awaiting-materials', 'u-haruka', 7, 'Waiting for the dialogue list with romaji'],
    ],
  },
  {
    number: 2009, asset: 1006, script: cafeScript, dueInDays: 1,
    language: 'spa', territory: 'MEX', timeZone: 'America/Mexico_City',
    translator: 'u-lucia', translationStatus: 'incomplete', missing: [],
    instructions: `${houseStyle}\nNeutral Latin American Spanish.`,
    steps: [requested(6)],
  },
  {
    number: 2010, asset: 1011, script: emptyScript, dueInDays: 30,
    language: 'deu', territory: 'DEU', timeZone: 'Europe/Berlin',
    translator: 'u-greta', translationStatus: 'incomplete', automatic: true, missing: ['master', 'script'],
    instructions: '',
    steps: [requested(1)],
  },
];

const statuses = [
  'incomplete',
  'awaiting-materials',
  'in-progress',
  'awaiting-approval',
  'rejected',
  'complete',
];

export const workRequestId = ({ number }: WorkRequestPlan): string => `wr-${number}`;

export function assetPlanOf({ asset }: WorkRequestPlan): AssetPlan {
  const plan = assetPlans.find(({ number }) => number === asset);
  if (plan === undefined) throw new Error(`the demo data has no asset ${asset}`);
  return plan;
}

export function currentState({ steps }: WorkRequestPlan): { status: string; reason: string } {
  const [status = 'incomplete', , , reason = ''] = steps.at(-1) ?? [];
  return { status, reason };
}

/** The fields of a work request that an event repeats unchanged. */
export function sharedFields(plan: WorkRequestPlan, now: number) {
  const { language, territory, timeZone, dueInDays, automatic = false, instructions } = plan;
  const assetPlan = assetPlanOf(plan);
  const due = now + dueInDays * day;
  return {
    studio: projectOf(assetPlan.project).studio,
    assetType: assetPlan.type,
    assetCategory: 'av',
    auto: automatic,
    autosubs: automatic,
    dualLanguages: false,
    autoMode: automatic,
    aspectRatio: assetPlan.aspectRatio,
    due: { date: due, tz: timeZone },
    deliveryDeadline: { date: due + 2 * day, tz: timeZone },
    language,
    territory,
    dng: { dialogue: ['subtitled'], graphics: ['localized'], narration: [] },
    uses: {
      items: ['online', 'broadcast'],
      details: {
        online: [{ value: 'ProRes 422 HQ', ship: false }],
        broadcast: [
          { value: 'XDCAM HD 50', ship: false },
          { value: 'HDCAM SR', ship: true },
        ],
      },
    },
    dcp: { items: ['2D Scope'], details: [] },
    instructions,
    ...currentState(plan),
    shippingAddresses: [],
    estimate: { base: '1850.00 USD', applied: '1665.00 USD' },
    tags: [territory.toLowerCase()],
    rejections: [],
    encodes: [],
    offlines: [],
    graphicsAutomationJobs: [],
    files: [{ name: 'deliverables', files: [] }],
    materials: materialsOf(plan),
    created: now - (plan.steps[0]?.[2] ?? 0) * day,
    $statuses: statuses,
    audioFile: automatic ? null : `f-${plan.asset}-m-and-e`,
  };
}

export function toWorkRequest(plan: WorkRequestPlan, now: number): WorkRequest {
  const id = workRequestId(plan);
  const assetPlan = assetPlanOf(plan);
  const { reason: lastReason, created, $statuses, audioFile, ...shared } = sharedFields(plan, now);
  return {
    _id: id,
    ...shared,
    project: projectOf(assetPlan.project),
    asset: embeddedAssetOf(assetPlan, now),
    from: summaryOf('u-ines'),
    history: plan.steps.map(([status, user, daysAgo, reason]) => ({
      date: now - daysAgo * day + hour,
      user: summaryOf(user),
      status,
      reason,
    })),
    recipients: recipientsOf(plan),
    translation: translationOf(plan, 't', plan.script.dialogue, now),
    graphicsTranslation: translationOf(plan, 'tg', plan.script.graphics, now),
    urls: applicationUrls,
    reason: lastReason,
    created,
    $links: {
      self: link('WorkRequest', id),
      project: link('Project', assetPlan.project),
      asset: link('Asset', `a-${plan.asset}`),
      from: link('User', 'u-ines'),
      graphicsTranslation: link('Translation', `tg-${plan.number}`),
      translation: link('Translation', `t-${plan.number}`),
    },
    $statuses,
    audioFile,
  };
}

function translationOf(
  plan: WorkRequestPlan,
  prefix: 't' | 'tg',
  script: readonly ScriptLine[],
  now: number,
): WorkRequest['translation'] {
  const { number, language, translator, translationStatus, automatic = false } = plan;
  const id = `${prefix}-${number}`;
  return {
    _id: id,
    asset: `a-${plan.asset}`,
    workRequest: workRequestId(plan),
    language,
    status: translationStatus,
    translator: summaryOf(translator),
    lines: translationLines(language, script, automatic),
    printLines: [],
    approval: currentState(plan).status === 'complete',
    created: now - (plan.steps[0]?.[2] ?? 0) * day,
    $links: { self: link('Translation', id) },
  };
}

function materialsOf({ asset, missing }: WorkRequestPlan) {
  return ['master', 'textless', 'script', 'm-and-e'].map((name) => {
    const complete = !missing.includes(name);
    return { name, complete, approved: complete, files: complete ? [`f-${asset}-${name}`] : [] };
  });
}

function recipientsOf({ translator }: WorkRequestPlan): WorkRequest['recipients'] {
  return {
    Broadcast: [translator],
    Dcp: [],
    Streamingfile: [],
    Online: ['u-tom', translator],
    Theatrical: [],
    Cmyk: [],
    Rgb: [],
    '2D Scope': ['u-tom'],
    '2D Flat': [],
    '2D Combo': [],
    '3D Flat': [],
    '3D Scope': [],
    '3D Combo': [],
  };
}

function embeddedAssetOf(plan: AssetPlan, now: number): WorkRequest['asset'] {
  const thumbnail = toJsonObject(thumbnailOf(plan, now));
  return toPlain(embedAsset(toJsonObject(toAsset(plan, now)), thumbnail)) as WorkRequest['asset'];
}

const summaryOf = (userId: string): WorkRequest['from'] =>
  toPlain(summarizeUser(toJsonObject(userOf(userId)))) as WorkRequest['from'];

export const toJsonObject = (record: object): JsonObject => fromPlain(record) as JsonObject;
