//go:build linux

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// The crowd that one process is to serve: games that are played at the pace of people, and watchers of each.
const (
	crowdGames   = 1000
	crowdPerGame = 10
	crowdPace    = 2 * time.Second // from a move of a game to the next
	crowdTime    = 20 * time.Second
)

// waits collects how long things took, in microseconds.
type waits struct {
	mu           sync.Mutex
	played, told []float64
}

// crowd tells what it takes to serve many games and watchers at once, and how long they wait. Waiting counts from when a move
// was to be made, so that a server that is late does not get to hide it by being asked less.
func (b *bench) crowd(ctx context.Context) ([]row, error) {
	p, err := b.startProduct(ctx, "crowd.db")
	if err != nil {
		return nil, err
	}
	defer p.stop()
	empty, err := p.memory()
	if err != nil {
		return nil, err
	}
	over, err := dial(p.grpc, crowdGames*crowdPerGame/streamsPerConnection)
	if err != nil {
		return nil, err
	}
	var w waits
	var crowds []*crowd
	defer func() {
		over.close() // which ends the streams
		for _, c := range crowds {
			c.leave()
		}
	}()
	begin, games := make(chan time.Time), new(errgroup.Group)
	for i := range crowdGames {
		s := p.show(ctx)
		request, next, err := s.begin()
		if err != nil {
			return nil, err
		}
		c, err := gatherOver(ctx, over[i%len(over):][:1], s, crowdPerGame, request)
		if err != nil {
			return nil, err
		}
		crowds = append(crowds, c)
		games.Go(func() error { return w.follow(<-begin, c, next) })
	}
	start, cpu := time.Now(), p.cpu()
	for range crowdGames {
		begin <- start.Add(rand.N(crowdPace)) //nolint:gosec // only spread over time
	}
	if err := games.Wait(); err != nil {
		return nil, err
	}
	full, err := p.memory()
	return w.rows((p.cpu()-cpu)/1e6/time.Since(start).Seconds(), empty, full), err
}

// follow plays a game from its first move on, as long as the crowd is measured.
func (w *waits) follow(first time.Time, c *crowd, next func(int) error) error {
	for i := range int(crowdTime / crowdPace) {
		due := first.Add(time.Duration(i) * crowdPace)
		time.Sleep(time.Until(due))
		c.expect(crowdPerGame)
		if err := next(i); err != nil {
			return err
		}
		played := time.Since(due)
		if err := c.wait(); err != nil {
			return err
		}
		w.add(played, time.Since(due))
	}
	return nil
}

func (w *waits) add(played, told time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.played = append(w.played, float64(played.Microseconds()))
	w.told = append(w.told, float64(told.Microseconds()))
}

// rows tells the waits, what of a processor the server took, and its memory before and with the crowd, in bytes.
func (w *waits) rows(processor, empty, full float64) []row {
	what := fmt.Sprintf("%s games with %s watchers, %d moves a second: ", count(crowdGames), count(crowdGames*crowdPerGame),
		int(crowdGames/crowdPace.Seconds()))
	alone := func(name string, value float64, u unit) row {
		return row{what: what + name, unit: u, figures: comparison{figure: sample{value: value}}}
	}
	return []row{
		alone("a move is answered, median", median(w.played), microseconds),
		alone("a move is answered, p99", quantile(w.played, 0.99), microseconds),
		alone("all its watchers are told, median", median(w.told), microseconds),
		alone("all its watchers are told, p99", quantile(w.told, 0.99), microseconds),
		alone("processor", processor, cores),
		alone("memory of the process without them", empty, megabytes),
		alone("memory of the process with them", full, megabytes),
	}
}

func cores(s sample) string     { return fmt.Sprintf("%.2f cores", s.value) }
func megabytes(s sample) string { return fmt.Sprintf("%.0f MB", s.value/1e6) }
