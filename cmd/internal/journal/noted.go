package journal

import (
	"context"
	"database/sql"
	"errors"
)

// Noted is which folders of evidence were left by what an owner reported elsewhere.
type Noted struct {
	journal *Journal
	owner   string
}

// notedTable is made where it is needed, as the outbox is.
const notedTable = `CREATE TABLE IF NOT EXISTS noted (
	number INTEGER PRIMARY KEY, -- in the order in which they were noted
	owner  TEXT NOT NULL,       -- who reported it
	id     TEXT NOT NULL,       -- under which it was reported
	folder TEXT NOT NULL,
	UNIQUE (owner, id)
) STRICT`

// mostNoted is how many folders are remembered for an owner; older ones are forgotten.
const mostNoted = 1000

// Noted returns the folders that an owner noted in the journal.
func (j *Journal) Noted(ctx context.Context, owner string) (*Noted, error) {
	if _, err := j.db.ExecContext(ctx, notedTable); err != nil {
		return nil, j.failed(err)
	}
	return &Noted{j, owner}, nil
}

// Note remembers the folder that was left by what has an ID.
func (n *Noted) Note(ctx context.Context, id, folder string) error {
	_, err := n.journal.db.ExecContext(ctx, "INSERT INTO noted (owner, id, folder) VALUES (?, ?, ?)", n.owner, id, folder)
	if err == nil {
		_, err = n.journal.db.ExecContext(ctx, `DELETE FROM noted WHERE owner = ? AND number <=
			(SELECT number FROM noted WHERE owner = ? ORDER BY number DESC LIMIT 1 OFFSET ?)`, n.owner, n.owner, mostNoted)
	}
	if err != nil {
		return n.journal.failed(err)
	}
	return nil
}

// Folder returns the folder that was noted for an ID; empty for none.
func (n *Noted) Folder(ctx context.Context, id string) (string, error) {
	var folder string
	err := n.journal.db.one(ctx, &folder, "SELECT folder FROM noted WHERE owner = ? AND id = ?", n.owner, id)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", n.journal.failed(err)
	}
	return folder, nil
}
