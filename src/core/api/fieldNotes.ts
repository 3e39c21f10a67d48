import type { RecordName } from './endpoints.ts';
import type * as api from './schemas.ts';
import { shownItems } from './service.ts';

/** A description, or more than that. Examples are observed values; others may be allowed. */
type FieldNote = string | { description?: string; examples?: readonly unknown[] };

export interface DefinitionNotes {
  /** By default, the words of the name. */
  title?: string;
  description: string;
  fields?: Readonly<Record<string, FieldNote>>;
  /** The documented keys of `$links`, besides `self`. */
  links?: string;
}

const signedUrl =
  'signed URL: anyone who has it can open the file; mar prints [redacted] in place of its query';

/** String fields that mean the same in every record. */
export const fieldNotesByName: Readonly<Record<string, FieldNote>> = {
  _id: 'id of the record',
  studio: 'id of the studio',
  project: 'id of the project',
  asset: 'id of the asset',
  workRequest: 'id of the work request',
  emailNormal: 'e-mail address',
  language: { description: 'three-letter language code', examples: ['fra', 'deu', 'jpn'] },
};

const workRequestFields: Readonly<Record<string, FieldNote>> = {
  assetType: { examples: shownItems('asset-type') },
  assetCategory: { examples: ['av'] },
  aspectRatio: { description: 'width:height', examples: ['16:9', '2.39:1'] },
  due: 'due date',
  deliveryDeadline: 'delivery deadline',
  territory: { description: 'territory code', examples: ['FRA', 'DEU'] },
  dng: 'treatment of dialogue, graphics and narration',
  uses: 'intended uses',
  'uses.items': { examples: [['online', 'broadcast']] },
  'uses.details': 'details by name of the item',
  instructions: 'instructions for the people who do the work',
  status: {
    description: 'current status; the API does not list all values',
    examples: ['awaiting-materials', 'incomplete'],
  },
  history: 'changes of the status: date, user and reason',
  estimate: { examples: [{ base: '1850.00 USD', applied: '1665.00 USD' }] },
  urls: 'pages of the web application',
  materials: 'materials, with their files; the API does not say what complete and approved mean',
  $statuses: 'statuses; the API does not say which: all, or those that can come next',
};

const workRequestLinks = 'project, asset, from, graphicsTranslation, translation';

const referenceNote = (what: string) =>
  `${what}: an object with an _id. Documented as the whole record; mar sends the _id alone. An id as a string is not documented: mar sends it only if you write it`;

type PartName = Exclude<keyof typeof api, 'schemas' | 'untyped' | 'time' | 'isTime' | 'links'>;
export type DefinitionName = Capitalize<RecordName | PartName>;

export const definitionNotes: Readonly<Record<DefinitionName, DefinitionNotes>> = {
  Asset: {
    description: 'A piece of media of a project, for example a trailer or a poster.',
    fields: {
      type: { examples: shownItems('asset-type') },
      mediaType: { examples: shownItems('media-type') },
      usage: 'allowed uses',
      thumbnail: 'id of the thumbnail file',
    },
    links: 'thumbnail, project, studio, type',
  },
  Download: { description: 'A record of one downloaded file.' },
  Event: {
    description: 'Something that happened, about which users are notified.',
    fields: {
      type: {
        description: 'fd: has the ids of files; wam: has a work request, which awaits materials',
        examples: shownItems('event-type'),
      },
      files: 'ids of files (type fd)',
      workRequest: 'the work request (type wam)',
      notify: 'ids of the users and groups to notify',
    },
  },
  File: {
    description: 'The metadata of a file of an asset, without its content.',
    fields: {
      name: 'file name',
      country: { description: 'country code', examples: ['US', 'FR'] },
      path: 'storage path',
      'embargo.end': 'end of the embargo, as an integer time; the unit is not documented',
    },
    links: 'project, asset',
  },
  Notification: {
    description: 'A message to one user about an event that another user caused.',
    fields: {
      from: 'id of the user who caused the event',
      to: 'id of the user who receives it',
      type: { description: 'type of the event', examples: shownItems('event-type') },
    },
  },
  Offline: {
    description: 'An offline file of a work request.',
    fields: { from: 'id of the user', path: signedUrl },
  },
  Preview: {
    description: 'A preview of an asset.',
    fields: { path: signedUrl, revision: { examples: ['1', '2'] } },
    links: 'asset, project, studio',
  },
  Session: {
    description: 'The response to a login.',
    fields: {
      token: 'used as the password of later requests, with the prefix token-',
      email: 'e-mail address of the account',
    },
  },
  Translation: {
    description: 'A translation of an asset for a work request.',
    fields: { status: { examples: shownItems('translation-status') } },
    links: 'asset, workRequest',
  },
  User: {
    description: 'A user with groups and preferences.',
    fields: {
      id: 'same as _id',
      username: 'e-mail address',
      invite: 'registration URL with the placeholder :code',
      password: 'hashed password; mar prints [redacted] and does not send that text back',
      'territory.code': { examples: ['FRA'] },
      'preferences.mail': 'mail settings; the meaning of the numbers is not documented',
    },
  },
  WorkRequest: {
    description: 'A request for a localised version of an asset.',
    fields: workRequestFields,
    links: workRequestLinks,
  },
  WorkRequestDraft: {
    title: 'Work request',
    description:
      'A request for a localised version of an asset. Related records are documented as objects.',
    fields: {
      ...workRequestFields,
      project: referenceNote('project'),
      asset: referenceNote('asset'),
      from: referenceNote('user who made the request'),
      translation: referenceNote('translation'),
      graphicsTranslation: referenceNote('translation of the graphics'),
    },
    links: workRequestLinks,
  },
  AssetPermissions: {
    title: 'Permissions of an asset',
    description: 'Actions that are allowed with an asset.',
  },
  Deadline: {
    description: 'A time and its time zone.',
    fields: { tz: { description: 'time zone name', examples: ['Europe/Paris'] } },
  },
  EmbeddedAsset: {
    description: 'An asset inside a work request.',
    fields: { aspectRatio: { description: 'width:height', examples: ['16:9'] } },
    links: 'thumbnail, project, studio, type',
  },
  EmbeddedPreview: {
    description: 'A preview inside an asset.',
    fields: { 'cdn.key': 'id of an access key; mar prints [redacted]' },
  },
  EmbeddedTranslation: {
    description: 'A translation inside a work request, with its lines.',
    fields: { status: { examples: shownItems('translation-status') } },
  },
  EventWorkRequest: {
    title: 'Work request of an event',
    description: 'A work request inside an event. Related records are ids.',
    fields: {
      ...workRequestFields,
      from: 'id of the user',
      translation: 'id of the translation',
      graphicsTranslation: 'id of the translation of the graphics',
    },
    links: workRequestLinks,
  },
  HistoryUser: {
    title: 'User in a history',
    description: 'The user who changed a status.',
  },
  Pages: {
    description: 'URLs of the web application, with the placeholders :workRequest and :code.',
  },
  ProjectSummary: {
    title: 'Project',
    description: 'A project inside a work request.',
    fields: { logo: 'id of the logo file' },
  },
  Recipients: { description: 'Recipients by kind of delivery.' },
  TranslationLine: {
    title: 'Line of a translation',
    description: 'One subtitle.',
    fields: {
      text: 'text as an HTML fragment',
      startTime: { description: 'start, as HH:MM:SS,mmm', examples: ['00:00:04,120'] },
      stopTime: { description: 'end, as HH:MM:SS,mmm', examples: ['00:00:06,480'] },
    },
  },
  UserStatus: { title: 'Status of a user', description: 'The steps of the registration.' },
  UserSummary: {
    title: 'User',
    description: 'A short form of a user, inside other records.',
  },
  Workflow: {
    description: 'The phases of an asset and its current phase.',
    fields: {
      phase: { examples: shownItems('phase') },
      'definition.phases': 'phases by name',
    },
  },
};
