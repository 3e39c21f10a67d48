import type { WorkRequest } from '../../api/workRequest.ts';
import { fromPlain, type JsonObject, toPlain } from '../../json/value.ts';
import { embedAsset, summarizeUser } from '../embed.ts';
import { link } from '../links.ts';
import { pages } from '../workRequests.ts';
import { type AssetPlan, assetPlans } from './assetPlans.ts';
import { toAsset } from './assets.ts';
import { thumbnailOf } from './files.ts';
import { linesIn, type ScriptLine } from './script.ts';
import { projectOf } from './studios.ts';
import { day, hour } from './time.ts';
import { userOf } from './users.ts';
import type { WorkRequestPlan } from './workRequestPlans.ts';

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

/** Where a work request stands now: its last step. */
export function stateOf({ steps }: WorkRequestPlan): { status: string; reason: string } {
  const [status = 'incomplete', , , reason = ''] = steps.at(-1) ?? [];
  return { status, reason };
}

/** What is the same wherever the work request stands: on its own, or inside an event. */
export function coreOf(plan: WorkRequestPlan, now: number) {
  const { language, territory, timeZone, dueIn, automatic = false, instructions, missing } = plan;
  const assetPlan = assetPlanOf(plan);
  const due = now + dueIn * day;
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
    ...stateOf(plan),
    shippingAddresses: [],
    estimate: { base: '1850.00 USD', applied: '1665.00 USD' },
    tags: [territory.toLowerCase()],
    rejections: [],
    encodes: [],
    offlines: [],
    graphicsAutomationJobs: [],
    files: [{ name: 'deliverables', files: [] }],
    materials: materialsOf(plan, missing),
    created: now - (plan.steps[0]?.[2] ?? 0) * day,
    $statuses: statuses,
    audioFile: automatic ? null : `f-${plan.asset}-m-and-e`,
  };
}

export function toWorkRequest(plan: WorkRequestPlan, now: number): WorkRequest {
  const id = workRequestId(plan);
  const assetPlan = assetPlanOf(plan);
  const { reason, created, $statuses, audioFile, ...core } = coreOf(plan, now);
  return {
    _id: id,
    ...core,
    project: projectOf(assetPlan.project),
    asset: embeddedAssetOf(assetPlan, now),
    from: summaryOf('u-ines'),
    history: plan.steps.map(([status, user, daysAgo, why]) => ({
      date: now - daysAgo * day + hour,
      user: summaryOf(user),
      status,
      reason: why,
    })),
    recipients: recipientsOf(plan),
    translation: translationOf(plan, 't', plan.script.dialogue, now),
    graphicsTranslation: translationOf(plan, 'tg', plan.script.graphics, now),
    urls: pages,
    reason,
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
    lines: linesIn(language, script, automatic),
    printLines: [],
    approval: stateOf(plan).status === 'complete',
    created: now - (plan.steps[0]?.[2] ?? 0) * day,
    $links: { self: link('Translation', id) },
  };
}

function materialsOf({ asset }: WorkRequestPlan, missing: readonly string[]) {
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

// The demo data embeds records by the same code that the service uses on new ones.

function embeddedAssetOf(plan: AssetPlan, now: number): WorkRequest['asset'] {
  const [asset, thumbnail] = [toAsset(plan, now), thumbnailOf(plan, now)].map(toJsonObject);
  if (asset === undefined) throw new Error('there is always an asset');
  return toPlain(embedAsset(asset, thumbnail)) as WorkRequest['asset'];
}

const summaryOf = (userId: string): WorkRequest['from'] =>
  toPlain(summarizeUser(toJsonObject(userOf(userId)))) as WorkRequest['from'];

const toJsonObject = (record: object): JsonObject => fromPlain(record) as JsonObject;
