// Made from the schemas by `npm run generate`: changes to it are lost.

/** A trailer, a teaser, a key art: something that a project has and others ask for. */
export interface Asset {
  /** identifier of the record */
  _id?: string;
  /** id of the studio */
  studio?: string;
  /** id of the project */
  project?: string;
  name?: string;
  importName?: string;
  slug?: string;
  /** for example promo, preliminary-production, trailer.intl */
  type?: string;
  /** for example video */
  mediaType?: string;
  verified?: boolean;
  creative?: boolean;
  previews?: EmbeddedPreview[];
  /** point in time; the unit is not documented */
  created?: number;
  /** protocol-relative URLs of the record itself and of related ones */
  $links?: Record<string, string>;
  $flags?: unknown[];
  $permissions?: AssetPermissions;
  $embargo?: boolean;
  $feedback?: {
    share?: string;
    vote?: string;
    summary?: unknown[];
    [field: string]: unknown;
  };
  /** what it may be used for */
  usage?: {
    broadcast?: boolean;
    online?: boolean;
    dcp?: boolean;
    film35?: boolean;
    film70?: boolean;
    dcp4k?: boolean;
    imax?: boolean;
    atmos?: boolean;
    [field: string]: unknown;
  };
  /** id of the file */
  thumbnail?: string;
  [field: string]: unknown;
}

/** That a file was downloaded, and when. */
export interface Download {
  /** identifier of the record */
  _id?: string;
  asset?: {
    /** identifier of the record */
    _id?: string;
    name?: string;
    type?: string;
    [field: string]: unknown;
  };
  project?: {
    /** identifier of the record */
    _id?: string;
    name?: string;
    [field: string]: unknown;
  };
  file?: {
    /** identifier of the record */
    _id?: string;
    /** id of the asset */
    asset?: string;
    name?: string;
    /** id of the project */
    project?: string;
    /** id of the studio */
    studio?: string;
    [field: string]: unknown;
  };
  /** point in time; the unit is not documented */
  created?: number;
  [field: string]: unknown;
}

/** Something that happened; notifications come of it. */
export interface Event {
  /** identifier of the record */
  _id?: string;
  /** wam: a work request awaits materials; fd: files; for example wam, fd */
  type?: string;
  /** ids of files; of type fd */
  files?: string[];
  processed?: boolean;
  pushed?: boolean;
  digested?: boolean;
  /** point in time; the unit is not documented */
  created?: number;
  /** of type wam */
  workRequest?: EventWorkRequest;
  projects?: {
    /** identifier of the record */
    _id?: string;
    name?: string;
    slug?: string;
    [field: string]: unknown;
  }[];
  urls?: Pages;
  /** who is told: ids of users and groups */
  notify?: {
    users?: string[];
    groups?: string[];
    [field: string]: unknown;
  };
  assets?: unknown[];
  from?: {
    /** identifier of the record */
    _id?: string;
    name?: string;
    /** e-mail address */
    emailNormal?: string;
    /** protocol-relative URLs of the record itself and of related ones */
    $links?: Record<string, string>;
    [field: string]: unknown;
  };
  [field: string]: unknown;
}

/** What is known about a file of an asset; not its content. */
export interface File {
  /** identifier of the record */
  _id?: string;
  /** id of the studio */
  studio?: string;
  /** id of the project */
  project?: string;
  /** id of the asset */
  asset?: string;
  /** file name */
  name?: string;
  /** three-letter code; for example fra, deu, jpn */
  language?: string;
  /** country code; for example US, FR */
  country?: string;
  tags?: string[];
  /** where it is stored */
  path?: string;
  verified?: boolean;
  embargo?: {
    event?: boolean;
    /** until when; a point in time whose unit is not documented */
    end?: number;
    [field: string]: unknown;
  };
  warnings?: unknown[];
  aspera?: {
    username?: string;
    [field: string]: unknown;
  };
  /** point in time; the unit is not documented */
  created?: number;
  $flags?: unknown[];
  /** protocol-relative URLs of the record itself and of related ones */
  $links?: Record<string, string>;
  $aspera?: {
    downloaded?: boolean;
    [field: string]: unknown;
  };
  [field: string]: unknown;
}

/** What one user is told about an event that another caused. */
export interface Notification {
  /** identifier of the record */
  _id?: string;
  /** id of the user who caused it */
  from?: string;
  /** id of the user who is told */
  to?: string;
  event?: EmbeddedEvent;
  /** the type of the event; for example wam, fd */
  type?: string;
  title?: string;
  emailSubject?: string;
  read?: boolean;
  viewed?: boolean;
  sent?: boolean;
  /** point in time; the unit is not documented */
  added?: number;
  /** point in time; the unit is not documented */
  created?: number;
  /** protocol-relative URLs of the record itself and of related ones */
  $links?: Record<string, string>;
  [field: string]: unknown;
}

/** An offline file of a work request. */
export interface Offline {
  /** identifier of the record */
  _id?: string;
  /** id of the work request */
  workRequest?: string;
  /** id of the user */
  from?: string;
  /** id of the project */
  project?: string;
  /** id of the asset */
  asset?: string;
  /** signed URL: its query opens the file to whoever has it */
  path?: string;
  /** point in time; the unit is not documented */
  created?: number;
  /** protocol-relative URLs of the record itself and of related ones */
  $links?: Record<string, string>;
  [field: string]: unknown;
}

/** A preview of an asset. */
export interface Preview {
  /** identifier of the record */
  _id?: string;
  /** id of the asset */
  asset?: string;
  /** id of the project */
  project?: string;
  /** id of the studio */
  studio?: string;
  /** for example 1, 2 */
  revision?: string;
  label?: string;
  /** point in time; the unit is not documented */
  created?: number;
  /** signed URL: its query opens the file to whoever has it */
  path?: string;
  /** protocol-relative URLs of the record itself and of related ones */
  $links?: Record<string, string>;
  [field: string]: unknown;
}

/** What logging in yields. */
export interface Session {
  /** goes, with the prefix token-, in place of the password */
  token: string;
  /** the account */
  email: string;
  [field: string]: unknown;
}

/** A translation of an asset for a work request. */
export interface Translation {
  /** identifier of the record */
  _id?: string;
  /** id of the asset */
  asset?: string;
  /** id of the work request */
  workRequest?: string;
  /** three-letter code; for example fra, deu, jpn */
  language?: string;
  /** for example incomplete, submitted */
  status?: string;
  /** point in time; the unit is not documented */
  created?: number;
  /** protocol-relative URLs of the record itself and of related ones */
  $links?: Record<string, string>;
  [field: string]: unknown;
}

/** An account, with its groups and preferences. */
export interface User {
  /** identifier of the record */
  _id?: string;
  /** the same as _id */
  id?: string;
  /** e-mail address */
  emailNormal?: string;
  /** e-mail address */
  username?: string;
  name?: string;
  /** registration URL with the placeholder :code */
  invite?: string;
  /** hashed; mar shows it as [redacted] and refuses to send that */
  password?: string;
  status?: UserStatus;
  roles?: string[];
  permissions?: unknown[];
  flags?: unknown[];
  queue?: unknown[];
  orderQueue?: unknown[];
  shareQueue?: unknown[];
  studios?: unknown[];
  twofactorVerified?: boolean;
  hasEnforced2fa?: boolean;
  territory?: {
    /** identifier of the record */
    _id?: string;
    name?: string;
    /** for example FRA */
    code?: string;
    standard?: string;
    countries?: {
      name?: string;
      code?: string;
      [field: string]: unknown;
    }[];
    languages?: {
      name?: string;
      code?: string;
      dcpCode?: string;
      [field: string]: unknown;
    }[];
    assignedLanguages?: string[];
    [field: string]: unknown;
  };
  groups?: {
    /** identifier of the record */
    _id?: string;
    name?: string;
    type?: string;
    studios?: unknown[];
    users?: string[];
    addresses?: {
      name?: string;
      address?: string;
      city?: string;
      state?: string;
      postalCode?: string;
      country?: string;
      [field: string]: unknown;
    }[];
    [field: string]: unknown;
  }[];
  preferences?: {
    blacklist?: {
      projects?: unknown[];
      [field: string]: unknown;
    };
    /** what the numbers mean is not documented */
    mail?: {
      enabled?: boolean;
      projects?: number;
      assets?: number;
      files?: number;
      work_requests?: number;
      shares?: number;
      ingest?: number;
      offline_comments?: number;
      others?: number;
      work_request_comments?: number;
      workflow?: number;
      [field: string]: unknown;
    };
    ingest?: {
      skipScratchPreview?: boolean;
      maxUploads?: number;
      [field: string]: unknown;
    };
    contactLists?: {
      name?: string;
      recipients?: {
        groups?: unknown[];
        users?: string[];
        [field: string]: unknown;
      };
      [field: string]: unknown;
    }[];
    reports?: {
      workRequests?: {
        dashboard?: {
          i?: string;
          x?: number;
          y?: number;
          w?: number;
          h?: number;
          [field: string]: unknown;
        }[];
        hiddenCharts?: string[];
        [field: string]: unknown;
      };
      [field: string]: unknown;
    };
    agent?: {
      instructions?: string;
      [field: string]: unknown;
    };
    [field: string]: unknown;
  };
  /** protocol-relative URLs of the record itself and of related ones */
  $links?: Record<string, string>;
  [field: string]: unknown;
}

/** A request for a localised version of an asset. */
export interface WorkRequest {
  /** identifier of the record */
  _id?: string;
  /** id of the studio */
  studio?: string;
  /** for example preliminary-production, trailer.intl */
  assetType?: string;
  /** for example av */
  assetCategory?: string;
  auto?: boolean;
  autosubs?: boolean;
  dualLanguages?: boolean;
  autoMode?: boolean;
  /** width to height; for example 16:9, 2.39:1 */
  aspectRatio?: string;
  /** when it is due */
  due?: Deadline;
  /** when it has to be delivered */
  deliveryDeadline?: Deadline;
  /** three-letter code; for example fra, deu, jpn */
  language?: string;
  /** territory code; for example FRA, DEU */
  territory?: string;
  /** what becomes of dialogue, graphics and narration */
  dng?: {
    dialogue?: string[];
    graphics?: string[];
    narration?: string[];
    [field: string]: unknown;
  };
  /** what it will be used for */
  uses?: {
    items?: string[];
    /** keyed by the name of the item */
    details?: {
      [name: string]: {
        value?: string;
        ship?: boolean;
        [field: string]: unknown;
      }[];
    };
    [field: string]: unknown;
  };
  dcp?: {
    items?: unknown[];
    details?: unknown[];
    [field: string]: unknown;
  };
  /** for whoever carries it out */
  instructions?: string;
  /** where it stands; not all values are documented; for example awaiting-materials, incomplete */
  status?: string;
  /** each change of the status: when, by whom, why */
  history?: {
    /** point in time; the unit is not documented */
    date?: number;
    user?: UserSummary;
    status?: string;
    reason?: string;
    [field: string]: unknown;
  }[];
  shippingAddresses?: unknown[];
  estimate?: {
    base?: string;
    applied?: string;
    [field: string]: unknown;
  };
  /** pages of a client application */
  urls?: Pages;
  tags?: unknown[];
  rejections?: unknown[];
  encodes?: unknown[];
  offlines?: unknown[];
  graphicsAutomationJobs?: unknown[];
  files?: {
    name?: string;
    files?: unknown[];
    [field: string]: unknown;
  }[];
  /** what is needed to begin, and whether it is there */
  materials?: {
    name?: string;
    complete?: boolean;
    approved?: boolean;
    files?: unknown[];
    [field: string]: unknown;
  }[];
  reason?: string;
  /** point in time; the unit is not documented */
  created?: number;
  /** protocol-relative URLs of the record itself and of related ones */
  $links?: Record<string, string>;
  /** the values that the status can take */
  $statuses?: string[];
  audioFile?: string | null;
  project?: ProjectSummary;
  asset?: EmbeddedAsset;
  from?: UserSummary;
  recipients?: Recipients;
  translation?: EmbeddedTranslation;
  graphicsTranslation?: EmbeddedTranslation;
  [field: string]: unknown;
}

/** A request for a localised version of an asset. What it refers to is an id or the record itself. */
export interface WorkRequestDraft {
  /** identifier of the record */
  _id?: string;
  /** id of the studio */
  studio?: string;
  /** for example preliminary-production, trailer.intl */
  assetType?: string;
  /** for example av */
  assetCategory?: string;
  auto?: boolean;
  autosubs?: boolean;
  dualLanguages?: boolean;
  autoMode?: boolean;
  /** width to height; for example 16:9, 2.39:1 */
  aspectRatio?: string;
  /** when it is due */
  due?: Deadline;
  /** when it has to be delivered */
  deliveryDeadline?: Deadline;
  /** three-letter code; for example fra, deu, jpn */
  language?: string;
  /** territory code; for example FRA, DEU */
  territory?: string;
  /** what becomes of dialogue, graphics and narration */
  dng?: {
    dialogue?: string[];
    graphics?: string[];
    narration?: string[];
    [field: string]: unknown;
  };
  /** what it will be used for */
  uses?: {
    items?: string[];
    /** keyed by the name of the item */
    details?: {
      [name: string]: {
        value?: string;
        ship?: boolean;
        [field: string]: unknown;
      }[];
    };
    [field: string]: unknown;
  };
  dcp?: {
    items?: unknown[];
    details?: unknown[];
    [field: string]: unknown;
  };
  /** for whoever carries it out */
  instructions?: string;
  /** where it stands; not all values are documented; for example awaiting-materials, incomplete */
  status?: string;
  /** each change of the status: when, by whom, why */
  history?: {
    /** point in time; the unit is not documented */
    date?: number;
    user?: UserSummary;
    status?: string;
    reason?: string;
    [field: string]: unknown;
  }[];
  shippingAddresses?: unknown[];
  estimate?: {
    base?: string;
    applied?: string;
    [field: string]: unknown;
  };
  /** pages of a client application */
  urls?: Pages;
  tags?: unknown[];
  rejections?: unknown[];
  encodes?: unknown[];
  offlines?: unknown[];
  graphicsAutomationJobs?: unknown[];
  files?: {
    name?: string;
    files?: unknown[];
    [field: string]: unknown;
  }[];
  /** what is needed to begin, and whether it is there */
  materials?: {
    name?: string;
    complete?: boolean;
    approved?: boolean;
    files?: unknown[];
    [field: string]: unknown;
  }[];
  reason?: string;
  /** point in time; the unit is not documented */
  created?: number;
  /** protocol-relative URLs of the record itself and of related ones */
  $links?: Record<string, string>;
  /** the values that the status can take */
  $statuses?: string[];
  audioFile?: string | null;
  /** the project: its id, or the record */
  project?: string | ProjectSummary;
  /** the asset: its id, or the record */
  asset?: string | EmbeddedAsset;
  /** who asks: its id, or the record */
  from?: string | UserSummary;
  recipients?: Recipients;
  /** the translation: its id, or the record */
  translation?: string | EmbeddedTranslation;
  /** the translation of graphics: its id, or the record */
  graphicsTranslation?: string | EmbeddedTranslation;
  [field: string]: unknown;
}

/** What may be done with an asset. */
export interface AssetPermissions {
  canAutosub?: boolean;
  sources?: {
    requests?: {
      languages?: unknown[];
      countries?: unknown[];
      [field: string]: unknown;
    };
    autosubs?: {
      languages?: unknown[];
      countries?: unknown[];
      [field: string]: unknown;
    };
    [field: string]: unknown;
  };
  access?: string[];
  tags?: {
    online?: boolean;
    broadcast?: boolean;
    dcp?: boolean;
    cmyk?: boolean;
    rgb?: boolean;
    [field: string]: unknown;
  };
  ingest?: string[];
  [field: string]: unknown;
}

/** A point in time and its time zone. */
export interface Deadline {
  /** point in time; the unit is not documented */
  date?: number;
  /** name of a time zone; for example Europe/Paris */
  tz?: string;
  [field: string]: unknown;
}

/** An asset as a work request carries it. */
export interface EmbeddedAsset {
  /** identifier of the record */
  _id?: string;
  /** id of the studio */
  studio?: string;
  /** id of the project */
  project?: string;
  name?: string;
  importName?: string;
  slug?: string;
  type?: string;
  mediaType?: string;
  verified?: boolean;
  creative?: boolean;
  previews?: EmbeddedPreview[];
  /** point in time; the unit is not documented */
  created?: number;
  /** protocol-relative URLs of the record itself and of related ones */
  $links?: Record<string, string>;
  $flags?: unknown[];
  $permissions?: AssetPermissions;
  $embargo?: boolean;
  $feedback?: {
    share?: string;
    vote?: string;
    summary?: unknown[];
    [field: string]: unknown;
  };
  usage?: {
    broadcast?: boolean;
    online?: boolean;
    dcp?: boolean;
    dcp3d?: boolean;
    film35?: boolean;
    film70?: boolean;
    imax?: boolean;
    imax3d?: boolean;
    atmos2d?: boolean;
    atmos3d?: boolean;
    dolbyVision2d?: boolean;
    dolbyVision3d?: boolean;
    [field: string]: unknown;
  };
  thumbnail?: {
    /** identifier of the record */
    _id?: string;
    verified?: boolean;
    embargo?: {
      event?: boolean;
      [field: string]: unknown;
    };
    warnings?: unknown[];
    mime?: string;
    bucket?: string;
    tags?: unknown[];
    chunkSize?: number;
    length?: number;
    md5?: string;
    /** point in time; the unit is not documented */
    uploadDate?: number;
    /** protocol-relative URLs of the record itself and of related ones */
    $links?: Record<string, string>;
    [field: string]: unknown;
  };
  transcription?: {
    graphics?: string;
    [field: string]: unknown;
  };
  /** width to height; for example 16:9 */
  aspectRatio?: string;
  workflow?: Workflow;
  [field: string]: unknown;
}

/** An event as a notification carries it. */
export interface EmbeddedEvent {
  /** identifier of the record */
  _id?: string;
  /** for example wam, fd */
  type?: string;
  files?: string[];
  processed?: boolean;
  pushed?: boolean;
  digested?: boolean;
  /** point in time; the unit is not documented */
  created?: number;
  workRequest?: EventWorkRequest;
  projects?: {
    /** identifier of the record */
    _id?: string;
    name?: string;
    slug?: string;
    [field: string]: unknown;
  }[];
  urls?: Pages;
  notify?: {
    users?: string[];
    groups?: string[];
    [field: string]: unknown;
  };
  assets?: unknown[];
  from?: {
    /** identifier of the record */
    _id?: string;
    name?: string;
    /** e-mail address */
    emailNormal?: string;
    /** protocol-relative URLs of the record itself and of related ones */
    $links?: Record<string, string>;
    status?: UserStatus;
    username?: string;
    invite?: string;
    [field: string]: unknown;
  };
  [field: string]: unknown;
}

/** A preview as an asset carries it. */
export interface EmbeddedPreview {
  /** identifier of the record */
  _id?: string;
  /** id of the asset */
  asset?: string;
  /** point in time; the unit is not documented */
  created?: number;
  label?: string;
  /** three-letter code; for example fra, deu, jpn */
  language?: string;
  /** id of the project */
  project?: string;
  revision?: string;
  /** id of the studio */
  studio?: string;
  type?: string;
  cdn?: {
    domain?: string;
    path?: string;
    /** identifier of an access key */
    key?: string;
    [field: string]: unknown;
  };
  [field: string]: unknown;
}

/** A translation as a work request carries it, with its lines. */
export interface EmbeddedTranslation {
  /** identifier of the record */
  _id?: string;
  /** id of the asset */
  asset?: string;
  /** id of the work request */
  workRequest?: string;
  /** three-letter code; for example fra, deu, jpn */
  language?: string;
  /** for example incomplete, submitted */
  status?: string;
  /** point in time; the unit is not documented */
  created?: number;
  /** protocol-relative URLs of the record itself and of related ones */
  $links?: Record<string, string>;
  translator?: UserSummary;
  lines?: TranslationLine[];
  printLines?: unknown[];
  approval?: boolean;
  [field: string]: unknown;
}

/** A work request as an event carries it: what it refers to are ids. */
export interface EventWorkRequest {
  /** identifier of the record */
  _id?: string;
  /** id of the studio */
  studio?: string;
  /** for example preliminary-production, trailer.intl */
  assetType?: string;
  /** for example av */
  assetCategory?: string;
  auto?: boolean;
  autosubs?: boolean;
  dualLanguages?: boolean;
  autoMode?: boolean;
  /** width to height; for example 16:9, 2.39:1 */
  aspectRatio?: string;
  /** when it is due */
  due?: Deadline;
  /** when it has to be delivered */
  deliveryDeadline?: Deadline;
  /** three-letter code; for example fra, deu, jpn */
  language?: string;
  /** territory code; for example FRA, DEU */
  territory?: string;
  /** what becomes of dialogue, graphics and narration */
  dng?: {
    dialogue?: string[];
    graphics?: string[];
    narration?: string[];
    [field: string]: unknown;
  };
  /** what it will be used for */
  uses?: {
    items?: string[];
    /** keyed by the name of the item */
    details?: {
      [name: string]: {
        value?: string;
        ship?: boolean;
        [field: string]: unknown;
      }[];
    };
    [field: string]: unknown;
  };
  dcp?: {
    items?: unknown[];
    details?: unknown[];
    [field: string]: unknown;
  };
  /** for whoever carries it out */
  instructions?: string;
  /** where it stands; not all values are documented; for example awaiting-materials, incomplete */
  status?: string;
  /** each change of the status: when, by whom, why */
  history?: {
    /** point in time; the unit is not documented */
    date?: number;
    user?: UserSummary;
    status?: string;
    reason?: string;
    [field: string]: unknown;
  }[];
  shippingAddresses?: unknown[];
  estimate?: {
    base?: string;
    applied?: string;
    [field: string]: unknown;
  };
  /** pages of a client application */
  urls?: Pages;
  tags?: unknown[];
  rejections?: unknown[];
  encodes?: unknown[];
  offlines?: unknown[];
  graphicsAutomationJobs?: unknown[];
  files?: {
    name?: string;
    files?: unknown[];
    [field: string]: unknown;
  }[];
  /** what is needed to begin, and whether it is there */
  materials?: {
    name?: string;
    complete?: boolean;
    approved?: boolean;
    files?: unknown[];
    [field: string]: unknown;
  }[];
  reason?: string;
  /** point in time; the unit is not documented */
  created?: number;
  /** protocol-relative URLs of the record itself and of related ones */
  $links?: Record<string, string>;
  /** the values that the status can take */
  $statuses?: string[];
  audioFile?: string | null;
  /** id of the project */
  project?: string;
  /** id of the asset */
  asset?: string;
  /** id of the user */
  from?: string;
  recipients?: unknown[];
  /** id of the translation */
  translation?: string;
  /** id of the translation of graphics */
  graphicsTranslation?: string;
  [field: string]: unknown;
}

/** Addresses in a client application, with the placeholders :workRequest and :code. */
export interface Pages {
  view?: string;
  manage?: string;
  invite?: string;
  translate?: string;
  [field: string]: unknown;
}

/** A project as a work request carries it. */
export interface ProjectSummary {
  /** identifier of the record */
  _id?: string;
  name?: string;
  slug?: string;
  /** id of the studio */
  studio?: string;
  /** id of the file */
  logo?: string;
  /** protocol-relative URLs of the record itself and of related ones */
  $links?: Record<string, string>;
  [field: string]: unknown;
}

/** Who gets it, by kind of delivery. */
export interface Recipients {
  Broadcast?: unknown[];
  Dcp?: unknown[];
  Streamingfile?: unknown[];
  Online?: unknown[];
  Theatrical?: unknown[];
  Cmyk?: unknown[];
  Rgb?: unknown[];
  '2D Scope'?: unknown[];
  '2D Flat'?: unknown[];
  '2D Combo'?: unknown[];
  '3D Flat'?: unknown[];
  '3D Scope'?: unknown[];
  '3D Combo'?: unknown[];
  [field: string]: unknown;
}

/** One subtitle. */
export interface TranslationLine {
  number?: number;
  /** HTML fragment */
  text?: string;
  auto?: boolean;
  custom?: boolean;
  machine?: boolean;
  /** HH:MM:SS,mmm; for example 00:00:04,120 */
  startTime?: string;
  /** HH:MM:SS,mmm; for example 00:00:06,480 */
  stopTime?: string;
  alignment?: string;
  textAlign?: string;
  split?: string;
  merged?: string;
  range?: number[];
  [field: string]: unknown;
}

/** How far the registration has come. */
export interface UserStatus {
  invited?: boolean;
  approved?: boolean;
  registered?: boolean;
  confirmed?: boolean;
  [field: string]: unknown;
}

/** The person behind a record. */
export interface UserSummary {
  /** identifier of the record */
  _id?: string;
  name?: string;
  /** e-mail address */
  emailNormal?: string;
  groups?: {
    /** identifier of the record */
    _id?: string;
    name?: string;
    /** protocol-relative URLs of the record itself and of related ones */
    $links?: Record<string, string>;
    [field: string]: unknown;
  }[];
  [field: string]: unknown;
}

/** The phases of an asset, and the one that it is in. */
export interface Workflow {
  id?: string;
  /** for example WIP, LOCK, FINAL */
  phase?: string;
  definition?: {
    /** keyed by the name of the phase */
    phases?: {
      [name: string]: {
        groups?: {
          id?: string;
          dng?: unknown[];
          usages?: unknown[];
          [field: string]: unknown;
        }[];
        users?: unknown[];
        terminal?: boolean;
        [field: string]: unknown;
      };
    };
    requireGraphicsApproval?: boolean;
    requireOfflineApproval?: boolean;
    [field: string]: unknown;
  };
  [field: string]: unknown;
}

/** Every record, by the name that the endpoints use. */
export interface Records {
  asset: Asset;
  download: Download;
  event: Event;
  file: File;
  notification: Notification;
  offline: Offline;
  preview: Preview;
  session: Session;
  translation: Translation;
  user: User;
  workRequest: WorkRequest;
  workRequestDraft: WorkRequestDraft;
  /** Not documented. */
  signOut: unknown;
}
