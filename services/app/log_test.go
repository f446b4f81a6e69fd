package app

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// sink is a log that may be read while it is written.
type sink struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *sink) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *sink) lines() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Count(s.text.String(), "\n")
}

func TestLinesReachTheLogInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out sink
		log, finish, err := newLogger(&out, Settings{LogLevel: "info", LogFormat: "json"})
		if err != nil {
			t.Fatal(err)
		}
		expect := func(lines int, when string) {
			t.Helper()
			if got := out.lines(); got != lines {
				t.Errorf("%s: the log has %d lines, want %d", when, got, lines)
			}
		}
		log.Info("one")
		log.Info("two")
		expect(0, "at once")
		time.Sleep(gatherTime)
		synctest.Wait()
		expect(2, "after a moment")

		log.With("of", "somebody").Info("three")
		log.With("of", "somebody").Warn("four")
		expect(4, "with a warning")

		for range 2000 {
			log.Info("one of many, which together are more than should wait for long")
		}
		if out.lines() < 1000 {
			t.Errorf("many lines wait: the log has %d", out.lines())
		}
		finish()
		expect(2004, "at the end")
		time.Sleep(gatherTime) // The timers end with the test.
	})
}

func TestTheLogIsNotWhatItCannotBe(t *testing.T) {
	for _, s := range []Settings{{LogLevel: "loud", LogFormat: "json"}, {LogLevel: "info", LogFormat: "prose"}} {
		if _, _, err := newLogger(&sink{}, s); err == nil {
			t.Errorf("level %q and format %q were taken", s.LogLevel, s.LogFormat)
		}
	}
}
