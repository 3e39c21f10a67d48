/** Who works together. Users list their groups; the workflow of an asset names them. */
const groups = [
  {
    _id: 'g-northlight',
    name: 'Northlight International Marketing',
    type: 'studio',
    studios: ['s-northlight'],
    users: ['u-ines', 'u-tom'],
    addresses: [
      {
        name: 'Northlight Pictures, Mailroom B',
        address: '1200 Harbor Boulevard',
        city: 'Long Beach',
        state: 'CA',
        postalCode: '90802',
        country: 'US',
      },
    ],
  },
  {
    _id: 'g-kitsune',
    name: 'Kitsune Production Desk',
    type: 'studio',
    studios: ['s-kitsune'],
    users: ['u-haruka'],
    addresses: [
      {
        name: 'Kitsune Animation',
        address: '2-14-5 Kichijoji Honcho',
        city: 'Musashino',
        state: 'Tokyo',
        postalCode: '180-0004',
        country: 'JP',
      },
    ],
  },
  {
    _id: 'g-translators',
    name: 'Translators',
    type: 'vendor',
    studios: ['s-northlight', 's-kitsune'],
    users: ['u-marc', 'u-greta', 'u-haruka', 'u-omar', 'u-noa', 'u-lucia'],
    addresses: [],
  },
];

export const groupsOf = (userId: string) => groups.filter(({ users }) => users.includes(userId));
