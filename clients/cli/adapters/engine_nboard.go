package adapters

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/flipside-games/flipside/clients/records"
)

// nboardEngine is an engine of the NBoard protocol.
type nboardEngine struct {
	*process
	pings int
}

func greetNBoard(ctx context.Context, on *process) (engine, error) {
	e := &nboardEngine{process: on}
	e.send("nboard 2")
	return e, e.ping(ctx)
}

// ping waits until the engine has executed all commands, and discards its lines.
func (e *nboardEngine) ping(ctx context.Context) error {
	e.pings++
	e.send("ping " + strconv.Itoa(e.pings))
	_, err := e.await(ctx, fmt.Sprintf("pong %d", e.pings), "")
	return err
}

// await returns the rest of the next line that starts with a word. It skips all other lines. The
// rest is separated from the word by sep.
func (e *nboardEngine) await(ctx context.Context, word, sep string) (string, error) {
	for {
		line, err := e.receive(ctx)
		if err != nil {
			return "", fmt.Errorf("%w before the line %q: %s", err, word, e.lastLine())
		}
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), word+sep)
		if ok && (sep != "" || rest == "") {
			return rest, nil
		}
	}
}

// canPlay accepts all positions of Othello.
func (e *nboardEngine) canPlay(q *query) error {
	if q.Side != othelloSide {
		return fmt.Errorf("an engine of the NBoard protocol plays on 8x8, not on a square of side %d",
			q.Side)
	}
	return nil
}

func (e *nboardEngine) choose(ctx context.Context, q *query) (string, error) {
	game, err := records.Write(&records.Record{Start: q.notation}, records.GGF)
	if err != nil {
		return "", err
	}
	e.send("set game " + strings.TrimSpace(game))
	e.send("set depth " + strconv.Itoa(q.depth))
	if err := e.ping(ctx); err != nil {
		return "", err
	}
	e.send("go")
	answer, err := e.await(ctx, "===", " ")
	if err != nil {
		return "", err
	}
	move := parseNBoardMove(answer)
	if move == "" {
		return "", errors.New(`the engine answered "go" without a move`)
	}
	return move, nil
}
