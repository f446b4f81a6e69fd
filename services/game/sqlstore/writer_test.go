package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/flipside-games/flipside/services/game"
)

func openStore(t *testing.T) *Store {
	t.Helper()
	return openStoreAt(t, filepath.Join(t.TempDir(), "games.db"))
}

func openStoreAt(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// held has the writer wait, so that what is handed in until release is called shares a transaction.
func held(s *Store) (release func()) {
	started, goOn := make(chan struct{}), make(chan struct{})
	go s.writer.do(context.Background(), &job{write: func(*batch) error {
		close(started)
		<-goOn
		return nil
	}})
	<-started
	return func() { close(goOn) }
}

// handIn hands jobs in, in this order, and returns where their errors come.
func handIn(ctx context.Context, s *Store, writes ...func(*batch) error) []chan error {
	var answers []chan error
	for _, write := range writes {
		waiting, answer := len(s.writer.queue), make(chan error, 1)
		go func() { answer <- s.writer.do(ctx, &job{write: write}) }()
		for len(s.writer.queue) == waiting {
			runtime.Gosched()
		}
		answers = append(answers, answer)
	}
	return answers
}

func createPlayer(id string) func(*batch) error {
	return func(b *batch) error { return b.createPlayer(game.Player{ID: id}, nil) }
}

func TestJobFailsAlone(t *testing.T) {
	s := openStore(t)
	release := held(s)
	answers := handIn(t.Context(), s,
		createPlayer("one"),
		func(b *batch) error {
			if err := b.createPlayer(game.Player{ID: "half"}, nil); err != nil {
				return err
			}
			_, err := b.exec("INSERT INTO players (id) VALUES ('whole')")
			return err
		},
		createPlayer("two"),
		createPlayer("one"),
	)
	release()
	for i, want := range []string{"", "the change breaks a constraint", "", game.ErrConflict.Error()} {
		err := <-answers[i]
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("job %d returned %v, want %q", i, err, want)
		}
	}
	for id, want := range map[string]error{"one": nil, "two": nil, "half": game.ErrNotFound, "whole": game.ErrNotFound} {
		if _, err := s.Player(t.Context(), id); !errors.Is(err, want) {
			t.Errorf("player %s: %v, want %v", id, err, want)
		}
	}
}

func TestQueuedJobIsNotDoneForACallerWhoIsGone(t *testing.T) {
	s := openStore(t)
	release := held(s)
	ctx, cancel := context.WithCancel(t.Context())
	answer := handIn(ctx, s, createPlayer("one"))[0]
	cancel()
	if err := <-answer; !errors.Is(err, context.Canceled) {
		t.Errorf("returned %v", err)
	}
	release()
	if err := <-handIn(t.Context(), s, createPlayer("two"))[0]; err != nil {
		t.Fatal(err)
	}
	if _, err := s.Player(t.Context(), "one"); !errors.Is(err, game.ErrNotFound) {
		t.Errorf("the player was created all the same: %v", err)
	}
}

// TestLogIsCopiedIntoTheDatabase writes more than is let wait in the write-ahead log. Until it is copied, the file of the
// database does not grow.
func TestLogIsCopiedIntoTheDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	s := openStoreAt(t, path)
	size := func() int64 {
		file, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return file.Size()
	}
	before := size()
	var all sync.WaitGroup
	for i := range 64 {
		all.Go(func() {
			for j := range checkpointEvery/64 + 3 {
				if err := s.CreatePlayer(t.Context(), game.Player{ID: fmt.Sprintf("%032d-%d", i, j)}, nil); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if after := size(); after <= before {
		t.Errorf("after %d jobs the database has %d bytes, as before", checkpointEvery, after)
	}
}

func TestFailureIsToldToLogsOnly(t *testing.T) {
	s := openStore(t)
	_, err := s.writer.conn.prepare("SELECT 1 FROM nowhere")
	if err == nil || strings.Contains(err.Error(), "nowhere") {
		t.Errorf("error %v", err)
	}
	var line strings.Builder
	slog.New(slog.NewTextHandler(&line, nil)).Info("failed", "error", err)
	if !strings.Contains(line.String(), "no such table: nowhere") {
		t.Errorf("logged %s", line.String())
	}
}
