import { valueAt } from '../../terminal/flatten.ts';
import type { View } from '../../terminal/view.ts';
import { rows, switchedOn } from './reading.ts';

const twoFactor = (user: unknown) => {
  const verified = valueAt(user, 'twofactorVerified') === true ? 'yes' : 'no';
  return valueAt(user, 'hasEnforced2fa') === true ? `${verified}, enforced` : verified;
};

export const userView: View = {
  columns: [
    { title: 'Id', path: '_id', kind: 'id' },
    { title: 'Name', path: 'name', importance: 4 },
    { title: 'E-mail', path: 'emailNormal', importance: 3 },
    { title: 'Groups', path: 'groups', importance: 2 },
    { title: 'Territory', path: 'territory.name', importance: 1 },
    { title: 'Roles', path: 'roles', importance: 1 },
    { title: '2FA', path: 'twofactorVerified', importance: 2, read: twoFactor },
  ],
  card: (record, show) => ({
    title: show.cell(valueAt(record, 'name')),
    subtitle: show.cell(valueAt(record, '_id')),
    sections: [
      {
        rows: rows(record, show, [
          ['E-mail', 'emailNormal'],
          ['Status', () => switchedOn(record, 'status')],
          ['Two factors', twoFactor],
          ['Roles', 'roles'],
          ['Groups', 'groups'],
          ['Territory', 'territory.name'],
          ['Languages', 'territory.languages'],
          ['Studios', 'studios'],
        ]),
      },
    ],
  }),
};
