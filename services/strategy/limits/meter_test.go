package limits_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flipside-games/flipside/services/strategy/limits"
)

func TestAMeterReportsTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		whole := limits.NewMeter(t.Context())
		search := whole.Within(limits.Limits{Time: 2500 * time.Millisecond})
		for search.Visit() {
			time.Sleep(time.Second)
		}
		if nodes, took := search.Spent(); nodes != 4 || took != 3*time.Second || !search.TimeUp() {
			t.Errorf("spent %d nodes and %v", nodes, took)
		}
		if nodes, _ := whole.Spent(); nodes != 4 || whole.TimeUp() || whole.TimeLeft() != 0 {
			t.Errorf("the outer meter has %d nodes and %v left", nodes, whole.TimeLeft())
		}
	})
}

func TestTheEarlierDeadlineCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		meter := limits.NewMeter(ctx)
		for limit, want := range map[time.Duration]time.Duration{
			0: time.Second, time.Minute: time.Second, time.Millisecond: time.Millisecond,
		} {
			if got := meter.Within(limits.Limits{Time: limit}).TimeLeft(); got != want {
				t.Errorf("a limit of %v leaves %v, want %v", limit, got, want)
			}
		}
		time.Sleep(2 * time.Second)
		if meter.TimeLeft() != 1 || !meter.TimeUp() {
			t.Errorf("after the deadline %v are left", meter.TimeLeft())
		}
	})
}

// A search takes all its time, another strategy may take more than its part.
func TestAPartLimitsOnlySearches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 12*time.Second)
		defer cancel()
		part := limits.NewMeter(ctx).Part(2)
		for name, test := range map[string]struct {
			meter *limits.Meter
			want  time.Duration
		}{
			"the part":                  {part, 12 * time.Second},
			"a search in it":            {part.Within(limits.Limits{}), 4 * time.Second},
			"a short search in it":      {part.Within(limits.Limits{Time: time.Second}), time.Second},
			"a search in a part of it":  {part.Part(3).Within(limits.Limits{}), time.Second},
			"a search without deadline": {limits.NewMeter(t.Context()).Part(3).Within(limits.Limits{}), 0},
		} {
			if got := test.meter.TimeLeft(); got != test.want {
				t.Errorf("%s has %v left, want %v", name, got, test.want)
			}
		}
	})
}

// visits returns how many nodes a counter visits before it stops, at most 10,000.
func visits(c *limits.Counter) (nodes int64) {
	for c.Nodes < 10_000 && c.Visit() {
	}
	return c.Nodes
}

func TestACounterStopsAtTheNodeLimit(t *testing.T) {
	for name, test := range map[string]struct {
		exact    bool
		interval int64
		want     int64
	}{
		"exactly":              {true, 1000, 2500},
		"at the next interval": {false, 1000, 3001}, // the first visit checks, too
		"with small intervals": {false, 10, 2501},
	} {
		t.Run(name, func(t *testing.T) {
			meter := limits.NewMeter(t.Context()).Within(limits.Limits{Nodes: 2500})
			c := &limits.Counter{Meter: meter, Interval: test.interval, ExactNodes: test.exact}
			if got := visits(c); got != test.want {
				t.Errorf("it stopped after %d nodes, want %d", got, test.want)
			}
			other := &limits.Counter{Meter: meter, Interval: test.interval}
			if got := visits(other); got != 1 {
				t.Errorf("another thread stopped after %d nodes, want 1", got)
			}
		})
	}
}

func TestACounterStopsWhenTheSearchDoes(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	for name, stop := range map[string]func(*limits.Meter){
		"stop": (*limits.Meter).Stop, "the context": func(*limits.Meter) { cancel() },
	} {
		t.Run(name, func(t *testing.T) {
			c := &limits.Counter{Meter: limits.NewMeter(ctx), Interval: 100, MustFinish: true}
			for range 150 {
				c.Visit()
			}
			stop(c.Meter)
			if got := visits(c); got != 10_000 {
				t.Errorf("it stopped after %d nodes although it must finish", got)
			}
			c.MustFinish, c.Nodes = false, 0
			if c.Check(); !c.Stopped() {
				t.Error("it goes on")
			}
		})
	}
}

func TestTableBytes(t *testing.T) {
	const entry = limits.EntryBytes
	for name, test := range map[string]struct {
		limits    limits.Limits
		log2Nodes float64
		threads   int
		want      int
	}{
		"all nodes":        {limits.Limits{}, 10, 1, 1024 * entry},
		"the node limit":   {limits.Limits{Nodes: 700}, 10, 2, 700 * entry},
		"the time limit":   {limits.Limits{Time: time.Second / 2}, 40, 4, 6 << 20 * entry},
		"no thread is one": {limits.Limits{Time: time.Second}, 40, 0, 3 << 20 * entry},
		"far too many":     {limits.Limits{}, 1000, 1, 1 << 50 * entry},
	} {
		if got := test.limits.TableBytes(test.log2Nodes, test.threads); got != test.want {
			t.Errorf("%s: %d bytes, want %d", name, got, test.want)
		}
	}
}
