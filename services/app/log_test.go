package app

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// sink is a log that is safe for concurrent reads and writes.
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

func TestLinesAreWrittenInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out sink
		log, flush, err := newLogger(&out, Settings{LogLevel: "info", LogFormat: "json"})
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
		time.Sleep(flushInterval)
		synctest.Wait()
		expect(2, "after the interval")

		log.With("key", "value").Info("three")
		log.With("key", "value").Warn("four")
		expect(4, "with a warning")

		for range 2000 {
			log.Info("one of many lines, which together exceed the limit of buffered bytes")
		}
		if out.lines() < 1000 {
			t.Errorf("the log has %d lines, want at least 1000", out.lines())
		}
		if err := flush(); err != nil {
			t.Error(err)
		}
		expect(2004, "at the end")
		time.Sleep(flushInterval) // The timers end with the test.
	})
}

func TestUnknownLevelsAndFormatsAreRejected(t *testing.T) {
	for _, s := range []Settings{{LogLevel: "loud", LogFormat: "json"}, {LogLevel: "info", LogFormat: "prose"}} {
		if _, _, err := newLogger(&sink{}, s); err == nil {
			t.Errorf("level %q and format %q were accepted", s.LogLevel, s.LogFormat)
		}
	}
}
