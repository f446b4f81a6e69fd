package sqlstore

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/sqlstore/pgtest"
)

// executePostgres runs statements on a database over a connection of its own.
func executePostgres(t *testing.T, address string, statements ...string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	for _, statement := range statements {
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%v in %s", err, statement)
		}
	}
}

// rollBack makes the server roll back the first three transactions that create a lucky player, each
// for another reason, and all that create an unlucky player.
const rollBack = `CREATE SEQUENCE attempts;
	CREATE FUNCTION roll_back() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		CASE nextval('attempts')
			WHEN 1 THEN RAISE EXCEPTION 'rolled back' USING ERRCODE = 'serialization_failure';
			WHEN 2 THEN RAISE EXCEPTION 'rolled back' USING ERRCODE = 'deadlock_detected';
			WHEN 3 THEN RAISE EXCEPTION 'rolled back' USING ERRCODE = 'serialization_failure';
			ELSE IF new.id = 'unlucky' THEN RAISE EXCEPTION 'rolled back' USING ERRCODE = 'serialization_failure'; END IF;
		END CASE;
		RETURN new;
	END $$;
	CREATE TRIGGER roll_back BEFORE INSERT ON players FOR EACH ROW WHEN (new.id LIKE '%lucky') EXECUTE FUNCTION roll_back()`

func TestRolledBackTransactionIsRetried(t *testing.T) {
	address := pgtest.Database(t)
	s := openStoreAt(t, address)
	executePostgres(t, address, rollBack)
	if err := s.CreatePlayer(t.Context(), game.Player{ID: "lucky"}, nil); err != nil {
		t.Errorf("after three rollbacks: %v", err)
	}
	if err := s.CreatePlayer(t.Context(), game.Player{ID: "unlucky"}, nil); !errors.Is(err, game.ErrContended) {
		t.Errorf("error %v after every attempt was rolled back, want ErrContended", err)
	}
	if _, err := s.Player(t.Context(), "unlucky"); !errors.Is(err, game.ErrNotFound) {
		t.Errorf("the player whose transaction was rolled back exists: %v", err)
	}
}

// failures make the server close the connection while it commits the player lost, and report a full
// disk before it commits the player rejected.
const failures = `CREATE FUNCTION terminate() RETURNS trigger LANGUAGE plpgsql AS
		$$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN new; END $$;
	CREATE CONSTRAINT TRIGGER lost AFTER INSERT ON players DEFERRABLE INITIALLY DEFERRED
		FOR EACH ROW WHEN (new.id = 'lost') EXECUTE FUNCTION terminate();
	CREATE FUNCTION reject() RETURNS trigger LANGUAGE plpgsql AS
		$$ BEGIN RAISE EXCEPTION 'full' USING ERRCODE = 'disk_full'; END $$;
	CREATE TRIGGER full_disk BEFORE INSERT ON players
		FOR EACH ROW WHEN (new.id = 'rejected') EXECUTE FUNCTION reject()`

func TestOnlyCertainFailuresAreNotSent(t *testing.T) {
	address := pgtest.Database(t)
	s := openStoreAt(t, address)
	executePostgres(t, address, failures)
	for id, want := range map[string]bool{"lost": false, "rejected": true} {
		err := s.CreatePlayer(t.Context(), game.Player{ID: id}, nil)
		if !errors.Is(err, game.ErrUnavailable) || errors.Is(err, game.ErrNotSent) != want {
			t.Errorf("the player %s: %v, not sent %t, want %t", id, err, errors.Is(err, game.ErrNotSent), want)
		}
	}
}

func TestServerIsUsedAsSoonAsItIsBack(t *testing.T) {
	server, address := pgtest.Start(t)
	s := openStoreAt(t, address)
	ann := game.Player{ID: "ann"}
	if err := s.CreatePlayer(t.Context(), ann, nil); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := server.Stop(); err != nil {
			t.Fatal(err)
		}
		for name, call := range map[string]func() error{
			"Player":       func() error { _, err := s.Player(t.Context(), "ann"); return err },
			"CreatePlayer": func() error { return s.CreatePlayer(t.Context(), game.Player{ID: "bob"}, nil) },
			"Ping":         func() error { return s.Ping(t.Context()) },
		} {
			if err := call(); err == nil || !strings.Contains(err.Error(), "the database cannot be reached") {
				t.Errorf("%s without a server: %v", name, err)
			}
		}
		if err := server.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Player(t.Context(), "ann"); err != nil {
			t.Errorf("first read: %v", err)
		}
		if err := s.SetKeyHash(t.Context(), "ann", []byte("hash")); err != nil {
			t.Errorf("first write: %v", err)
		}
	}
}

// TestServerRestartsBetweenCalls breaks all pooled connections, which the store notices only when
// it uses them.
func TestServerRestartsBetweenCalls(t *testing.T) {
	server, address := pgtest.Start(t)
	s := openStoreAt(t, address)
	for i := range 3 {
		if err := s.CreatePlayer(t.Context(), game.Player{ID: string(rune('a' + i))}, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Player(t.Context(), string(rune('a'+i))); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(server.Stop(), server.Start(t.Context())); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPostgresNeedsTheCurrentSchema(t *testing.T) {
	address := pgtest.Database(t)
	rejects := func(want string) {
		t.Helper()
		s, err := Open(t.Context(), address, Options{})
		if err == nil {
			s.Close()
			t.Fatal("opened")
		}
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q, want %q", err, want)
		}
	}
	rejects("the database has schema version 0, but this program needs 7: run `flipsided migrate` with the same --database-url")
	if err := Migrate(t.Context(), address); err != nil {
		t.Fatal(err)
	}
	if current, latest, err := SchemaVersion(t.Context(), address); err != nil || current != latest {
		t.Errorf("a migrated database has schema version %d of %d, %v", current, latest, err)
	}
	s, err := Open(t.Context(), address, Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	executePostgres(t, address, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, true)")
	rejects("the database has schema version 999, but this program supports at most 7: use a newer program")
}

func TestConcurrentMigrationsAreSerialized(t *testing.T) {
	address := pgtest.Database(t)
	errs := make(chan error, 4)
	for range cap(errs) {
		go func() { errs <- Migrate(t.Context(), address) }()
	}
	for range cap(errs) {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

// withParameter returns the address with one more parameter.
func withParameter(t *testing.T, address, name, value string) string {
	t.Helper()
	location, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	query := location.Query()
	query.Set(name, value)
	location.RawQuery = query.Encode()
	return location.String()
}

func TestCommitsAreSynchronous(t *testing.T) {
	address := pgtest.Database(t)
	for setting, want := range map[string]string{"off": "on", "on": "on", "remote_apply": "remote_apply"} {
		s := openStoreAt(t, withParameter(t, address, "synchronous_commit", setting))
		var got string
		err := s.db.read(t.Context(), func(r reader) error { return queryRow(r, []any{&got}, "SHOW synchronous_commit") })
		if err != nil || got != want {
			t.Errorf("synchronous_commit=%s became %s, %v", setting, got, err)
		}
		s.Close()
	}
}

func TestWritableServerIsChosen(t *testing.T) {
	for address, want := range map[string]bool{
		"postgres://flipside@one/db":                               false,
		"postgres://flipside@one,two/db":                           true,
		"postgres://flipside@one:5432,two:5433/db?sslmode=disable": true,
		"postgres://flipside@/db?host=one,two":                     true,
		"postgres://flipside@one,two/db?target_session_attrs=any":  false,
	} {
		config, err := parsePostgres(address)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		if got := config.ConnConfig.ValidateConnect != nil; got != want {
			t.Errorf("%s: checks that the server accepts writes: %t", address, got)
		}
	}
}

func TestPasswordIsRedacted(t *testing.T) {
	for name, address := range map[string]string{
		"unreachable server":            "postgres://flipside:hunter2@127.0.0.1:1/games",
		"in the query":                  "postgres://flipside@127.0.0.1:1/games?password=hunter2",
		"beside an invalid parameter":   "postgres://flipside:hunter2@127.0.0.1:1/games?sslmode=hunter2",
		"in an invalid URL":             "postgres://flipside:hunter2%@127.0.0.1:1/games",
		"in a URL with another scheme":  "mysql://flipside:hunter2@127.0.0.1:1/games",
		"in a URL with an invalid port": "postgres://flipside:hunter2@127.0.0.1:hunter2/games",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Open(t.Context(), address, Options{})
			if err == nil || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("error %v", err)
			}
			if failed, ok := errors.AsType[*Error](err); ok && strings.Contains(failed.LogValue().String(), "hunter2") {
				t.Errorf("logged %v", failed.LogValue())
			}
			if strings.Contains(Describe(address), "hunter2") {
				t.Errorf("described as %s", Describe(address))
			}
		})
	}
}
