-- A journal as version 1 of the schema wrote it.
PRAGMA application_id = 1952542839;
PRAGMA user_version = 1;
CREATE TABLE runs (
  id      INTEGER PRIMARY KEY,
  started TEXT    NOT NULL,
  ended   TEXT    NOT NULL DEFAULT '', -- empty: under way, or its process died
  serial  TEXT    NOT NULL,            -- the phone's adb name
  model   TEXT    NOT NULL,
  game    TEXT    NOT NULL,
  levels  INTEGER NOT NULL,            -- how many were to be won; 0: all there are
  outcome TEXT    NOT NULL DEFAULT '' CHECK (outcome IN ('', 'done', 'failed', 'interrupted')),
  error   TEXT    NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE attempts (
  id       INTEGER PRIMARY KEY,
  run      INTEGER NOT NULL REFERENCES runs (id),
  level    INTEGER NOT NULL,            -- of the run, from 1, as they came; tries at the same one have the same
  started  TEXT    NOT NULL,
  ended    TEXT    NOT NULL DEFAULT '',
  verdict  TEXT    NOT NULL CHECK (verdict IN ('started', 'won', 'failed', 'interrupted', 'unknown')),
  board    TEXT    NOT NULL,            -- in the game's notation; empty when none was read
  hash     TEXT    NOT NULL,            -- of the board
  rows     INTEGER NOT NULL,
  cols     INTEGER NOT NULL,
  solution TEXT    NOT NULL,
  settle   REAL    NOT NULL,
  read     REAL    NOT NULL,
  solve    REAL    NOT NULL,
  play     REAL    NOT NULL,
  verify   REAL    NOT NULL,
  captures INTEGER NOT NULL,
  redone   INTEGER NOT NULL,            -- 1: some of it had to be played again
  error    TEXT    NOT NULL DEFAULT '',
  evidence TEXT    NOT NULL DEFAULT ''  -- a folder
) STRICT;
CREATE INDEX runs_by_phone ON runs (serial, game);
CREATE INDEX attempts_by_run ON attempts (run, level);
CREATE INDEX attempts_by_time ON attempts (started);
-- Whatever happens, no level of a run is won twice.
CREATE UNIQUE INDEX won_once ON attempts (run, level) WHERE verdict = 'won';
INSERT INTO runs VALUES (1, '2026-11-21T12:00:00.000Z', '', 'R58M', 'Pixel', 'flow', 3, '', '');
INSERT INTO attempts VALUES (1, 1, 1, '2026-11-21T12:00:00.000Z', '2026-11-21T12:00:03.000Z', 'won', 'AB'||char(10)||'AB', '4db2016fabad679e', 2, 2, 'aabb',
  0.12, 0.000007, 0.001, 2.0, 0.3, 5, 0, '', '');
INSERT INTO attempts VALUES (2, 1, 2, '2026-11-21T12:00:04.000Z', '', 'started', '', '', 0, 0, '', 0.0, 0.0, 0.0, 0.0, 0.0, 0, 0, '', '');
