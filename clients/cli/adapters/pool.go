package adapters

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// startTimeout limits the start of an engine.
const startTimeout = 30 * time.Second

// seat is a place for an engine in a pool.
type seat struct {
	engine  engine
	process *process // nil if the last start failed
}

// pool has a number of engines, each for one search at a time. It replaces engines that end or that
// a search breaks.
type pool struct {
	start func(ctx context.Context) (*process, error)
	greet func(ctx context.Context, on *process) (engine, error)
	life  context.Context // ends the engines

	free    chan *seat
	running sync.WaitGroup // engines and restarts
}

// fill starts the engines.
func (p *pool) fill(engines int) error {
	p.free = make(chan *seat, engines)
	for range engines {
		s := &seat{}
		if err := p.restart(p.life, s); err != nil {
			return err
		}
		p.free <- s
	}
	return nil
}

// restart starts the engine of a seat.
func (p *pool) restart(ctx context.Context, s *seat) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	s.process = nil
	started, err := p.start(p.life)
	if err != nil {
		return err
	}
	p.running.Go(func() { <-started.ended })
	s.engine, err = p.greet(ctx, started)
	if err != nil {
		started.kill()
		return fmt.Errorf("the engine does not start: %w", err)
	}
	s.process = started
	return nil
}

// acquire waits for an engine that no search uses. The caller must release the seat.
func (p *pool) acquire(ctx context.Context) (*seat, error) {
	select {
	case s := <-p.free:
		if s.process != nil && !s.process.dead() {
			return s, nil
		}
		if err := p.restart(ctx, s); err != nil {
			p.free <- s
			return nil, err
		}
		return s, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("all engines are busy: %w", ctx.Err())
	}
}

// release returns an engine. A broken one is killed and started again.
func (p *pool) release(s *seat, broken bool) {
	if !broken {
		p.free <- s
		return
	}
	s.process.kill()
	p.running.Go(func() {
		<-s.process.ended
		_ = p.restart(p.life, s) // acquire tries again
		p.free <- s
	})
}
