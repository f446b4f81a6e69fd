// Package botcheck finds faults of a strategy provider: a program that chooses moves for robots
// with StrategyService.ChooseMove. It sends positions of all kinds of boards and judges the answers
// as Game does. It needs the provider only, no server.
package botcheck

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/structpb"

	flipside "github.com/flipside-games/flipside/clients/go"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// Options configure a check.
type Options struct {
	// Dial returns a new connection to the provider, which the check closes.
	Dial func() (*grpc.ClientConn, error)
	// Deadline is the time for each answer.
	Deadline time.Duration
	// RobotOptions are the options of the robots for which the check requests moves; nil for none.
	RobotOptions *structpb.Struct
	// Now returns the time. It measures the answers.
	Now func() time.Time
}

// Report is the result of a check.
type Report struct {
	Requests int     `json:"requests"`
	Boards   []Board `json:"boards"` // that the provider plays
	// RejectedSizes are the sizes of these boards that the provider rejects, such as
	// reversi/square:16.
	RejectedSizes []string  `json:"rejectedSizes,omitempty"`
	Findings      []Finding `json:"findings"` // one for each kind of fault
}

// UnreachableError is the error of a check whose first request reached no provider.
type UnreachableError struct{ Err error }

func (e *UnreachableError) Error() string { return e.Err.Error() }

// Unwrap returns the error of the call.
func (e *UnreachableError) Unwrap() error { return e.Err }

// parallel is the number of requests at once in the check of concurrency.
const parallel = 8

// Run checks a provider. It returns an error if the provider cannot be reached or ctx ends.
func Run(ctx context.Context, o Options) (*Report, error) {
	positions, err := readPositions()
	if err != nil {
		return nil, err
	}
	c := &checker{Options: o, report: &Report{Boards: []Board{}, Findings: []Finding{}}}
	defer c.close()
	if err := c.reconnect(); err != nil {
		return nil, err
	}
	faultless, err := c.checkPositions(ctx, positions)
	if err != nil || len(faultless) == 0 {
		return c.report, err
	}
	for _, check := range []func(context.Context, []Position) error{
		c.checkCancelled, c.checkNewConnection, c.checkConcurrency,
	} {
		if err := check(ctx, faultless); err != nil {
			return nil, err
		}
	}
	return c.report, nil
}

// checker is one check.
type checker struct {
	Options
	conn   *grpc.ClientConn
	mu     sync.Mutex // guards bot and the number of requests
	bot    strategyv1.StrategyServiceClient
	report *Report
}

func (c *checker) close() {
	if c.conn != nil {
		_ = c.conn.Close()
	}
}

// reconnect replaces the connection by a new one.
func (c *checker) reconnect() error {
	c.close()
	conn, err := c.Dial()
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.conn, c.bot = conn, strategyv1.NewStrategyServiceClient(conn)
	return nil
}

// exchange is a request with its answer.
type exchange struct {
	position *Position
	when     string // the circumstances, "" if there are none
	request  *strategyv1.ChooseMoveRequest
	answer   *strategyv1.ChooseMoveResponse
	err      error
	time     time.Duration // from the request to the answer
	others   []Position    // of other requests, whose answers it could have got
}

// ask requests a move as Game does for a robot in a game with a time for each move.
func (c *checker) ask(ctx context.Context, p *Position, deadline time.Duration) *exchange {
	limit := durationpb.New(deadline)
	e := &exchange{position: p, request: &strategyv1.ChooseMoveRequest{
		Position: &rulesv1.Position{Notation: p.Notation},
		Strategy: &strategyv1.Strategy{
			Kind: &strategyv1.Strategy_Level{Level: strategyv1.Level_LEVEL_EASY},
		},
		Side:    p.Side,
		Clock:   &strategyv1.Clock{First: limit, Second: limit, PerMove: limit},
		Options: c.RobotOptions,
	}}
	c.mu.Lock()
	c.report.Requests++
	e.request.GameId = fmt.Sprintf("botcheck-%d", c.report.Requests)
	bot := c.bot
	c.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	start := c.Now()
	e.answer, e.err = bot.ChooseMove(ctx, e.request)
	e.time = c.Now().Sub(start)
	return e
}

// checkPositions sends one position after the other. It returns those with an answer without fault,
// for the other checks.
func (c *checker) checkPositions(ctx context.Context, all []Position) ([]Position, error) {
	var faultless []Position
	var rejected *exchange
	sizes := map[string]bool{} // whether the provider plays boards of a size
	var missed *fault          // of an answer that did not arrive by the deadline
	for i := range all {
		p := &all[i]
		plays, known := sizes[p.size()]
		if rejected != nil && rejected.position.Board == p.Board || known && !plays {
			continue
		}
		e := c.ask(ctx, p, c.Deadline)
		if i == 0 && status.Code(e.err) == codes.Unavailable {
			return nil, &UnreachableError{e.err}
		}
		if isRejection(e.err) && !slices.Contains(c.report.Boards, p.Board) {
			rejected = e
			continue
		}
		if !slices.Contains(c.report.Boards, p.Board) {
			c.report.Boards = append(c.report.Boards, p.Board)
		}
		if sizes[p.size()] = known || !isRejection(e.err); !sizes[p.size()] {
			c.report.RejectedSizes = append(c.report.RejectedSizes, p.size())
			continue
		}
		switch {
		case status.Code(e.err) != codes.DeadlineExceeded:
			if c.examine(e) {
				faultless = append(faultless, *p)
			}
		case missed == nil:
			missed = c.findLate(ctx, e)
		default:
			c.find(*missed, e, "")
			return nil, ctx.Err() // each further request would take as long
		}
	}
	if len(c.report.Boards) == 0 {
		c.find(rejectsAll, rejected, "it rejects the first position of every kind of board")
	}
	return faultless, ctx.Err()
}

// findLate records whether a provider that missed the deadline answers later, or not at all.
func (c *checker) findLate(ctx context.Context, missed *exchange) *fault {
	const patience = 3
	e := c.ask(ctx, missed.position, patience*c.Deadline)
	if e.err != nil {
		c.find(noAnswer, missed, fmt.Sprintf("no answer within %v either", patience*c.Deadline))
		return &noAnswer
	}
	c.find(late, e, fmt.Sprintf("no answer within %v; with a deadline of %v it answered after %v",
		c.Deadline, patience*c.Deadline, e.time))
	return &late
}

// inFlight is the time after which a request has reached the provider.
const inFlight = 200 * time.Millisecond

// checkCancelled cancels requests, as Game does when a player resigns. The next requests must
// get their own answers.
func (c *checker) checkCancelled(ctx context.Context, positions []Position) error {
	short, cancel := context.WithCancel(ctx)
	timer := time.AfterFunc(inFlight, cancel)
	defer timer.Stop()
	c.askAll(short, positions[:min(parallel, len(positions))])
	cancel()
	const next = 3
	for i := range min(next, len(positions)) {
		e := c.ask(ctx, &positions[len(positions)-1-i], c.Deadline)
		e.when, e.others = "after cancelled calls", positions
		c.examine(e)
	}
	return ctx.Err()
}

// checkNewConnection closes the connection during a request, as a restart of the server does. The
// provider must answer on a new connection.
func (c *checker) checkNewConnection(ctx context.Context, positions []Position) error {
	var lost sync.WaitGroup
	lost.Go(func() { c.ask(ctx, &positions[0], c.Deadline) })
	_ = flipside.Pause(ctx, inFlight)
	err := c.reconnect()
	lost.Wait()
	if err != nil {
		return err
	}
	e := c.ask(ctx, &positions[len(positions)-1], c.Deadline)
	e.when, e.others = "on a new connection", positions
	c.examine(e)
	return ctx.Err()
}

// checkConcurrency sends requests at once, as Game does for many games.
func (c *checker) checkConcurrency(ctx context.Context, positions []Position) error {
	var several []Position
	for len(several) < parallel {
		several = append(several, positions[:min(parallel-len(several), len(positions))]...)
	}
	for _, e := range c.askAll(ctx, several) {
		e.when, e.others = fmt.Sprintf("with %d calls at once", parallel), positions
		c.examine(e)
	}
	return ctx.Err()
}

// askAll requests a move in each position at once.
func (c *checker) askAll(ctx context.Context, positions []Position) []*exchange {
	exchanges := make([]*exchange, len(positions))
	var running sync.WaitGroup
	for i := range positions {
		running.Go(func() { exchanges[i] = c.ask(ctx, &positions[i], c.Deadline) })
	}
	running.Wait()
	return exchanges
}
