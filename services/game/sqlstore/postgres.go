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
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/flipside-games/flipside/services/game"
)

const (
	// serverTimeout is the maximum duration of a query or a transaction. All are short: a longer
	// one means that the server is gone without closing the connection.
	serverTimeout = 10 * time.Second
	// connectTimeout is the maximum time for a new connection, unless the URL sets another one.
	connectTimeout = 5 * time.Second
	// defaultReaders is the number of connections for reading, unless the URL sets another one.
	defaultReaders = 16
	// writerConnections is the number of connections for writing.
	writerConnections = 8
	// lockTimeout is the maximum time for which a write waits for another transaction that changes
	// the same rows.
	lockTimeout = 300 * time.Millisecond
	// maxAttempts is the number of attempts for a transaction that the server rolls back because of
	// a concurrent one.
	maxAttempts = 4
)

// sessionSettings are the settings of every connection. They make the server plan each statement
// once and use the indexes that the statement was written for, whatever the statistics of the
// tables are.
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
	// The server closes the transaction of a process that disappears without closing its
	// connection.
	"tcp_keepalives_idle":     "10",
	"tcp_keepalives_interval": "5",
	"tcp_keepalives_count":    "3",
}

// writerSettings are the further settings of connections for writing.
var writerSettings = map[string]string{
	"lock_timeout":      strconv.Itoa(int(lockTimeout.Milliseconds())),
	"statement_timeout": strconv.Itoa(int(serverTimeout.Milliseconds())),
}

// limitTransactions limits the time of a transaction, on servers that can.
const limitTransactions = `SELECT set_config('transaction_timeout', '10s', false)
	WHERE current_setting('server_version_num')::int >= 170000`

// forceSyncCommit turns on synchronous commits if the server has them off. It does not change
// stricter settings.
const forceSyncCommit = `SELECT set_config('synchronous_commit', 'on', false)
	WHERE current_setting('synchronous_commit') = 'off'`

// postgres is a database on a server. Any number of processes can use it.
type postgres struct {
	readers *pgxpool.Pool
	// writer has connections of its own, so that writing never waits for readers.
	writer *pgxpool.Pool
}

// postgresWrites are all statements of the writer.
var postgresWrites = append([]string{writeMoves}, writes...)

// executions maps the statements of the writer to calls of the prepared ones.
var executions = func() map[string]string {
	calls := map[string]string{}
	for i, text := range postgresWrites {
		var parameters []string
		for n := 1; strings.Contains(text, fmt.Sprintf("$%d", n)); n++ {
			parameters = append(parameters, fmt.Sprintf("$%d", n))
		}
		calls[text] = fmt.Sprintf("EXECUTE write_%d(%s)", i, strings.Join(parameters, ", "))
	}
	return calls
}()

// prepareWriter prepares the statements of the writer on a connection.
func prepareWriter(ctx context.Context, conn *pgx.Conn) error {
	var all strings.Builder
	for i, text := range postgresWrites {
		fmt.Fprintf(&all, "PREPARE write_%d AS %s;\n", i, postgresText(text))
	}
	_, err := conn.PgConn().Exec(ctx, all.String()+limitTransactions).ReadAll()
	return err
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
	config.MaxConns, config.MinConns = writerConnections, 0
	config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
	for name, value := range writerSettings {
		config.ConnConfig.RuntimeParams[name] = cmp.Or(config.ConnConfig.RuntimeParams[name], value)
	}
	synchronize := config.AfterConnect
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		if err := synchronize(ctx, conn); err != nil {
			return err
		}
		return prepareWriter(ctx, conn)
	}
	if p.writer, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		p.readers.Close()
		return nil, failure(err)
	}
	return p, nil
}

// parsePostgres parses a URL. If it has several hosts, connections go to the one that accepts
// writes, unless the URL sets target_session_attrs. Errors do not contain the text of the driver,
// which can quote the password.
func parsePostgres(address string) (*pgxpool.Config, error) {
	location, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("the database address is not a valid URL: " +
			"use postgres://USER:PASSWORD@HOST/NAME")
	}
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("the database URL for %s has an invalid part: "+
			"check its port and parameters", location.Host)
	}
	if !location.Query().Has("pool_max_conns") {
		config.MaxConns = defaultReaders
	}
	c := config.ConnConfig
	several := slices.ContainsFunc(c.Fallbacks, func(other *pgconn.FallbackConfig) bool {
		return other.Host != c.Host || other.Port != c.Port
	})
	if several && !location.Query().Has("target_session_attrs") {
		c.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	}
	c.ConnectTimeout = cmp.Or(c.ConnectTimeout, connectTimeout)
	for name, value := range sessionSettings {
		c.RuntimeParams[name] = cmp.Or(c.RuntimeParams[name], value)
	}
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, forceSyncCommit)
		return err
	}
	return config, nil
}

// redact returns the URL of a database without user, password and parameters.
func redact(address string) string {
	location, err := url.Parse(address)
	if err != nil {
		return "postgres"
	}
	return (&url.URL{Scheme: "postgres", Host: location.Host, Path: location.Path}).String()
}

// withPostgres calls do with a connection pool for migrations.
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

func (p *postgres) writers() int { return writerConnections }

func (p *postgres) close() error {
	p.writer.Close()
	p.readers.Close()
	return nil
}

func (p *postgres) read(ctx context.Context, do func(reader) error) error {
	limited, done := context.WithTimeout(ctx, serverTimeout)
	defer done()
	err := do(queries{limited, p.readers})
	if err != nil && ctx.Err() == nil && limited.Err() != nil {
		return failure(errNoAnswer)
	}
	return err
}

// errNoAnswer means that the server did not answer within serverTimeout.
var errNoAnswer = errors.New("no answer from the database server")

// queries is a reader. Each query takes an idle connection of the pool.
type queries struct {
	ctx  context.Context //nolint:containedctx // It lives as long as one call of read.
	pool *pgxpool.Pool
}

// query retries on a new connection if the first one is broken before the first row. After a
// restart of the server, all pooled connections are.
func (q queries) query(each func(scan scanFunc) error, text string, args ...any) error {
	if err := checkTexts(args); err != nil {
		return err
	}
	n, err := q.queryOnce(each, text, args...)
	if err != nil && n == 0 && connectionLost(err) && q.ctx.Err() == nil {
		q.pool.Reset()
		_, err = q.queryOnce(each, text, args...)
	}
	return failure(err)
}

// queryOnce runs a query and returns the number of rows that it passed to each.
func (q queries) queryOnce(
	each func(scan scanFunc) error, text string, args ...any,
) (n int, err error) {
	rows, err := q.pool.Query(q.ctx, postgresText(text), args...)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		n++
		if err := each(rows.Scan); err != nil {
			return n, err
		}
	}
	return n, rows.Err()
}

func (p *postgres) transact(jobs []*job) (failed int, err error) {
	together, separate := splitMoves(jobs)
	for attempt := range maxAttempts {
		failed, err = p.send(together, separate)
		switch {
		case err == nil:
			return -1, nil
		case together != nil && (failed >= 0 || !connectionLost(err)):
			together, separate = nil, jobs // Separate statements show whose fault it is.
		case stateOf(err) == uniqueViolation:
			return failed, errRejected
		case stateOf(err) == lockNotAvailable:
			return failed, game.ErrContended
		case rolledBack(err): // Retry.
		case attempt == 0 && pgconn.SafeToRetry(err):
			p.writer.Reset()
		case failed >= 0 || isNotSent(err):
			// The server rolls back the transaction of a failed statement.
			return failed, notSent(failure(err))
		default:
			return failed, failure(err)
		}
	}
	return failed, game.ErrContended
}

// send runs moves together and other jobs one by one, in one transaction. It sends them as one
// message of the protocol: the server begins when all of it has arrived, and commits without
// waiting for another message. So a connection that is slow or stuck holds no locks, and delays only
// this process. On an error, failed is an index into separate, or -1.
func (p *postgres) send(together moves, separate []*job) (failed int, err error) {
	ctx, done := context.WithTimeout(context.Background(), serverTimeout)
	defer done()
	batch := &pgx.Batch{}
	together.queue(batch)
	for _, j := range separate {
		for _, s := range j.statements {
			batch.Queue(cmp.Or(executions[s.text], s.text), s.args...)
		}
	}
	results := p.writer.SendBatch(ctx, batch)
	failed = -1
	if err = together.receive(results); err == nil {
		failed, err = p.receive(results, separate)
	}
	if closing := results.Close(); err == nil {
		failed, err = -1, closing // The transaction commits here.
	}
	if err != nil && ctx.Err() != nil {
		err = errNoAnswer
	}
	return failed, err
}

func (p *postgres) receive(results pgx.BatchResults, jobs []*job) (failed int, err error) {
	for i, j := range jobs {
		for k := range j.statements {
			tag, err := results.Exec()
			if err != nil {
				if connectionLost(err) {
					i = -1
				}
				return i, err
			}
			if k == 0 {
				j.changed = tag.RowsAffected()
			}
		}
	}
	return -1, nil
}

// The SQLSTATEs of conflicts with concurrent transactions.
const (
	uniqueViolation      = "23505"
	serializationFailure = "40001"
	deadlock             = "40P01"
	lockNotAvailable     = "55P03"
)

// rolledBack reports whether the server rolled a transaction back because of a concurrent one, so
// that it can be retried.
func rolledBack(err error) bool {
	return stateOf(err) == serializationFailure || stateOf(err) == deadlock
}

// connectionLost reports whether an error concerns the connection: it has no SQLSTATE, or the
// server is shutting down.
func connectionLost(err error) bool {
	state := stateOf(err)
	return state == "" || stateClass(state) == "57" || stateClass(state) == "08"
}

// isNotSent reports whether an error occurred before a transaction was sent.
func isNotSent(err error) bool {
	_, connecting := errors.AsType[*pgconn.ConnectError](err)
	return connecting || pgconn.SafeToRetry(err)
}

// stateOf returns the SQLSTATE of an error, or "" if the error does not come from the server.
func stateOf(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code
	}
	return ""
}

func stateClass(state string) string { return state[:min(2, len(state))] }

// describePostgres describes an error of PostgreSQL and returns its code, if it has one. The text
// of other errors is "".
func describePostgres(err error) (text, code string) {
	if state := stateOf(err); state != "" {
		return cmp.Or(stateTexts[state], stateTexts[stateClass(state)], rejected), "SQLSTATE " + state
	}
	_, connecting := errors.AsType[*pgconn.ConnectError](err)
	_, network := errors.AsType[net.Error](err)
	if errors.Is(err, errNoAnswer) || connecting || network || pgconn.SafeToRetry(err) {
		return unreachable, ""
	}
	return "", ""
}

// isUnreachable reports whether an error means that the server cannot be reached.
func isUnreachable(err error) bool {
	failed, ok := errors.AsType[*Error](err)
	if !ok {
		return false
	}
	text, _ := describePostgres(failed.cause)
	return text == unreachable
}

// stateTexts describes the errors of an SQLSTATE or of a class of them.
var stateTexts = map[string]string{
	"42P01": "a table is missing",
	"42501": readOnly,
	"25006": readOnly,
	"53100": diskFull,
	"53300": "the database has too many connections",
	"3D000": "the database does not exist",
	"08":    unreachable,
	"57":    unreachable,
	"23":    brokenConstraint,
	"28":    "the database rejected the user or the password",
	"53":    "the database server is out of resources",
}
