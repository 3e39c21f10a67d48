import type { Offline } from '../../api/preview.ts';
import type { WorkRequest } from '../../api/workRequest.ts';
import { toPlain } from '../../json/value.ts';
import { applicationUrls, embedAsset, link, summarizeUser } from '../newRecords.ts';
import {
  assetPlans,
  byId,
  day,
  hour,
  projects,
  signedUrl,
  thumbnailOf,
  toAsset,
  toJsonObject,
  withLinks,
} from './demoAssets.ts';
import { type Part, scripts, translationLines } from './demoScripts.ts';
import { users } from './demoUsers.ts';

type Step = readonly [status: string, user: string, daysAgo: number, reason: string];

interface Outline {
  asset: string;
  territory: keyof typeof territories;
  /** Negative if overdue. */
  dueInDays: number;
  requestedDaysAgo: number;
  /** Names of the materials that have not been delivered. */
  missing?: readonly string[];
  automatic?: boolean;
  instructions: string;
  /** Changes of the status after the request. */
  steps?: readonly Step[];
}

const territories = {
  FRA: { language: 'fra', timeZone: 'Europe/Paris', translator: 'u-marc' },
  DEU: { language: 'deu', timeZone: 'Europe/Berlin', translator: 'u-greta' },
  JPN: { language: 'jpn', timeZone: 'Asia/Tokyo', translator: 'u-haruka' },
  ESP: { language: 'spa', timeZone: 'Europe/Madrid', translator: 'u-lucia' },
  ARE: { language: 'ara', timeZone: 'Asia/Dubai', translator: 'u-omar' },
  ISR: { language: 'heb', timeZone: 'Asia/Jerusalem', translator: 'u-noa' },
  BRA: { language: 'por', timeZone: 'America/Sao_Paulo', translator: 'u-lucia' },
  MEX: { language: 'spa', timeZone: 'America/Mexico_City', translator: 'u-lucia' },
} as const;

const houseStyle =
  'Two lines at most, 42 characters a line.\nItalics for radio and voices off screen.';

// biome-ignore format: a table reads best as one.
const outlines: readonly Outline[] = [
  {
    asset: 'a-1001', territory: 'FRA', dueInDays: 4, requestedDaysAgo: 18,
    instructions: `${houseStyle}\nKeep “Aurelia” untranslated; the ship is feminine in French.`,
    steps: [
      ['awaiting-materials', 'u-ines', 17, 'M&E is still in the mix'],
      ['in-progress', 'u-marc', 9, ''],
    ],
  },
  {
    asset: 'a-1001', territory: 'DEU', dueInDays: 6, requestedDaysAgo: 16, missing: ['textless'],
    instructions: `${houseStyle}\nFSK card 12 goes first.`,
    steps: [['awaiting-materials', 'u-tom', 15, 'Textless master has a dropout at reel end']],
  },
  {
    asset: 'a-1001', territory: 'JPN', dueInDays: -20, requestedDaysAgo: 60,
    instructions: '13 full-width characters a line, two lines.\nNo full stops at line ends.',
    steps: [
      ['in-progress', 'u-haruka', 55, ''],
      ['awaiting-approval', 'u-haruka', 31, ''],
      ['complete', 'u-ines', 22, 'Approved by the territory'],
    ],
  },
  {
    asset: 'a-1002', territory: 'ESP', dueInDays: 2, requestedDaysAgo: 25,
    instructions: `${houseStyle}\nCastilian, not neutral Spanish.`,
    steps: [
      ['in-progress', 'u-lucia', 20, ''],
      ['awaiting-approval', 'u-lucia', 3, 'Offline uploaded, please look at line 8'],
    ],
  },
  {
    asset: 'a-1001', territory: 'ARE', dueInDays: 11, requestedDaysAgo: 5, missing: ['m-and-e'],
    instructions: `${houseStyle}\nPunctuation on the left; check the numerals on the card.`,
  },
  {
    asset: 'a-1001', territory: 'ISR', dueInDays: 8, requestedDaysAgo: 14,
    instructions: houseStyle,
    steps: [['in-progress', 'u-noa', 10, '']],
  },
  {
    asset: 'a-1009', territory: 'BRA', dueInDays: 3, requestedDaysAgo: 19,
    instructions: 'Brazilian Portuguese.\nNames stay in Hepburn: Yuki, not Iúqui.',
    steps: [
      ['in-progress', 'u-lucia', 12, ''],
      ['awaiting-approval', 'u-lucia', 4, ''],
      ['rejected', 'u-haruka', 2, 'Line 4: the fox speaks formally to the girl'],
    ],
  },
  {
    asset: 'a-1009', territory: 'FRA', dueInDays: 9, requestedDaysAgo: 8,
    missing: ['script', 'textless'],
    instructions: `${houseStyle}\nThe song is not subtitled.`,
    steps: [['awaiting-materials', 'u-haruka', 7, 'Waiting for the dialogue list with romaji']],
  },
  {
    asset: 'a-1006', territory: 'MEX', dueInDays: 1, requestedDaysAgo: 6,
    instructions: `${houseStyle}\nNeutral Latin American Spanish.`,
  },
  {
    asset: 'a-1011', territory: 'DEU', dueInDays: 30, requestedDaysAgo: 1, automatic: true,
    missing: ['master', 'script'], instructions: '',
  },
  {
    asset: 'a-1002', territory: 'FRA', dueInDays: -5, requestedDaysAgo: 33,
    instructions: `${houseStyle}\nSame glossary as Trailer A.`,
    steps: [
      ['in-progress', 'u-marc', 28, ''],
      ['awaiting-approval', 'u-marc', 7, 'The territory has not replied yet'],
    ],
  },
  {
    asset: 'a-1010', territory: 'DEU', dueInDays: 0.25, requestedDaysAgo: 12,
    instructions: houseStyle,
    steps: [['in-progress', 'u-greta', 3, '']],
  },
  {
    asset: 'a-1006', territory: 'BRA', dueInDays: -1.5, requestedDaysAgo: 21,
    missing: ['master', 'm-and-e'],
    instructions: 'Brazilian Portuguese.\nThe menu on the wall is a graphic: translate it.',
    steps: [
      ['in-progress', 'u-lucia', 15, ''],
      ['awaiting-materials', 'u-tom', 6, 'Blocked: the master is embargoed until the premiere'],
    ],
  },
];

export const plans = outlines.map(
  ({ missing = [], automatic = false, steps = [], ...outline }, index) => {
    const number = 2001 + index;
    const asset = byId(assetPlans, outline.asset);
    const project = byId(projects, asset.project);
    const requested: Step = ['incomplete', 'u-ines', outline.requestedDaysAgo, ''];
    const last = steps.at(-1) ?? requested;
    const history = [requested, ...steps];
    const derived = { _id: `wr-${number}`, number, asset, project, history, last };
    return { ...outline, ...territories[outline.territory], missing, automatic, ...derived };
  },
);

export type Plan = (typeof plans)[number];

const statuses =
  'incomplete, awaiting-materials, in-progress, awaiting-approval, rejected, complete'.split(', ');

const deliveries =
  'Broadcast, Dcp, Streamingfile, Online, Theatrical, Cmyk, Rgb, 2D Scope, 2D Flat, 2D Combo, 3D Flat, 3D Scope, 3D Combo';
const noRecipients = Object.fromEntries(deliveries.split(', ').map((name) => [name, []]));

/** The fields of a work request that an event repeats unchanged. */
export function sharedFields(plan: Plan, now: number) {
  const { asset, language, territory, timeZone, automatic, missing, instructions } = plan;
  const [status, , , reason] = plan.last;
  const due = now + plan.dueInDays * day;
  return {
    studio: asset.studio,
    assetType: asset.type,
    assetCategory: 'av',
    auto: automatic,
    autosubs: automatic,
    dualLanguages: false,
    autoMode: automatic,
    aspectRatio: asset.aspectRatio,
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
    status,
    reason,
    shippingAddresses: [],
    estimate: { base: '1850.00 USD', applied: '1665.00 USD' },
    tags: [territory.toLowerCase()],
    rejections: [],
    encodes: [],
    offlines: [],
    graphicsAutomationJobs: [],
    files: [{ name: 'deliverables', files: [] }],
    materials: ['master', 'textless', 'script', 'm-and-e'].map((name) => {
      const complete = !missing.includes(name);
      const files = complete ? [`f-${asset.number}-${name}`] : [];
      return { name, complete, approved: complete, files };
    }),
    created: now - plan.requestedDaysAgo * day,
    $statuses: statuses,
    audioFile: automatic ? null : `f-${asset.number}-m-and-e`,
  };
}

export const workRequests = (now: number): WorkRequest[] =>
  plans.map((plan) => {
    const { _id, project, translator } = plan;
    const { reason, created, $statuses, audioFile, ...shared } = sharedFields(plan, now);
    const fields = {
      _id,
      ...shared,
      project,
      asset: embeddedAssetOf(plan, now),
      from: summaryOf('u-ines'),
      history: plan.history.map(([status, user, daysAgo, why]) => ({
        date: now - daysAgo * day + hour,
        user: summaryOf(user),
        status,
        reason: why,
      })),
      recipients: {
        ...noRecipients,
        Broadcast: [translator],
        Online: ['u-tom', translator],
        '2D Scope': ['u-tom'],
      },
      translation: translationOf(plan, 'dialogue', created),
      graphicsTranslation: translationOf(plan, 'graphics', created),
      urls: applicationUrls,
      reason,
      created,
    };
    return { ...withLinks('WorkRequest', fields), $statuses, audioFile };
  });

function translationOf(plan: Plan, part: Part, created: number) {
  const { asset, language, history, last } = plan;
  const id = `${part === 'dialogue' ? 't' : 'tg'}-${plan.number}`;
  const script = scripts[asset.project]?.[part];
  return {
    _id: id,
    asset: asset._id,
    workRequest: plan._id,
    language,
    status: history.some(([status]) => status === 'in-progress') ? 'submitted' : 'incomplete',
    translator: summaryOf(plan.translator),
    lines: script ? translationLines(script, language) : [],
    printLines: [],
    approval: last[0] === 'complete',
    created,
    $links: { self: link('Translation', id) },
  };
}

function embeddedAssetOf({ asset }: Plan, now: number): WorkRequest['asset'] {
  const thumbnail = toJsonObject(thumbnailOf(asset, now));
  return toPlain(embedAsset(toJsonObject(toAsset(asset, now)), thumbnail)) as WorkRequest['asset'];
}

const summaryOf = (userId: string): WorkRequest['from'] =>
  toPlain(summarizeUser(toJsonObject(byId(users, userId)))) as WorkRequest['from'];

export const offlines = (now: number): Offline[] =>
  plans
    .filter(({ last: [status] }) =>
      ['in-progress', 'awaiting-approval', 'complete'].includes(status),
    )
    .map(({ _id: workRequest, translator, asset }, index) => {
      const id = `o-${6001 + index}`;
      return withLinks('Offline', {
        _id: id,
        workRequest,
        from: translator,
        project: asset.project,
        asset: asset._id,
        path: signedUrl(`offlines/${id}.mp4`, now),
        created: now - (2 + index) * day,
      });
    });
