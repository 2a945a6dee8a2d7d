package journal

import "context"

// Parcel is something to be delivered elsewhere.
type Parcel struct {
	ID      string // unlike every other
	Subject string
	Data    []byte
}

// Outbox is the part of a journal that is to be delivered elsewhere. It is in the journal's
// file, so it survives the process.
type Outbox struct {
	journal *Journal
	owner   string
}

// outboxTable is made where it is needed and is no part of the schema's versions: a
// journal that never had an outbox, and a program that knows none, stay as they are.
const outboxTable = `CREATE TABLE IF NOT EXISTS outbox (
	number  INTEGER PRIMARY KEY, -- in the order in which they were put there
	owner   TEXT NOT NULL,       -- who delivers it
	id      TEXT NOT NULL UNIQUE,
	subject TEXT NOT NULL,
	data    BLOB NOT NULL
) STRICT`

// Outbox returns the outbox that an owner has in the journal, and makes it when there is
// none.
func (j *Journal) Outbox(ctx context.Context, owner string) (*Outbox, error) {
	if _, err := j.db.ExecContext(ctx, outboxTable); err != nil {
		return nil, j.failed(err)
	}
	return &Outbox{j, owner}, nil
}

// Add puts a parcel there; it is on the disk when Add returns.
func (o *Outbox) Add(ctx context.Context, p Parcel) error {
	if _, err := o.journal.db.ExecContext(ctx, "INSERT INTO outbox (owner, id, subject, data) VALUES (?, ?, ?, ?)", o.owner, p.ID, p.Subject, p.Data); err != nil {
		return o.journal.failed(err)
	}
	return nil
}

// Oldest returns the oldest parcels, at most n.
func (o *Outbox) Oldest(ctx context.Context, n int) ([]Parcel, error) {
	rows, err := o.journal.db.QueryContext(ctx, "SELECT id, subject, data FROM outbox WHERE owner = ? ORDER BY number LIMIT ?", o.owner, n)
	if err != nil {
		return nil, o.journal.failed(err)
	}
	defer rows.Close()
	var parcels []Parcel
	for rows.Next() {
		var p Parcel
		if err := rows.Scan(&p.ID, &p.Subject, &p.Data); err != nil {
			return nil, o.journal.failed(err)
		}
		parcels = append(parcels, p)
	}
	if err := rows.Err(); err != nil {
		return nil, o.journal.failed(err)
	}
	return parcels, nil
}

// Remove takes a parcel out that was delivered.
func (o *Outbox) Remove(ctx context.Context, id string) error {
	if _, err := o.journal.db.ExecContext(ctx, "DELETE FROM outbox WHERE id = ?", id); err != nil {
		return o.journal.failed(err)
	}
	return nil
}
