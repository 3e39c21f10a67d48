import type { Event } from '../../api/event.ts';
import type { Notification } from '../../api/notification.ts';
import type { Offline } from '../../api/offline.ts';
import { link } from '../links.ts';
import { pages } from '../workRequests.ts';
import { signedUrl } from './previews.ts';
import { projectOf } from './studios.ts';
import { day, hour } from './time.ts';
import { senderOf, userOf } from './users.ts';
import { type WorkRequestPlan, workRequestPlans } from './workRequestPlans.ts';
import { assetPlanOf, coreOf, stateOf, workRequestId } from './workRequests.ts';

interface Happening {
  event: Event;
  /** Who caused it, and who is told. */
  from: string;
  to: string;
  title: string;
}

const waiting = workRequestPlans.filter((plan) => stateOf(plan).status === 'awaiting-materials');

/** A work request marked as awaiting materials. */
function materialsEvent(plan: WorkRequestPlan, number: number, now: number): Happening {
  const [, from = 'u-ines', daysAgo = 0] = plan.steps.at(-1) ?? [];
  const assetPlan = assetPlanOf(plan);
  const project = projectOf(assetPlan.project);
  const id = workRequestId(plan);
  const fillIn = (url: string) => url.replace(':workRequest', id);
  return {
    from,
    to: plan.translator,
    title: `${userOf(from).name} marked work request ${id} (${assetPlan.name}) as awaiting materials`,
    event: {
      _id: `e-${number}`,
      from: senderOf(from).short,
      type: 'wam',
      files: [],
      workRequest: {
        _id: id,
        ...coreOf(plan, now),
        project: project._id,
        asset: `a-${plan.asset}`,
        from: 'u-ines',
        recipients: ['u-tom', plan.translator],
        translation: `t-${plan.number}`,
        graphicsTranslation: `tg-${plan.number}`,
      },
      projects: [{ _id: project._id, name: project.name, slug: project.slug }],
      urls: {
        view: fillIn(pages.view),
        manage: fillIn(pages.manage),
        invite: fillIn(pages.invite),
        translate: fillIn(pages.translate),
      },
      notify: { users: [plan.translator], groups: ['g-translators'] },
      assets: [`a-${plan.asset}`],
      processed: true,
      pushed: true,
      digested: false,
      created: now - daysAgo * day + 2 * hour,
    },
  };
}

/** Files that were downloaded. */
function filesEvent(files: string[], number: number, now: number): Happening {
  return {
    from: 'u-marc',
    to: 'u-ines',
    title: `Marc Dubois downloaded ${files.length} files`,
    event: {
      _id: `e-${number}`,
      from: senderOf('u-marc').short,
      type: 'fd',
      files,
      processed: true,
      pushed: false,
      digested: number % 2 === 0,
      created: now - (number - 4000) * day,
    },
  };
}

function happenings(now: number): Happening[] {
  return [
    ...waiting.map((plan, at) => materialsEvent(plan, 4001 + at, now)),
    filesEvent(['f-1001-master', 'f-1001-script'], 4003, now),
    filesEvent(['f-1009-textless'], 4004, now),
  ];
}

export const events = (now: number): Event[] => happenings(now).map(({ event }) => event);

export function notifications(now: number): Notification[] {
  return happenings(now).map(({ event, from, to, title }, at) => {
    const id = `n-${3001 + at}`;
    return {
      _id: id,
      from,
      to,
      event: { ...event, from: senderOf(from).full },
      type: event.type,
      title,
      emailSubject: event.type === 'wam' ? 'Awaiting materials' : 'Files downloaded',
      read: at % 2 === 1,
      viewed: at > 0,
      sent: true,
      added: event.created,
      created: event.created,
      $links: { self: link('Notification', id) },
    };
  });
}

/** Cuts with burnt-in subtitles, for approval. */
export function offlines(now: number): Offline[] {
  return workRequestPlans
    .filter((plan) =>
      ['in-progress', 'awaiting-approval', 'complete'].includes(stateOf(plan).status),
    )
    .map((plan, at) => {
      const id = `o-${6001 + at}`;
      return {
        _id: id,
        workRequest: workRequestId(plan),
        from: plan.translator,
        project: assetPlanOf(plan).project,
        asset: `a-${plan.asset}`,
        path: signedUrl(`offlines/${id}.mp4`, now),
        created: now - (2 + at) * day,
        $links: { self: link('Offline', id) },
      };
    });
}
