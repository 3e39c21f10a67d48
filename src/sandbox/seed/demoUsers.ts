import type { User } from '../../api/user.ts';
import { standInPassword } from '../accounts.ts';
import { withLinks } from './demoAssets.ts';

export const demoEmail = 'ines@northlight.example';
/** The password of every demo user. */
export const demoPassword = 'open-sesame';

// biome-ignore format: a table reads best as one.
const territories = {
  USA: territory('USA', 'United States', 'NTSC', [['United States', 'US']], [['English', 'eng', 'EN']]),
  FRA: territory('FRA', 'France', 'PAL', [['France', 'FR'], ['Monaco', 'MC']], [['French', 'fra', 'FR']]),
  DEU: territory('DEU', 'Germany', 'PAL', [['Germany', 'DE'], ['Austria', 'AT']], [['German', 'deu', 'DE']]),
  JPN: territory('JPN', 'Japan', 'NTSC', [['Japan', 'JP']], [['Japanese', 'jpn', 'JA']]),
  ARE: territory('ARE', 'United Arab Emirates', 'PAL', [['United Arab Emirates', 'AE']], [['Arabic', 'ara', 'AR']]),
  ISR: territory('ISR', 'Israel', 'PAL', [['Israel', 'IL']], [['Hebrew', 'heb', 'HE']]),
  ESP: territory('ESP', 'Spain', 'PAL', [['Spain', 'ES']], [['Spanish (Castilian)', 'spa', 'ES'], ['Catalan', 'cat', 'CA']]),
};

function territory(
  code: string,
  name: string,
  standard: string,
  countries: [name: string, code: string][],
  languages: [name: string, code: string, dcpCode: string][],
) {
  return {
    _id: `ter-${code.toLowerCase()}`,
    name,
    code,
    standard,
    countries: countries.map(([name, code]) => ({ name, code })),
    languages: languages.map(([name, code, dcpCode]) => ({ name, code, dcpCode })),
    assignedLanguages: languages.map(([, language]) => language),
  };
}

// biome-ignore format: a table reads best as one.
const groups = [
  {
    _id: 'g-northlight', name: 'Northlight International Marketing', type: 'studio', studios: ['s-northlight'], users: ['u-ines', 'u-tom'],
    addresses: [{ name: 'Northlight Pictures, Mailroom B', address: '1200 Harbor Boulevard', city: 'Long Beach', state: 'CA', postalCode: '90802', country: 'US' }],
  },
  {
    _id: 'g-kitsune', name: 'Kitsune Production Desk', type: 'studio', studios: ['s-kitsune'], users: ['u-haruka'],
    addresses: [{ name: 'Kitsune Animation', address: '2-14-5 Kichijoji Honcho', city: 'Musashino', state: 'Tokyo', postalCode: '180-0004', country: 'JP' }],
  },
  {
    _id: 'g-translators', name: 'Translators', type: 'vendor', studios: ['s-northlight', 's-kitsune'],
    users: ['u-marc', 'u-greta', 'u-haruka', 'u-omar', 'u-noa', 'u-lucia'],
    addresses: [],
  },
];

// biome-ignore format: a table reads best as one.
const people = [
  { id: 'u-ines', name: 'Inês Carvalho', email: demoEmail, territory: territories.USA, roles: ['producer', 'requester'], studios: ['s-northlight', 's-kitsune'], twoFactor: true },
  { id: 'u-tom', name: 'Tom Okafor', email: 'tom@northlight.example', territory: territories.USA, roles: ['admin'], studios: ['s-northlight'], twoFactor: true },
  { id: 'u-haruka', name: '田中 遥', email: 'haruka@kitsune.example', territory: territories.JPN, roles: ['producer', 'translator'], studios: ['s-kitsune'] },
  { id: 'u-marc', name: 'Marc Dubois', email: 'marc@sous-titres.example', territory: territories.FRA, roles: ['translator'], studios: [] },
  { id: 'u-greta', name: 'Greta Vogel', email: 'greta@untertitel.example', territory: territories.DEU, roles: ['translator'], studios: [] },
  { id: 'u-omar', name: 'عمر حداد', email: 'omar@tarjama.example', territory: territories.ARE, roles: ['translator'], studios: [] },
  { id: 'u-noa', name: 'נועה לוי', email: 'noa@ktuviot.example', territory: territories.ISR, roles: ['translator'], studios: [] },
  { id: 'u-lucia', name: 'Lucía Fernández', email: 'lucia@subtitula.example', territory: territories.ESP, roles: ['translator'], studios: [], registered: false },
];

const europe = {
  name: 'Europe',
  recipients: { groups: [], users: ['u-marc', 'u-greta', 'u-lucia'] },
};

const noQueues = { permissions: [], flags: [], queue: [], orderQueue: [], shareQueue: [] };

export const users = people.map((person) => {
  const { id, name, email, roles, studios, twoFactor = false, registered = true } = person;
  const often = roles.includes('translator') ? 1 : 2;
  return withLinks('User', {
    _id: id,
    id,
    emailNormal: email,
    username: email,
    name,
    invite: 'https://desk.media.example/register/:code',
    password: standInPassword(id),
    status: { invited: true, approved: true, registered, confirmed: registered },
    roles,
    ...noQueues,
    studios,
    twofactorVerified: twoFactor,
    hasEnforced2fa: twoFactor,
    territory: person.territory,
    groups: groups.filter((group) => group.users.includes(id)),
    preferences: {
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
      contactLists: id === 'u-ines' ? [europe] : [],
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
    },
  }) satisfies User;
});
