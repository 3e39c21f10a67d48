/*
 * A record is stored as its JSON text. The other columns repeat the values that lists filter and
 * sort by, because parsing the text of every row would be slow.
 */
CREATE TABLE records (
  seq INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  created REAL NOT NULL,
  /* 1 for an asset whose workflow phase is not the last one. */
  open INTEGER NOT NULL,
  /* The names in a download, normalised for searching. */
  search TEXT,
  body TEXT NOT NULL,
  /* Fields of a download. Other records do not pay for them. */
  studio TEXT AS (iif(kind = 'Download', body ->> '$.file.studio', NULL)) STORED,
  project TEXT AS (iif(kind = 'Download', body ->> '$.project._id', NULL)) STORED,
  project_name TEXT AS (iif(kind = 'Download', body ->> '$.project.name', NULL)) STORED,
  asset_name TEXT AS (iif(kind = 'Download', body ->> '$.asset.name', NULL)) STORED,
  asset_type TEXT AS (iif(kind = 'Download', body ->> '$.asset.type', NULL)) STORED,
  file_name TEXT AS (iif(kind = 'Download', body ->> '$.file.name', NULL)) STORED,
  user TEXT AS (iif(kind = 'Download', body ->> '$.user', NULL)) STORED,
  UNIQUE (kind, id)
);
CREATE INDEX records_newest ON records (kind, created, seq);
CREATE INDEX records_open ON records (kind, created, seq) WHERE open;

CREATE TABLE accounts (
  user_id TEXT PRIMARY KEY,
  /* In lower case. */
  email TEXT NOT NULL UNIQUE
) WITHOUT ROWID;

CREATE TABLE tokens (
  hash TEXT PRIMARY KEY,
  user_id TEXT NOT NULL
) WITHOUT ROWID;
