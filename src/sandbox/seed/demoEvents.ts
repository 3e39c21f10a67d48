import type { Event, Notification } from '../../api/event.ts';
import { applicationUrls } from '../newRecords.ts';
import { byId, day, hour, withLinks } from './demoAssets.ts';
import { users } from './demoUsers.ts';
import { type Plan, plans, sharedFields } from './demoWorkRequests.ts';

export function notifiedEvents(now: number) {
  const waiting = plans.filter(({ last: [status] }) => status === 'awaiting-materials');
  return [
    // 4003 and 4004 follow.
    ...waiting.map((plan, index) =>
      awaitingMaterials(4001 + index + (index > 1 ? 2 : 0), plan, now),
    ),
    filesDownloaded(4003, ['f-1001-master', 'f-1001-script'], now),
    filesDownloaded(4004, ['f-1009-textless'], now),
  ];
}

function awaitingMaterials(number: number, plan: Plan, now: number) {
  const { _id, asset, project, translator, last } = plan;
  const [, from, daysAgo] = last;
  const title = `${byId(users, from).name} marked work request ${_id} (${asset.name}) as awaiting materials`;
  const urls = JSON.stringify(applicationUrls).replaceAll(':workRequest', _id);
  return notify(number, from, translator, title, {
    type: 'wam',
    files: [],
    workRequest: {
      _id,
      ...sharedFields(plan, now),
      project: project._id,
      asset: asset._id,
      from: 'u-ines',
      recipients: ['u-tom', translator],
      translation: `t-${plan.number}`,
      graphicsTranslation: `tg-${plan.number}`,
    },
    projects: [{ _id: project._id, name: project.name, slug: project.slug }],
    urls: JSON.parse(urls),
    notify: { users: [translator], groups: ['g-translators'] },
    assets: [asset._id],
    processed: true,
    pushed: true,
    digested: false,
    created: now - daysAgo * day + 2 * hour,
  });
}

const filesDownloaded = (number: number, files: string[], now: number) =>
  notify(number, 'u-marc', 'u-ines', `Marc Dubois downloaded ${files.length} files`, {
    type: 'fd',
    files,
    processed: true,
    pushed: false,
    digested: number % 2 === 0,
    created: now - (number - 4000) * day,
  });

function notify(number: number, from: string, to: string, title: string, fields: Event) {
  const { _id, name, emailNormal, $links, status, username, invite } = byId(users, from);
  const sender = { _id, name, emailNormal, $links };
  const event: Event = { _id: `e-${number}`, from: sender, ...fields };
  const notification: Notification = withLinks('Notification', {
    _id: `n-${number - 1000}`,
    from,
    to,
    event: { ...event, from: { ...sender, status, username, invite } },
    type: event.type,
    title,
    emailSubject: event.type === 'wam' ? 'Awaiting materials' : 'Files downloaded',
    read: number % 2 === 0,
    viewed: number > 4001,
    sent: true,
    added: event.created,
    created: event.created,
  });
  return { event, notification };
}
