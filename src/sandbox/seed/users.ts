import type { User } from '../../api/user.ts';
import { link } from '../links.ts';
import { shownPassword } from '../secrets.ts';
import { groupsOf } from './groups.ts';
import { territories } from './territories.ts';

export const demoEmail = 'ines@northlight.example';
/** Every demo user's. It opens nothing but demo data on loopback. */
export const demoPassword = 'open-sesame';

interface Person {
  id: string;
  name: string;
  email: string;
  territory: keyof typeof territories;
  roles: string[];
  studios: string[];
  twoFactor?: boolean;
  /** Was invited and has not registered yet. */
  invited?: boolean;
}

const people: readonly Person[] = [
  {
    id: 'u-ines',
    name: 'Inês Carvalho',
    email: demoEmail,
    territory: 'USA',
    roles: ['producer', 'requester'],
    studios: ['s-northlight', 's-kitsune'],
    twoFactor: true,
  },
  {
    id: 'u-tom',
    name: 'Tom Okafor',
    email: 'tom@northlight.example',
    territory: 'USA',
    roles: ['admin'],
    studios: ['s-northlight'],
    twoFactor: true,
  },
  {
    id: 'u-haruka',
    name: '田中 遥',
    email: 'haruka@kitsune.example',
    territory: 'JPN',
    roles: ['producer', 'translator'],
    studios: ['s-kitsune'],
  },
  {
    id: 'u-marc',
    name: 'Marc Dubois',
    email: 'marc@sous-titres.example',
    territory: 'FRA',
    roles: ['translator'],
    studios: [],
  },
  {
    id: 'u-greta',
    name: 'Greta Vogel',
    email: 'greta@untertitel.example',
    territory: 'DEU',
    roles: ['translator'],
    studios: [],
  },
  {
    id: 'u-omar',
    name: 'عمر حداد',
    email: 'omar@tarjama.example',
    territory: 'ARE',
    roles: ['translator'],
    studios: [],
  },
  {
    id: 'u-noa',
    name: 'נועה לוי',
    email: 'noa@ktuviot.example',
    territory: 'ISR',
    roles: ['translator'],
    studios: [],
  },
  {
    id: 'u-lucia',
    name: 'Lucía Fernández',
    email: 'lucia@subtitula.example',
    territory: 'ESP',
    roles: ['translator'],
    studios: [],
    invited: true,
  },
];

export const users: readonly User[] = people.map(toUser);

function toUser(person: Person): User {
  const { id, name, email, roles, studios, twoFactor = false, invited = false } = person;
  return {
    _id: id,
    id,
    emailNormal: email,
    username: email,
    name,
    invite: 'https://desk.media.example/register/:code',
    password: shownPassword(id),
    status: { invited: true, approved: true, registered: !invited, confirmed: !invited },
    roles,
    permissions: [],
    flags: [],
    queue: [],
    orderQueue: [],
    shareQueue: [],
    studios,
    twofactorVerified: twoFactor,
    hasEnforced2fa: twoFactor,
    territory: territories[person.territory],
    groups: groupsOf(id),
    preferences: preferencesOf(person),
    $links: { self: link('User', id) },
  };
}

function preferencesOf({ id, roles }: Person): User['preferences'] {
  const often = roles.includes('translator') ? 1 : 2;
  return {
    blacklist: { projects: [] },
    mail: {
      enabled: true,
      projects: 0,
      assets: 1,
      files: 1,
      work_requests: often,
      shares: 0,
      ingest: 0,
      offline_comments: often,
      others: 0,
      work_request_comments: often,
      workflow: 1,
    },
    ingest: { skipScratchPreview: false, maxUploads: 4 },
    contactLists:
      id === 'u-ines'
        ? [{ name: 'Europe', recipients: { groups: [], users: ['u-marc', 'u-greta', 'u-lucia'] } }]
        : [],
    reports: {
      workRequests: {
        dashboard: [
          { i: 'by-status', x: 0, y: 0, w: 6, h: 4 },
          { i: 'by-territory', x: 6, y: 0, w: 6, h: 4 },
        ],
        hiddenCharts: ['by-translator'],
      },
    },
    agent: { instructions: '' },
  };
}

/** The person behind a record, as an event shows them. */
export function senderOf(id: string) {
  const { name, emailNormal, $links, status, username, invite } = userOf(id);
  return {
    short: { _id: id, name, emailNormal, $links },
    full: { _id: id, name, emailNormal, $links, status, username, invite },
  };
}

export function userOf(id: string): User {
  const user = users.find(({ _id }) => _id === id);
  if (user === undefined) throw new Error(`the demo data has no user ${id}`);
  return user;
}
