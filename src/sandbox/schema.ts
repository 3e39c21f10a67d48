import type { Resource } from '../api/endpoints.ts';

/** What is stored: what the API serves, and what its records refer to. */
export type Kind = Exclude<Resource, 'Session' | 'Download'> | 'Project' | 'Studio';

/** "mars": marks a database file as a sandbox's. */
export const applicationId = 0x6d617273;
/** Raised by one whenever the tables change. */
export const schemaVersion = 1;

/**
 * A record is its JSON text. The columns beside it repeat what lists are filtered and ordered by,
 * since taking it out of the text for every row of every page would be slow.
 */
export const tables = `
  CREATE TABLE records (
    seq INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    created REAL NOT NULL,
    /* An asset in a workflow phase that is not the last one. */
    open INTEGER NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (kind, id)
  );
  CREATE INDEX records_newest ON records (kind, created, seq);
  CREATE INDEX records_open ON records (kind, created, seq) WHERE open;

  CREATE TABLE downloads (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    created REAL NOT NULL,
    studio TEXT,
    project TEXT,
    project_name TEXT,
    asset_name TEXT,
    asset_type TEXT,
    file_name TEXT,
    user TEXT,
    /* The names, folded for searching. */
    search TEXT NOT NULL,
    body TEXT NOT NULL
  );
  CREATE INDEX downloads_newest ON downloads (created, seq);

  CREATE TABLE accounts (
    user_id TEXT PRIMARY KEY,
    /* In lower case. */
    email TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL
  ) WITHOUT ROWID;

  CREATE TABLE tokens (
    hash TEXT PRIMARY KEY,
    user_id TEXT NOT NULL
  ) WITHOUT ROWID;

  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${schemaVersion};
`;
