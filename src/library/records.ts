// Generated from the schemas by `npm run build`. Do not edit.

/** A piece of media of a project, for example a trailer or a poster. */
export interface Asset {
  /** id of the record */
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
  /** time as an integer; the unit is not documented */
  created?: number;
  /** protocol-relative URLs of this record and related records */
  $links?: {
    self?: string;
    thumbnail?: string;
    project?: string;
    studio?: string;
    type?: string;
  };
  $flags?: unknown[];
  $permissions?: AssetPermissions;
  $embargo?: boolean;
  $feedback?: {
    share?: string;
    vote?: string;
    summary?: unknown[];
    [field: string]: unknown;
  };
  aspectRatio?: string;
  /** allowed uses */
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
  /** id of the thumbnail file */
  thumbnail?: string;
  [field: string]: unknown;
}

/** A record of one downloaded file. */
export interface Download {
  /** id of the record */
  _id?: string;
  asset?: {
    /** id of the record */
    _id?: string;
    name?: string;
    type?: string;
    [field: string]: unknown;
  };
  project?: {
    /** id of the record */
    _id?: string;
    /** a string by our reading: the type is not documented */
    name?: string;
    [field: string]: unknown;
  };
  file?: {
    /** id of the record */
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
  /** time as an integer; the unit is not documented */
  created?: number;
  [field: string]: unknown;
}

/** Something that happened, about which users are notified. */
export interface Event {
  /** id of the record */
  _id?: string;
  from?: {
    /** id of the record */
    _id?: string;
    name?: string;
    /** e-mail address */
    emailNormal?: string;
    /** protocol-relative URLs of this record and related records */
    $links?: {
      self?: string;
    };
    status?: UserStatus;
    username?: string;
    invite?: string;
    [field: string]: unknown;
  };
  /** wam: a work request awaits materials; fd: about files; for example wam, fd */
  type?: string;
  /** ids of files (type fd) */
  files?: string[];
  processed?: boolean;
  pushed?: boolean;
  digested?: boolean;
  /** time as an integer; the unit is not documented */
  created?: number;
  /** the work request (type wam) */
  workRequest?: EventWorkRequest;
  projects?: {
    /** id of the record */
    _id?: string;
    /** a string by our reading: the type is not documented */
    name?: string;
    /** a string by our reading: the type is not documented */
    slug?: string;
    [field: string]: unknown;
  }[];
  urls?: Pages;
  /** ids of the users and groups to notify */
  notify?: {
    users?: string[];
    groups?: string[];
    [field: string]: unknown;
  };
  assets?: unknown[];
  [field: string]: unknown;
}

/** The metadata of a file of an asset, without its content. */
export interface File {
  /** id of the record */
  _id?: string;
  /** id of the studio */
  studio?: string;
  /** id of the project */
  project?: string;
  /** id of the asset */
  asset?: string;
  /** file name */
  name?: string;
  /** three-letter language code; for example fra, deu, jpn */
  language?: string;
  /** country code; for example US, FR */
  country?: string;
  tags?: string[];
  /** storage path */
  path?: string;
  verified?: boolean;
  embargo?: {
    event?: boolean;
    /** end of the embargo, as an integer time; the unit is not documented */
    end?: number;
    [field: string]: unknown;
  };
  warnings?: unknown[];
  aspera?: {
    username?: string;
    [field: string]: unknown;
  };
  /** time as an integer; the unit is not documented */
  created?: number;
  $flags?: unknown[];
  /** protocol-relative URLs of this record and related records */
  $links?: {
    self?: string;
    project?: string;
    asset?: string;
  };
  $aspera?: {
    downloaded?: boolean;
    [field: string]: unknown;
  };
  [field: string]: unknown;
}

/** A message to one user about an event that another user caused. */
export interface Notification {
  /** id of the record */
  _id?: string;
  /** id of the user who caused the event */
  from?: string;
  /** id of the user who receives it */
  to?: string;
  event?: Event;
  /** type of the event; for example wam, fd */
  type?: string;
  title?: string;
  emailSubject?: string;
  read?: boolean;
  viewed?: boolean;
  sent?: boolean;
  /** time as an integer; the unit is not documented */
  added?: number;
  /** time as an integer; the unit is not documented */
  created?: number;
  /** protocol-relative URLs of this record and related records */
  $links?: {
    self?: string;
  };
  [field: string]: unknown;
}

/** An offline file of a work request. */
export interface Offline {
  /** id of the record */
  _id?: string;
  /** id of the work request */
  workRequest?: string;
  /** id of the user */
  from?: string;
  /** id of the project */
  project?: string;
  /** id of the asset */
  asset?: string;
  /** signed URL: anyone who has it can open the file */
  path?: string;
  /** time as an integer; the unit is not documented */
  created?: number;
  /** protocol-relative URLs of this record and related records */
  $links?: {
    self?: string;
  };
  [field: string]: unknown;
}

/** A preview of an asset. */
export interface Preview {
  /** id of the record */
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
  /** time as an integer; the unit is not documented */
  created?: number;
  /** signed URL: anyone who has it can open the file */
  path?: string;
  /** protocol-relative URLs of this record and related records */
  $links?: {
    self?: string;
    asset?: string;
    project?: string;
    studio?: string;
  };
  [field: string]: unknown;
}

/** The response to a login. */
export interface Session {
  /** used as the password of later requests, with the prefix token- */
  token: string;
  /** e-mail address of the account */
  email: string;
  [field: string]: unknown;
}

/** A translation of an asset for a work request. */
export interface Translation {
  /** id of the record */
  _id?: string;
  /** id of the asset */
  asset?: string;
  /** id of the work request */
  workRequest?: string;
  /** three-letter language code; for example fra, deu, jpn */
  language?: string;
  /** for example incomplete, submitted */
  status?: string;
  /** time as an integer; the unit is not documented */
  created?: number;
  /** protocol-relative URLs of this record and related records */
  $links?: {
    self?: string;
    asset?: string;
    workRequest?: string;
  };
  [field: string]: unknown;
}

/** A user with groups and preferences. */
export interface User {
  /** id of the record */
  _id?: string;
  /** same as _id */
  id?: string;
  /** e-mail address */
  emailNormal?: string;
  /** e-mail address */
  username?: string;
  name?: string;
  /** registration URL with the placeholder :code */
  invite?: string;
  /** hashed password; mar prints [redacted] and does not send that text back */
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
    /** id of the record */
    _id?: string;
    /** a string by our reading: the type is not documented */
    name?: string;
    /** a string by our reading: the type is not documented; for example FRA */
    code?: string;
    /** a string by our reading: the type is not documented */
    standard?: string;
    countries?: {
      /** a string by our reading: the type is not documented */
      name?: string;
      /** a string by our reading: the type is not documented */
      code?: string;
      [field: string]: unknown;
    }[];
    languages?: {
      /** a string by our reading: the type is not documented */
      name?: string;
      /** a string by our reading: the type is not documented */
      code?: string;
      /** a string by our reading: the type is not documented */
      dcpCode?: string;
      [field: string]: unknown;
    }[];
    assignedLanguages?: string[];
    [field: string]: unknown;
  };
  groups?: {
    /** id of the record */
    _id?: string;
    /** a string by our reading: the type is not documented */
    name?: string;
    type?: string;
    studios?: unknown[];
    users?: string[];
    addresses?: {
      /** a string by our reading: the type is not documented */
      name?: string;
      /** a string by our reading: the type is not documented */
      address?: string;
      /** a string by our reading: the type is not documented */
      city?: string;
      /** a string by our reading: the type is not documented */
      state?: string;
      /** a string by our reading: the type is not documented */
      postalCode?: string;
      /** a string by our reading: the type is not documented */
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
    /** mail settings; the meaning of the numbers is not documented */
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
      /** a string by our reading: the type is not documented */
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
  /** protocol-relative URLs of this record and related records */
  $links?: {
    self?: string;
  };
  [field: string]: unknown;
}

/** A request for a localised version of an asset. */
export interface WorkRequest {
  /** id of the record */
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
  /** width:height; for example 16:9, 2.39:1 */
  aspectRatio?: string;
  /** due date */
  due?: Deadline;
  /** delivery deadline */
  deliveryDeadline?: Deadline;
  /** three-letter language code; for example fra, deu, jpn */
  language?: string;
  /** territory code; for example FRA, DEU */
  territory?: string;
  /** treatment of dialogue, graphics and narration */
  dng?: {
    dialogue?: string[];
    graphics?: string[];
    narration?: string[];
    [field: string]: unknown;
  };
  /** intended uses */
  uses?: {
    items?: string[];
    /** details by name of the item */
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
  /** instructions for the people who do the work */
  instructions?: string;
  /** current status; the API does not list all values; for example awaiting-materials, incomplete */
  status?: string;
  /** changes of the status: date, user and reason */
  history?: {
    /** time as an integer; the unit is not documented */
    date?: number;
    user?: HistoryUser;
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
  /** pages of the web application */
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
  /** materials needed, and whether they are complete and approved */
  materials?: {
    name?: string;
    complete?: boolean;
    approved?: boolean;
    files?: unknown[];
    [field: string]: unknown;
  }[];
  reason?: string;
  /** time as an integer; the unit is not documented */
  created?: number;
  /** protocol-relative URLs of this record and related records */
  $links?: {
    self?: string;
    project?: string;
    asset?: string;
    from?: string;
    graphicsTranslation?: string;
    translation?: string;
  };
  /** possible values of the status */
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

/** A request for a localised version of an asset. Related records are documented as objects. */
export interface WorkRequestDraft {
  /** id of the record */
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
  /** width:height; for example 16:9, 2.39:1 */
  aspectRatio?: string;
  /** due date */
  due?: Deadline;
  /** delivery deadline */
  deliveryDeadline?: Deadline;
  /** three-letter language code; for example fra, deu, jpn */
  language?: string;
  /** territory code; for example FRA, DEU */
  territory?: string;
  /** treatment of dialogue, graphics and narration */
  dng?: {
    dialogue?: string[];
    graphics?: string[];
    narration?: string[];
    [field: string]: unknown;
  };
  /** intended uses */
  uses?: {
    items?: string[];
    /** details by name of the item */
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
  /** instructions for the people who do the work */
  instructions?: string;
  /** current status; the API does not list all values; for example awaiting-materials, incomplete */
  status?: string;
  /** changes of the status: date, user and reason */
  history?: {
    /** time as an integer; the unit is not documented */
    date?: number;
    user?: HistoryUser;
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
  /** pages of the web application */
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
  /** materials needed, and whether they are complete and approved */
  materials?: {
    name?: string;
    complete?: boolean;
    approved?: boolean;
    files?: unknown[];
    [field: string]: unknown;
  }[];
  reason?: string;
  /** time as an integer; the unit is not documented */
  created?: number;
  /** protocol-relative URLs of this record and related records */
  $links?: {
    self?: string;
    project?: string;
    asset?: string;
    from?: string;
    graphicsTranslation?: string;
    translation?: string;
  };
  /** possible values of the status */
  $statuses?: string[];
  audioFile?: string | null;
  /** project: an object with an _id. Documented as the whole record; mar sends the _id alone. An id as a string is not documented: mar sends it only if you write it */
  project?: string | ProjectSummary;
  /** asset: an object with an _id. Documented as the whole record; mar sends the _id alone. An id as a string is not documented: mar sends it only if you write it */
  asset?: string | EmbeddedAsset;
  /** user who made the request: an object with an _id. Documented as the whole record; mar sends the _id alone. An id as a string is not documented: mar sends it only if you write it */
  from?: string | UserSummary;
  recipients?: Recipients;
  /** translation: an object with an _id. Documented as the whole record; mar sends the _id alone. An id as a string is not documented: mar sends it only if you write it */
  translation?: string | EmbeddedTranslation;
  /** translation of the graphics: an object with an _id. Documented as the whole record; mar sends the _id alone. An id as a string is not documented: mar sends it only if you write it */
  graphicsTranslation?: string | EmbeddedTranslation;
  [field: string]: unknown;
}

/** Actions that are allowed with an asset. */
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

/** A time and its time zone. */
export interface Deadline {
  /** time as an integer; the unit is not documented */
  date?: number;
  /** time zone name; for example Europe/Paris */
  tz?: string;
  [field: string]: unknown;
}

/** An asset inside a work request. */
export interface EmbeddedAsset {
  /** id of the record */
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
  /** time as an integer; the unit is not documented */
  created?: number;
  /** protocol-relative URLs of this record and related records */
  $links?: {
    self?: string;
    thumbnail?: string;
    project?: string;
    studio?: string;
    type?: string;
  };
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
    /** id of the record */
    _id?: string;
    verified?: boolean;
    embargo?: {
      event?: boolean;
      [field: string]: unknown;
    };
    warnings?: unknown[];
    /** a string by our reading: the type is not documented */
    mime?: string;
    /** a string by our reading: the type is not documented */
    bucket?: string;
    tags?: unknown[];
    chunkSize?: number;
    length?: number;
    md5?: string;
    /** time as an integer; the unit is not documented */
    uploadDate?: number;
    /** protocol-relative URLs of this record and related records */
    $links?: {
      self?: string;
    };
    [field: string]: unknown;
  };
  transcription?: {
    graphics?: string;
    [field: string]: unknown;
  };
  /** width:height; for example 16:9 */
  aspectRatio?: string;
  workflow?: Workflow;
  [field: string]: unknown;
}

/** A preview inside an asset. */
export interface EmbeddedPreview {
  /** id of the record */
  _id?: string;
  /** id of the asset */
  asset?: string;
  /** time as an integer; the unit is not documented */
  created?: number;
  label?: string;
  /** three-letter language code; for example fra, deu, jpn */
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
    /** id of an access key */
    key?: string;
    [field: string]: unknown;
  };
  [field: string]: unknown;
}

/** A translation inside a work request, with its lines. */
export interface EmbeddedTranslation {
  /** id of the record */
  _id?: string;
  /** id of the asset */
  asset?: string;
  /** id of the work request */
  workRequest?: string;
  /** three-letter language code; for example fra, deu, jpn */
  language?: string;
  /** for example incomplete, submitted */
  status?: string;
  /** time as an integer; the unit is not documented */
  created?: number;
  /** protocol-relative URLs of this record and related records */
  $links?: {
    self?: string;
  };
  translator?: UserSummary;
  lines?: TranslationLine[];
  printLines?: unknown[];
  approval?: boolean;
  [field: string]: unknown;
}

/** A work request inside an event. Related records are ids. */
export interface EventWorkRequest {
  /** id of the record */
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
  /** width:height; for example 16:9, 2.39:1 */
  aspectRatio?: string;
  /** due date */
  due?: Deadline;
  /** delivery deadline */
  deliveryDeadline?: Deadline;
  /** three-letter language code; for example fra, deu, jpn */
  language?: string;
  /** territory code; for example FRA, DEU */
  territory?: string;
  /** treatment of dialogue, graphics and narration */
  dng?: {
    dialogue?: string[];
    graphics?: string[];
    narration?: string[];
    [field: string]: unknown;
  };
  /** intended uses */
  uses?: {
    items?: string[];
    /** details by name of the item */
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
  /** instructions for the people who do the work */
  instructions?: string;
  /** current status; the API does not list all values; for example awaiting-materials, incomplete */
  status?: string;
  /** changes of the status: date, user and reason */
  history?: {
    /** time as an integer; the unit is not documented */
    date?: number;
    user?: HistoryUser;
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
  /** pages of the web application */
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
  /** materials needed, and whether they are complete and approved */
  materials?: {
    name?: string;
    complete?: boolean;
    approved?: boolean;
    files?: unknown[];
    [field: string]: unknown;
  }[];
  reason?: string;
  /** time as an integer; the unit is not documented */
  created?: number;
  /** protocol-relative URLs of this record and related records */
  $links?: {
    self?: string;
    project?: string;
    asset?: string;
    from?: string;
    graphicsTranslation?: string;
    translation?: string;
  };
  /** possible values of the status */
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
  /** id of the translation of the graphics */
  graphicsTranslation?: string;
  [field: string]: unknown;
}

/** The user who changed a status. */
export interface HistoryUser {
  /** id of the record */
  _id?: string;
  name?: string;
  /** e-mail address */
  emailNormal?: string;
  groups?: {
    /** id of the record */
    _id?: string;
    /** a string by our reading: the type is not documented */
    name?: string;
    [field: string]: unknown;
  }[];
  [field: string]: unknown;
}

/** URLs of the web application, with the placeholders :workRequest and :code. */
export interface Pages {
  view?: string;
  manage?: string;
  invite?: string;
  translate?: string;
  [field: string]: unknown;
}

/** A project inside a work request. */
export interface ProjectSummary {
  /** id of the record */
  _id?: string;
  /** a string by our reading: the type is not documented */
  name?: string;
  /** a string by our reading: the type is not documented */
  slug?: string;
  /** id of the studio */
  studio?: string;
  /** id of the logo file */
  logo?: string;
  /** protocol-relative URLs of this record and related records */
  $links?: {
    self?: string;
  };
  [field: string]: unknown;
}

/** Recipients by kind of delivery. */
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
  /** text as an HTML fragment */
  text?: string;
  auto?: boolean;
  custom?: boolean;
  machine?: boolean;
  /** start, as HH:MM:SS,mmm; for example 00:00:04,120 */
  startTime?: string;
  /** end, as HH:MM:SS,mmm; for example 00:00:06,480 */
  stopTime?: string;
  alignment?: string;
  textAlign?: string;
  split?: string;
  merged?: string;
  range?: number[];
  [field: string]: unknown;
}

/** The steps of the registration. */
export interface UserStatus {
  invited?: boolean;
  approved?: boolean;
  registered?: boolean;
  confirmed?: boolean;
  [field: string]: unknown;
}

/** A short form of a user, inside other records. */
export interface UserSummary {
  /** id of the record */
  _id?: string;
  name?: string;
  /** e-mail address */
  emailNormal?: string;
  groups?: {
    /** id of the record */
    _id?: string;
    /** a string by our reading: the type is not documented */
    name?: string;
    /** protocol-relative URLs of this record and related records */
    $links?: {
      self?: string;
    };
    [field: string]: unknown;
  }[];
  [field: string]: unknown;
}

/** The phases of an asset and its current phase. */
export interface Workflow {
  id?: string;
  /** for example WIP, LOCK, FINAL */
  phase?: string;
  definition?: {
    /** phases by name */
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

/** All records, by the names that the endpoints use. */
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
