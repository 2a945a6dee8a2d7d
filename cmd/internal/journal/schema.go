package journal

import (
	"context"
	"fmt"
)

// applicationID marks the file as tapwise's: "tapw".
const applicationID = 0x74617077

// migrations lead from each version of the schema to the next. The version of
// a file, its user_version, is the number of migrations it has been through; a
// migration that was released never changes.
//
// Times are UTC in the form 2006-01-02T15:04:05.000Z, which sorts as text;
// durations are in seconds.
var migrations = []string{
	`CREATE TABLE runs (
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
	CREATE UNIQUE INDEX won_once ON attempts (run, level) WHERE verdict = 'won';`,

	// A level that was won before the run was interrupted, and is on the screen
	// again when it goes on, is played once more but counts once.
	`DROP INDEX won_once;
	ALTER TABLE attempts ADD COLUMN again INTEGER NOT NULL DEFAULT 0; -- 1: the level was won before
	CREATE UNIQUE INDEX won_once ON attempts (run, level) WHERE verdict = 'won' AND again = 0;`,

	// A level that was won may not have been seen to be.
	`ALTER TABLE attempts ADD COLUMN unconfirmed TEXT NOT NULL DEFAULT ''; -- why the win is not certain; empty: it is, or there is none`,

	// An order of the fleet's is one run, on whichever phones it was played.
	`ALTER TABLE runs ADD COLUMN ordered TEXT NOT NULL DEFAULT ''; -- the order's name; empty: there was none
	CREATE UNIQUE INDEX ordered_once ON runs (ordered) WHERE ordered <> '';
	ALTER TABLE attempts ADD COLUMN serial TEXT NOT NULL DEFAULT ''; -- the phone's; empty: the run's
	ALTER TABLE attempts ADD COLUMN model TEXT NOT NULL DEFAULT '';  -- likewise`,
}

// migrate brings a file to the newest version of the schema, wholly or not at all. The
// transaction is one for writing from its start, so that when two processes open a file,
// one migrates it and the other finds it done.
func migrate(ctx context.Context, db database, steps []string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after a commit it does nothing
	var version, application, tables, own int
	if err := tx.QueryRowContext(ctx, "SELECT (SELECT user_version FROM pragma_user_version), (SELECT application_id FROM pragma_application_id), (SELECT count(*) FROM sqlite_schema), (SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('runs', 'attempts'))").
		Scan(&version, &application, &tables, &own); err != nil {
		return err
	}
	unmarked := application == 0 && version > 0 && own == 2 // from before journals were marked
	switch {
	case application != applicationID && (application != 0 || tables != 0 && !unmarked):
		return ErrForeign
	case version > len(steps):
		return fmt.Errorf("written by a newer tapwise: its schema has version %d, this tapwise knows up to %d", version, len(steps))
	case version == len(steps) && !unmarked:
		return nil
	}
	for i := max(0, version); i < len(steps); i++ { // damage can make it negative
		if _, err := tx.ExecContext(ctx, steps[i]); err != nil {
			return fmt.Errorf("migration to version %d: %w", i+1, explain(err))
		}
	}
	// These take no parameters.
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, len(steps))); err != nil {
		return err
	}
	return tx.Commit()
}
