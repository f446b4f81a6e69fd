package adapters

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"time"

	"github.com/flipside-games/flipside/clients/cli/session"
	"github.com/flipside-games/flipside/clients/records"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// ServeNBoard answers the commands of one board of the NBoard protocol, in until its end or the
// command quit, on out. At the end of in, it finishes the running search. It returns an error if
// ctx ends before or a line is too long. It may leave a goroutine behind that reads one more line
// of in.
func ServeNBoard(ctx context.Context, in io.Reader, out io.Writer, o Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	n := &nboardServer{Options: o, rules: rules{o.Strategies}, out: out, cancel: func() {}}
	defer n.stop()
	for lines := readLines(ctx, in); ; {
		line, err := lines.next(ctx)
		if errors.Is(err, io.EOF) {
			n.searching.Wait()
			return ctx.Err()
		}
		if err != nil {
			return err
		}
		command := parseNBoardCommand(line)
		if command.name == "quit" {
			return nil
		}
		if err := n.execute(ctx, command); err != nil {
			n.send("status Error: %s", o.Explain(ctx, err))
		}
	}
}

// nboardServer has the game of one board.
type nboardServer struct {
	Options
	rules

	now   *position // nil before the first command that needs it
	depth int       // 0: no limit

	mu        sync.Mutex // guards out
	out       io.Writer
	searching sync.WaitGroup
	cancel    context.CancelFunc // of the running search
}

// send writes a line.
func (n *nboardServer) send(format string, args ...any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	fmt.Fprintf(n.out, format+"\n", args...)
}

// stop cancels the running search and waits for its end.
func (n *nboardServer) stop() {
	n.cancel()
	n.searching.Wait()
}

// execute executes a command. It ignores unknown ones, as the protocol demands.
func (n *nboardServer) execute(ctx context.Context, c nboardCommand) error {
	switch c.name {
	case "nboard":
		n.send("set myname Flipside")
	case "set game":
		n.stop()
		return n.setGame(ctx, c.value)
	case "set depth":
		return n.setDepth(c.value)
	case "move":
		n.stop()
		return n.play(ctx, c.value)
	case "go":
		return n.search(ctx, n.choose)
	case "hint":
		return n.hint(ctx, c.value)
	case "ping":
		n.stop()
		n.send("pong %s", c.value)
	case "learn":
		n.stop()
		n.send("learned")
	}
	return nil
}

func (n *nboardServer) setGame(ctx context.Context, ggf string) error {
	for record, err := range records.Read("game.ggf", []byte(ggf), nil) {
		if err != nil {
			return err
		}
		replayed, err := session.Replay(ctx, n.Strategies, record)
		if err != nil {
			return err
		}
		n.now, err = n.after(ctx, replayed.Last().GetNotation(), "")
		return err
	}
	return errors.New(`"set game" has no game: use a game in GGF`)
}

func (n *nboardServer) setDepth(text string) error {
	depth, err := strconv.Atoi(text)
	if err != nil || depth < 1 {
		return fmt.Errorf("the depth %.20q is not a number from 1", text)
	}
	n.depth = depth
	return nil
}

// current returns the current position: without a game, the start.
func (n *nboardServer) current(ctx context.Context) (*position, error) {
	if n.now != nil {
		return n.now, nil
	}
	var err error
	n.now, err = n.after(ctx, records.StandardSquare(othelloSide).Notation(), "")
	return n.now, err
}

func (n *nboardServer) play(ctx context.Context, text string) error {
	now, err := n.current(ctx)
	if err != nil {
		return err
	}
	after, err := n.after(ctx, now.notation, parseNBoardMove(text))
	if err == nil {
		n.now = after
	}
	return err
}

// search runs a search of the current position in the background, instead of the running one.
func (n *nboardServer) search(
	ctx context.Context, run func(context.Context, *position) error,
) error {
	n.stop()
	now, err := n.current(ctx)
	if err != nil {
		return err
	}
	if now.over() {
		return errors.New("the game is over")
	}
	ctx, n.cancel = context.WithCancel(ctx)
	n.searching.Go(func() {
		n.send("status Flipside is thinking")
		err := run(ctx, now)
		switch {
		case ctx.Err() != nil:
		case err != nil:
			n.send("status Error: %s", n.Explain(ctx, err))
		default:
			n.send("status Flipside is waiting")
		}
	})
	return nil
}

// choose sends the progress of a search for a move, and the move.
func (n *nboardServer) choose(ctx context.Context, now *position) error {
	started := time.Now()
	stream, err := n.Strategies.SearchMove(ctx, &strategyv1.SearchMoveRequest{
		Position: &rulesv1.Position{Notation: now.notation}, Strategy: n.limited(0, n.depth),
	})
	if err != nil {
		return err
	}
	return session.Receive(stream, func(m *strategyv1.SearchMoveResponse) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if analysis := m.GetProgress(); analysis != nil {
			n.sendNodes(analysis)
			return nil
		}
		chosen := m.GetChoice().GetChosen()
		evaluation := ""
		if chosen.GetMeasure() == strategyv1.Measure_MEASURE_SCORE {
			evaluation = nboardEvaluation(chosen.GetValue())
		}
		n.send("=== %s/%s/%.2f", nboardMoves(chosen.GetNotation()), evaluation,
			time.Since(started).Seconds())
		return nil
	})
}

// hint evaluates the best moves, as many as the text names.
func (n *nboardServer) hint(ctx context.Context, text string) error {
	const most = 32 // of the Strategy service
	moves, err := strconv.Atoi(text)
	if err != nil || moves < 1 {
		return fmt.Errorf("the number of hints %.20q is not a number from 1", text)
	}
	return n.search(ctx, func(ctx context.Context, now *position) error {
		stream, err := n.Strategies.AnalyzePosition(ctx, &strategyv1.AnalyzePositionRequest{
			Position: &rulesv1.Position{Notation: now.notation}, Strategy: n.limited(0, n.depth),
			MultiPv: int32(min(moves, most)),
		})
		if err != nil {
			return err
		}
		return session.Receive(stream, func(m *strategyv1.AnalyzePositionResponse) error {
			if ctx.Err() == nil {
				n.sendHints(m.GetAnalysis())
			}
			return ctx.Err()
		})
	})
}

func (n *nboardServer) sendHints(analysis *strategyv1.Analysis) {
	for _, line := range analysis.GetMultiPv() {
		depth := strconv.Itoa(int(analysis.GetDepth()))
		if line.GetExact() {
			depth = "100%"
		}
		n.send("search %s %s 0 %s", nboardMoves(line.GetPrincipalVariation()...),
			nboardEvaluation(line.GetScore()), depth)
	}
	n.sendNodes(analysis)
}

func (n *nboardServer) sendNodes(analysis *strategyv1.Analysis) {
	n.send("nodestats %d %.2f", analysis.GetNodes(), analysis.GetTime().AsDuration().Seconds())
}
