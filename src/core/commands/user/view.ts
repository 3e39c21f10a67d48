import { valueAt } from '../../json/fields.ts';
import type { CardTools, View } from '../../output/viewType.ts';
import { enabledNames, excerpt, head, knownFields, rows, withId } from '../viewParts.ts';

const twoFactor = (user: unknown): string => {
  const verified = valueAt(user, 'twofactorVerified');
  const isEnforced = valueAt(user, 'hasEnforced2fa') === true;
  if (typeof verified !== 'boolean') return isEnforced ? 'enforced' : '';
  return `${verified ? 'yes' : 'no'}${isEnforced ? ', enforced' : ''}`;
};

export const userView: View = {
  knownFields: knownFields('user'),
  columns: [
    { title: 'Id', path: '_id', kind: 'id' },
    { title: 'Name', path: 'name', importance: 4 },
    { title: 'E-mail', path: 'emailNormal', importance: 4 },
    { title: 'Groups', path: 'groups', importance: 2 },
    { title: 'Territory', short: 'Terr', path: 'territory.name', importance: 1 },
    { title: 'Roles', path: 'roles', importance: 1 },
    { title: '2FA', path: 'twofactorVerified', importance: 2, show: twoFactor },
  ],
  card: (record, show) => ({
    ...head(record, show, 'User', 'name', 'emailNormal', 'username'),
    sections: [
      {
        rows: rows(record, show, [
          ['E-mail', 'emailNormal'],
          ['Login', login],
          ['Status', () => enabledNames(record, 'status')],
          ['Two-factor', twoFactor],
          ['Roles', 'roles'],
          ['Permissions', 'permissions'],
          ['Flags', 'flags'],
          ['Groups', 'groups'],
          ['Studios', 'studios'],
          ['Territory', territory],
          ['Countries', 'territory.countries'],
          ['Languages', 'territory.languages'],
          ['Mail enabled', 'preferences.mail.enabled'],
        ]),
      },
      {
        heading: 'Agent instructions',
        lines: [excerpt(show.cell(valueAt(record, 'preferences.agent.instructions')))],
      },
    ],
  }),
};

/** Empty if it is the e-mail address. */
function login(record: unknown, show: CardTools): string {
  const name = show.cell(valueAt(record, 'username'));
  return name === show.cell(valueAt(record, 'emailNormal')) ? '' : name;
}

function territory(record: unknown, show: CardTools): string {
  const name =
    show.cell(valueAt(record, 'territory.name')) || show.cell(valueAt(record, 'territory'));
  return withId(name, show.cell(valueAt(record, 'territory.code')));
}
