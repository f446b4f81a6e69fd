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

// dialect selects the migrations of a kind of database. Both kinds have the same schema versions.
type dialect struct {
	goose  goose.Dialect
	folder string
	// locked serializes the migrations of several processes.
	locked bool
}

var (
	dialectSQLite   = dialect{goose: goose.DialectSQLite3, folder: "migrations/sqlite"}
	dialectPostgres = dialect{
		goose: goose.DialectPostgres, folder: "migrations/postgres", locked: true,
	}
)

// Migrate upgrades the schema of the database at an address. It creates the file of an SQLite
// database.
func Migrate(ctx context.Context, address string) error {
	return withDatabase(ctx, address, func(d dialect, db *sql.DB) error { return migrate(ctx, d, db) })
}

// SchemaVersion returns the schema version of the database at an address, 0 for an empty one, and
// the version that this program needs.
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

// migrate upgrades the schema. It fails if the schema is newer than this program.
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
		return fmt.Errorf("upgrade the schema from version %d to %d: %w", current, latest, failure(err))
	}
	return nil
}

// checkSchema returns an error unless the schema has the version that this program needs.
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
	return fmt.Errorf("the database has schema version %d, "+
		"but this program supports at most %d: use a newer program", current, latest)
}

func schemaVersions(ctx context.Context, d dialect, db *sql.DB) (current, latest int64, err error) {
	provider, err := d.provider(db)
	if err != nil {
		return 0, 0, err
	}
	if current, latest, err = provider.GetVersions(ctx); err != nil {
		return 0, 0, fmt.Errorf("read the schema version: %w", failure(err))
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
		// Try every second, for a minute.
		locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 60))
		if err != nil {
			return nil, err
		}
		options = append(options, goose.WithSessionLocker(locker))
	}
	return goose.NewProvider(d.goose, db, files, options...)
}
