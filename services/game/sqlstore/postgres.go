package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/flipside-games/flipside/services/game"
)

const (
	// patience is how long the server may take for a query or a transaction. All are short: one that takes so long does so
	// because the server is gone and nobody said so.
	patience = 10 * time.Second
	// connectPatience is how long to wait for a connection.
	connectPatience = 5 * time.Second
	// readerConnections is how many queries run at a time where the URL does not say.
	readerConnections = 16
	// attempts is how often a transaction is tried that the server gives up for the sake of another.
	attempts = 4
)

// follow has the transactions of all processes follow each other, so that the order of events is that of commits and no two
// wait for each other's rows. It costs little: each takes along all that waits in its process.
const follow = `SELECT pg_advisory_xact_lock(7233178463516950)`

// sessionSettings are those of every connection. Each statement is written for the indexes that there are, and planned
// once: no statistics of a small or a grown table may talk the server out of that.
var sessionSettings = map[string]string{
	"application_name":              "flipsided",
	"default_transaction_isolation": "read committed",
	"plan_cache_mode":               "force_generic_plan",
	"enable_seqscan":                "off",
	"enable_bitmapscan":             "off",
	"enable_hashjoin":               "off",
	"enable_mergejoin":              "off",
	"enable_material":               "off",
	"enable_sort":                   "off",
	"jit":                           "off",
	// A process that is gone without a word must not keep a transaction open.
	"tcp_keepalives_idle":     "10",
	"tcp_keepalives_interval": "5",
	"tcp_keepalives_count":    "3",
}

// beDurable overrules a server on which commits do not wait for the disk; one where they wait for more is left alone.
const beDurable = `SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`

// postgres is a database on a server, which any number of processes may use.
type postgres struct {
	readers *pgxpool.Pool
	// writer has one connection, so that writing never waits for those who read.
	writer *pgxpool.Pool
}

func openPostgres(ctx context.Context, address string, options Options) (*postgres, error) {
	config, err := parsePostgres(address)
	if err != nil {
		return nil, err
	}
	if err := withPostgres(address, func(db *sql.DB) error {
		if options.Migrate {
			return migrate(ctx, dialectPostgres, db)
		}
		return checkSchema(ctx, dialectPostgres, db)
	}); err != nil {
		return nil, err
	}
	if options.Readers != 0 {
		config.MaxConns = int32(options.Readers)
	}
	p := &postgres{}
	if p.readers, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, failure(err)
	}
	config = config.Copy()
	config.MaxConns, config.MinConns = 1, 0
	if p.writer, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		p.readers.Close()
		return nil, failure(err)
	}
	return p, nil
}

// parsePostgres reads a URL. Of several servers the one is wanted that may be written, unless the URL says otherwise. What is
// wrong with it is not said in the words of the driver, which may quote it.
func parsePostgres(address string) (*pgxpool.Config, error) {
	location, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("the address of the database is not a URL")
	}
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("the address of the database at %s has a part that cannot be used", location.Host)
	}
	if !location.Query().Has("pool_max_conns") {
		config.MaxConns = readerConnections
	}
	several := slices.ContainsFunc(config.ConnConfig.Fallbacks, func(other *pgconn.FallbackConfig) bool {
		return other.Host != config.ConnConfig.Host || other.Port != config.ConnConfig.Port
	})
	if several && !location.Query().Has("target_session_attrs") {
		config.ConnConfig.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	}
	config.ConnConfig.ConnectTimeout = cmp.Or(config.ConnConfig.ConnectTimeout, connectPatience)
	for name, value := range sessionSettings {
		config.ConnConfig.RuntimeParams[name] = cmp.Or(config.ConnConfig.RuntimeParams[name], value)
	}
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, beDurable)
		return err
	}
	return config, nil
}

// describeLocation names the database of a URL as far as anybody may know.
func describeLocation(address string) string {
	location, err := url.Parse(address)
	if err != nil {
		return "postgres"
	}
	return (&url.URL{Scheme: "postgres", Host: location.Host, Path: location.Path}).String()
}

// withPostgres calls do with a connection for migrations.
func withPostgres(address string, do func(*sql.DB) error) error {
	config, err := parsePostgres(address)
	if err != nil {
		return err
	}
	db := stdlib.OpenDB(*config.ConnConfig)
	defer db.Close()
	return do(db)
}

func (p *postgres) shared() bool { return true }

func (p *postgres) close() error {
	p.writer.Close()
	p.readers.Close()
	return nil
}

func (p *postgres) read(ctx context.Context, do func(reader) error) error {
	limited, done := context.WithTimeout(ctx, patience)
	defer done()
	err := do(queries{limited, p.readers})
	if err != nil && ctx.Err() == nil && limited.Err() != nil {
		return failure(errSilent)
	}
	return err
}

// errSilent says that the server did not answer for as long as it may take.
var errSilent = errors.New("no answer from the database server")

// queries is a reader whose queries each take a connection that is free.
type queries struct {
	ctx  context.Context //nolint:containedctx // It is that of one call, which lends it out.
	pool *pgxpool.Pool
}

func (q queries) row(dest []any, text string, args ...any) error {
	found := false
	err := q.rows(func(scan func(...any) error) error {
		found = true
		return scan(dest...)
	}, text, args...)
	if err == nil && !found {
		return game.ErrNotFound
	}
	return err
}

// rows asks again on a new connection when the one it had turns out to be broken, as all are after the server was away.
func (q queries) rows(each func(scan func(dest ...any) error) error, text string, args ...any) error {
	told := 0
	err := q.query(&told, each, text, args...)
	if err != nil && told == 0 && lost(err) && q.ctx.Err() == nil {
		q.pool.Reset()
		err = q.query(&told, each, text, args...)
	}
	return failure(err)
}

func (q queries) query(told *int, each func(scan func(dest ...any) error) error, text string, args ...any) error {
	rows, err := q.pool.Query(q.ctx, text, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		*told++
		if err := each(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (p *postgres) transact(jobs []*job) (failed int, err error) {
	for attempt := range attempts {
		failed, err = p.send(jobs)
		switch {
		case err == nil:
			return -1, nil
		case givenUp(err): // and undone, so that it may be tried again
		case attempt == 0 && pgconn.SafeToRetry(err):
			p.writer.Reset()
		default:
			return failed, failure(err)
		}
	}
	return failed, game.ErrContended
}

// send does jobs in one round trip: what is sent together is one transaction.
func (p *postgres) send(jobs []*job) (failed int, err error) {
	ctx, done := context.WithTimeout(context.Background(), patience)
	defer done()
	batch := &pgx.Batch{}
	batch.Queue(follow)
	for _, j := range jobs {
		for _, s := range j.statements {
			batch.Queue(s.text, s.args...)
		}
	}
	results := p.writer.SendBatch(ctx, batch)
	failed, err = p.receive(results, jobs)
	if closing := results.Close(); err == nil {
		failed, err = -1, closing // This is where the transaction commits.
	}
	if err != nil && ctx.Err() != nil {
		err = errSilent
	}
	return failed, err
}

func (p *postgres) receive(results pgx.BatchResults, jobs []*job) (failed int, err error) {
	if _, err := results.Exec(); err != nil {
		return -1, err
	}
	for i, j := range jobs {
		for k := range j.statements {
			tag, err := results.Exec()
			if err != nil {
				return blame(err, i), err
			}
			if k == 0 {
				j.changed = tag.RowsAffected()
			}
		}
	}
	return -1, nil
}

// blame returns the index of the job that an error came up at, -1 when it is not the job's.
func blame(err error, i int) int {
	if lost(err) {
		return -1
	}
	return i
}

// givenUp reports whether the server undid a transaction for the sake of another one: it may succeed the next time.
func givenUp(err error) bool {
	const serializationFailure, deadlock, lockNotAvailable = "40001", "40P01", "55P03"
	return slices.Contains([]string{serializationFailure, deadlock, lockNotAvailable}, stateOf(err))
}

// lost reports whether an error is about the connection: the server said nothing of the statement, or that it is leaving.
func lost(err error) bool {
	state := stateOf(err)
	return state == "" || class(state) == "57" || class(state) == "08"
}

// stateOf returns the SQLSTATE of an error, "" for one that the server did not answer with.
func stateOf(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code
	}
	return ""
}

func class(state string) string { return state[:min(2, len(state))] }

// describePostgres says what an error of PostgreSQL means, "" for one that is not its own.
func describePostgres(err error) string {
	if state := stateOf(err); state != "" {
		return fmt.Sprintf("%s (SQLSTATE %s)", describeState(state), state)
	}
	_, connecting := errors.AsType[*pgconn.ConnectError](err)
	_, network := errors.AsType[net.Error](err)
	if errors.Is(err, errSilent) || connecting || network || pgconn.SafeToRetry(err) {
		return "the database cannot be reached"
	}
	return ""
}

func describeState(state string) string {
	switch state {
	case "42P01":
		return "the database has no such table"
	case "42501", "25006":
		return "the database must not be written"
	case "53100":
		return "the disk is full"
	case "53300":
		return "the database has too many connections"
	case "3D000":
		return "there is no such database"
	}
	switch class(state) {
	case "08", "57":
		return "the database cannot be reached"
	case "23":
		return brokenConstraint
	case "28":
		return "the database does not let us in"
	case "53":
		return "the database has no room"
	}
	return "the database refused"
}
