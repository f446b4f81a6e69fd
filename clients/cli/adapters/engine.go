package adapters

import (
	"context"
	"time"
)

// query is a position in which an engine has to move.
type query struct {
	*position
	moves []string      // from the start of a game to the position; nil if they are not known
	time  time.Duration // for the move
	depth int           // of the search; 0 is no limit
}

// engine is a program that plays, in one protocol. Only one goroutine may use it.
type engine interface {
	// canPlay returns an error that explains why the engine cannot take a position, nil if it can.
	canPlay(q *query) error
	// choose returns the move of the engine, in notation.
	choose(ctx context.Context, q *query) (string, error)
}

// Protocol is a text protocol of engines.
type Protocol string

// The protocols.
const (
	GTP    Protocol = "gtp"
	NBoard Protocol = "nboard"
)

// greet starts the protocol with an engine that has just started.
func (p Protocol) greet(ctx context.Context, on *process) (engine, error) {
	if p == NBoard {
		return greetNBoard(ctx, on)
	}
	return greetGTP(ctx, on)
}
