// Package journal records what was played, in a file that says at any moment,
// even after a crash, which levels were begun and how each ended.
//
// A [Run] is one phone clearing levels of one game. An [Attempt] is one try at
// a level. It is saved as Started once its board was read and solved, before
// the first touch, and saved again when it is over. An attempt that is still
// Started therefore belongs to a process that is playing it now, or that died.
//
//	j, err := journal.Open(ctx, file)
//	err = j.SaveRun(ctx, &run)             // gives it its ID
//	err = j.SaveAttempt(ctx, &attempt)     // likewise, on the disk when it returns
//	list, err := j.Attempts(ctx, journal.Filter{Game: game.Name(), Since: yesterday})
//
// # The file
//
// Before SQLite opens a file, its header and the log beside it show whether it is
// a journal: a database of another program is refused and stays unchanged.
// A read-only journal is read from a copy.
//
// The file is an SQLite database with two tables, runs and attempts, which
// schema.go documents; it can be read with any SQLite tool while it is written.
// It is kept in write-ahead mode, with a sync at each commit: an attempt costs
// two syncs of one file, while the rollback journal takes two or three for each
// commit; readers never stop the process that plays; and a killed process
// leaves either a whole commit or none. The next process that opens
// the file merges the log beside it (FILE-wal). Write-ahead
// mode needs shared memory, so the file must not lie on a network share.
package journal
