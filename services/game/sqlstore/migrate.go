package sqlstore

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations
var migrations embed.FS

// dialect says which migrations are for a database, and how they are run. The migrations of either have the same numbers.
type dialect struct {
	goose  goose.Dialect
	folder string
	// locked has processes that migrate one database at once follow each other.
	locked bool
}

var (
	dialectSQLite   = dialect{goose: goose.DialectSQLite3, folder: "migrations/sqlite"}
	dialectPostgres = dialect{goose: goose.DialectPostgres, folder: "migrations/postgres", locked: true}
)

// Migrate brings the schema of the database at an address up to date. Of SQLite, it creates the file if there is none.
func Migrate(ctx context.Context, address string) error {
	return withDatabase(ctx, address, func(d dialect, db *sql.DB) error { return migrate(ctx, d, db) })
}

// SchemaVersion returns the version of the schema of the database at an address, 0 for a new one, and the one that this
// program works with.
func SchemaVersion(ctx context.Context, address string) (current, latest int64, err error) {
	err = withDatabase(ctx, address, func(d dialect, db *sql.DB) error {
		current, latest, err = schemaVersions(ctx, d, db)
		return err
	})
	return current, latest, err
}

func withDatabase(ctx context.Context, address string, do func(dialect, *sql.DB) error) error {
	if isPostgres(address) {
		return withPostgres(address, func(db *sql.DB) error { return do(dialectPostgres, db) })
	}
	path, err := pathOf(address)
	if err != nil {
		return err
	}
	return withFile(ctx, path, func(db *sql.DB) error { return do(dialectSQLite, db) })
}

// migrate refuses a database that a newer program made.
func migrate(ctx context.Context, d dialect, db *sql.DB) error {
	current, latest, err := schemaVersions(ctx, d, db)
	if err != nil {
		return err
	}
	if current > latest {
		return tooNew(current, latest)
	}
	provider, err := d.provider(db)
	if err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("bring the schema from version %d to %d: %w", current, latest, failure(err))
	}
	return nil
}

// checkSchema refuses a database whose schema is not the one that this program works with.
func checkSchema(ctx context.Context, d dialect, db *sql.DB) error {
	current, latest, err := schemaVersions(ctx, d, db)
	switch {
	case err != nil:
		return err
	case current > latest:
		return tooNew(current, latest)
	case current < latest:
		return fmt.Errorf("the database has schema version %d, but this program needs %d: "+
			"run `flipsided migrate` with the same --database-url", current, latest)
	}
	return nil
}

func tooNew(current, latest int64) error {
	return fmt.Errorf("the database has schema version %d, but this program knows none after %d: use a newer one",
		current, latest)
}

func schemaVersions(ctx context.Context, d dialect, db *sql.DB) (current, latest int64, err error) {
	provider, err := d.provider(db)
	if err != nil {
		return 0, 0, err
	}
	if current, latest, err = provider.GetVersions(ctx); err != nil {
		return 0, 0, fmt.Errorf("read the version of the schema: %w", failure(err))
	}
	return current, latest, nil
}

func (d dialect) provider(db *sql.DB) (*goose.Provider, error) {
	files, err := fs.Sub(migrations, d.folder)
	if err != nil {
		return nil, err
	}
	options := []goose.ProviderOption{goose.WithDisableGlobalRegistry(true)}
	if d.locked {
		// Asked every second, for a minute.
		locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 60))
		if err != nil {
			return nil, err
		}
		options = append(options, goose.WithSessionLocker(locker))
	}
	return goose.NewProvider(d.goose, db, files, options...)
}
