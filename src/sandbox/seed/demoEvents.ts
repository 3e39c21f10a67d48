import type { Event, Notification } from '../../api/event.ts';
import type { Offline } from '../../api/preview.ts';
import { applicationUrls, link } from '../newRecords.ts';
import { day, hour, projectOf, signedUrl } from './demoAssets.ts';
import { senderOf, userOf } from './demoUsers.ts';
import {
  assetPlanOf,
  currentState,
  sharedFields,
  type WorkRequestPlan,
  workRequestId,
  workRequestPlans,
} from './demoWorkRequests.ts';

/** An event, with the fields of the notification about it. */
interface NotifiedEvent {
  event: Event;
  from: string;
  to: string;
  title: string;
}

function awaitingMaterialsEvent(plan: WorkRequestPlan, number: number, now: number): NotifiedEvent {
  const [, from = 'u-ines', daysAgo = 0] = plan.steps.at(-1) ?? [];
  const assetPlan = assetPlanOf(plan);
  const project = projectOf(assetPlan.project);
  const id = workRequestId(plan);
  const urls = Object.fromEntries(
    Object.entries(applicationUrls).map(([name, url]) => [name, url.replace(':workRequest', id)]),
  );
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
        ...sharedFields(plan, now),
        project: project._id,
        asset: `a-${plan.asset}`,
        from: 'u-ines',
        recipients: ['u-tom', plan.translator],
        translation: `t-${plan.number}`,
        graphicsTranslation: `tg-${plan.number}`,
      },
      projects: [{ _id: project._id, name: project.name, slug: project.slug }],
      urls,
      notify: { users: [plan.translator], groups: ['g-translators'] },
      assets: [`a-${plan.asset}`],
      processed: true,
      pushed: true,
      digested: false,
      created: now - daysAgo * day + 2 * hour,
    },
  };
}

function filesDownloadedEvent(files: string[], number: number, now: number): NotifiedEvent {
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

function notifiedEvents(now: number): NotifiedEvent[] {
  const waiting = workRequestPlans.filter(
    (plan) => currentState(plan).status === 'awaiting-materials',
  );
  return [
    ...waiting.map((plan, index) => awaitingMaterialsEvent(plan, 4001 + index, now)),
    filesDownloadedEvent(['f-1001-master', 'f-1001-script'], 4003, now),
    filesDownloadedEvent(['f-1009-textless'], 4004, now),
  ];
}

export const events = (now: number): Event[] => notifiedEvents(now).map(({ event }) => event);

export function notifications(now: number): Notification[] {
  return notifiedEvents(now).map(({ event, from, to, title }, index) => {
    const id = `n-${3001 + index}`;
    return {
      _id: id,
      from,
      to,
      event: { ...event, from: senderOf(from).full },
      type: event.type,
      title,
      emailSubject: event.type === 'wam' ? 'Awaiting materials' : 'Files downloaded',
      read: index % 2 === 1,
      viewed: index > 0,
      sent: true,
      added: event.created,
      created: event.created,
      $links: { self: link('Notification', id) },
    };
  });
}

export function offlines(now: number): Offline[] {
  return workRequestPlans
    .filter((plan) =>
      ['in-progress', 'awaiting-approval', 'complete'].includes(currentState(plan).status),
    )
    .map((plan, index) => {
      const id = `o-${6001 + index}`;
      return {
        _id: id,
        workRequest: workRequestId(plan),
        from: plan.translator,
        project: assetPlanOf(plan).project,
        asset: `a-${plan.asset}`,
        path: signedUrl(`offlines/${id}.mp4`, now),
        created: now - (2 + index) * day,
        $links: { self: link('Offline', id) },
      };
    });
}
