import { knownStatuses } from './endpoints.ts';

export interface FieldNote {
  description?: string;
  /** Observed values. Others may be allowed. */
  examples?: readonly unknown[];
}

export interface DefinitionNotes {
  /** By default, the words of the name. */
  title?: string;
  description: string;
  fields?: Readonly<Record<string, FieldNote>>;
}

const signedUrl: FieldNote = {
  description: 'signed URL: its query opens the file to whoever has it',
};

/** String fields that mean the same in every record. */
export const fieldNotesByName: Readonly<Record<string, FieldNote>> = {
  _id: { description: 'identifier of the record' },
  studio: { description: 'id of the studio' },
  project: { description: 'id of the project' },
  asset: { description: 'id of the asset' },
  workRequest: { description: 'id of the work request' },
  emailNormal: { description: 'e-mail address' },
  language: { description: 'three-letter code', examples: ['fra', 'deu', 'jpn'] },
};

const workRequestFields: Readonly<Record<string, FieldNote>> = {
  assetType: { examples: ['preliminary-production', 'trailer.intl'] },
  assetCategory: { examples: ['av'] },
  aspectRatio: { description: 'width to height', examples: ['16:9', '2.39:1'] },
  due: { description: 'when it is due' },
  deliveryDeadline: { description: 'when it has to be delivered' },
  territory: { description: 'territory code', examples: ['FRA', 'DEU'] },
  dng: { description: 'what becomes of dialogue, graphics and narration' },
  uses: { description: 'what it will be used for' },
  'uses.items': { examples: [['online', 'broadcast']] },
  'uses.details': { description: 'keyed by the name of the item' },
  instructions: { description: 'for whoever carries it out' },
  status: {
    description: 'where it stands; not all values are documented',
    examples: knownStatuses.workRequest,
  },
  history: { description: 'each change of the status: when, by whom, why' },
  estimate: { examples: [{ base: '1850.00 USD', applied: '1665.00 USD' }] },
  urls: { description: 'pages of a client application' },
  materials: { description: 'what is needed to begin, and whether it is there' },
  $statuses: { description: 'the values that the status can take' },
};

const referenceNote = (what: string): FieldNote => ({
  description: `${what}: its id, or the record`,
});

const notes = {
  Asset: {
    description: 'A trailer, a teaser, a key art: something that a project has and others ask for.',
    fields: {
      type: { examples: ['promo', 'preliminary-production', 'trailer.intl'] },
      mediaType: { examples: ['video'] },
      usage: { description: 'what it may be used for' },
      thumbnail: { description: 'id of the file' },
    },
  },
  Download: { description: 'That a file was downloaded, and when.' },
  Event: {
    description: 'Something that happened; notifications come of it.',
    fields: {
      type: {
        description: 'wam: a work request awaits materials; fd: files',
        examples: ['wam', 'fd'],
      },
      files: { description: 'ids of files; of type fd' },
      workRequest: { description: 'of type wam' },
      notify: { description: 'who is told: ids of users and groups' },
    },
  },
  File: {
    description: 'What is known about a file of an asset; not its content.',
    fields: {
      name: { description: 'file name' },
      country: { description: 'country code', examples: ['US', 'FR'] },
      path: { description: 'where it is stored' },
      'embargo.end': { description: 'until when; a point in time whose unit is not documented' },
    },
  },
  Notification: {
    description: 'What one user is told about an event that another caused.',
    fields: {
      from: { description: 'id of the user who caused it' },
      to: { description: 'id of the user who is told' },
      type: { description: 'the type of the event', examples: ['wam', 'fd'] },
    },
  },
  Offline: {
    description: 'An offline file of a work request.',
    fields: { from: { description: 'id of the user' }, path: signedUrl },
  },
  Preview: {
    description: 'A preview of an asset.',
    fields: { path: signedUrl, revision: { examples: ['1', '2'] } },
  },
  Session: {
    description: 'What logging in yields.',
    fields: {
      token: { description: 'goes, with the prefix token-, in place of the password' },
      email: { description: 'the account' },
    },
  },
  Translation: {
    description: 'A translation of an asset for a work request.',
    fields: { status: { examples: knownStatuses.translation } },
  },
  User: {
    description: 'An account, with its groups and preferences.',
    fields: {
      id: { description: 'the same as _id' },
      username: { description: 'e-mail address' },
      invite: { description: 'registration URL with the placeholder :code' },
      password: { description: 'hashed; mar shows it as [redacted] and refuses to send that' },
      'territory.code': { examples: ['FRA'] },
      'preferences.mail': { description: 'what the numbers mean is not documented' },
    },
  },
  WorkRequest: {
    description: 'A request for a localised version of an asset.',
    fields: workRequestFields,
  },
  WorkRequestDraft: {
    title: 'Work request',
    description:
      'A request for a localised version of an asset. What it refers to is an id or the record itself.',
    fields: {
      ...workRequestFields,
      project: referenceNote('the project'),
      asset: referenceNote('the asset'),
      from: referenceNote('who asks'),
      translation: referenceNote('the translation'),
      graphicsTranslation: referenceNote('the translation of graphics'),
    },
  },
  AssetPermissions: {
    title: 'Permissions of an asset',
    description: 'What may be done with an asset.',
  },
  Deadline: {
    description: 'A point in time and its time zone.',
    fields: { tz: { description: 'name of a time zone', examples: ['Europe/Paris'] } },
  },
  EmbeddedAsset: {
    description: 'An asset as a work request carries it.',
    fields: { aspectRatio: { description: 'width to height', examples: ['16:9'] } },
  },
  EmbeddedEvent: {
    description: 'An event as a notification carries it.',
    fields: { type: { examples: ['wam', 'fd'] } },
  },
  EmbeddedPreview: {
    description: 'A preview as an asset carries it.',
    fields: { 'cdn.key': { description: 'identifier of an access key' } },
  },
  EmbeddedTranslation: {
    description: 'A translation as a work request carries it, with its lines.',
    fields: { status: { examples: knownStatuses.translation } },
  },
  EventWorkRequest: {
    title: 'Work request of an event',
    description: 'A work request as an event carries it: what it refers to are ids.',
    fields: {
      ...workRequestFields,
      from: { description: 'id of the user' },
      translation: { description: 'id of the translation' },
      graphicsTranslation: { description: 'id of the translation of graphics' },
    },
  },
  Pages: {
    description: 'Addresses in a client application, with the placeholders :workRequest and :code.',
  },
  ProjectSummary: {
    title: 'Project',
    description: 'A project as a work request carries it.',
    fields: { logo: { description: 'id of the file' } },
  },
  Recipients: { description: 'Who gets it, by kind of delivery.' },
  TranslationLine: {
    title: 'Line of a translation',
    description: 'One subtitle.',
    fields: {
      text: { description: 'HTML fragment' },
      startTime: { description: 'HH:MM:SS,mmm', examples: ['00:00:04,120'] },
      stopTime: { description: 'HH:MM:SS,mmm', examples: ['00:00:06,480'] },
    },
  },
  UserStatus: { title: 'Status of a user', description: 'How far the registration has come.' },
  UserSummary: { title: 'User', description: 'The person behind a record.' },
  Workflow: {
    description: 'The phases of an asset, and the one that it is in.',
    fields: {
      phase: { examples: ['WIP', 'LOCK', 'FINAL'] },
      'definition.phases': { description: 'keyed by the name of the phase' },
    },
  },
} satisfies Record<string, DefinitionNotes>;

export type DefinitionName = keyof typeof notes;

export const definitionNotes: Readonly<Record<DefinitionName, DefinitionNotes>> = notes;
