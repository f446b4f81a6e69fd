package session

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"github.com/flipside-games/flipside/clients/cli/render"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// Lines is a user interface of lines: it reads commands from In and prints events and boards.
type Lines struct {
	Session   *Session
	Describer render.Describer
	Printer   *render.Printer
	In        io.Reader
	Prompt    bool // show a prompt before each line

	events   render.Series
	asked    int32                 // the version at which the user was last asked for a move
	hints    map[rulesv1.Side]bool // the sides whose hints are on
	prompted atomic.Bool           // the cursor is behind a prompt
}

var (
	errInputEnded = errors.New("the input ended in the middle of the game")
	errQuit       = errors.New("the user quits")
)

// Run plays the game to its end. It may leave a goroutine behind that reads one more line of In.
func (l *Lines) Run(ctx context.Context) error {
	l.events, l.hints = render.Series{Printer: l.Printer}, map[rulesv1.Side]bool{}
	defer l.events.Close()
	note := l.Session.Note
	l.Session.Note = func(format string, args ...any) {
		l.endPrompt()
		note(format, args...)
	}
	err := l.play(ctx)
	l.endPrompt()
	if err == nil {
		return nil
	}
	game := l.Session.Game
	if errors.Is(err, errInputEnded) {
		return fmt.Errorf("%w: %s; return with: flipside play %s",
			err, l.Describer.Turn(game), game.GetId())
	}
	l.Printer.Note("Game %s goes on; return with: flipside play %s", game.GetId(), game.GetId())
	if errors.Is(err, errQuit) {
		return nil
	}
	return err
}

func (l *Lines) play(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	messages, ended := l.Session.Follow(ctx)
	input := readLines(ctx, l.In)
	for !l.Session.Over {
		lines := input
		if !l.Session.AwaitsMove() {
			lines = nil
		} else if err := l.ask(ctx); err != nil {
			return err
		}
		var err error
		select {
		case m := <-messages:
			l.endPrompt()
			err = l.handle(ctx, m)
		case line, ok := <-lines:
			if !ok {
				return errInputEnded
			}
			l.prompted.Store(false)
			err = l.execute(ctx, line)
		case err = <-ended:
			return err
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readLines reads lines on demand and closes the channel at the end of the input.
func readLines(ctx context.Context, in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for scanner := bufio.NewScanner(in); scanner.Scan(); {
			select {
			case lines <- strings.TrimSpace(scanner.Text()):
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}

func (l *Lines) handle(ctx context.Context, m *gamev1.WatchGameResponse) error {
	if delay := m.GetRobotDelayed(); delay != nil {
		l.Printer.Note("%s", l.Describer.RobotDelayed(delay))
		return nil
	}
	if err := l.printEvent(ctx, m.GetEvent()); err != nil {
		return err
	}
	return l.Session.Apply(ctx, m.GetEvent())
}

// printEvent prints an event and, if it changed the board, the board.
func (l *Lines) printEvent(ctx context.Context, event *gamev1.Event) error {
	if l.Printer.Format != render.Text {
		return l.events.Print(event, "")
	}
	text, newBoard := l.Describer.Event(event)+"\n", false
	switch kind := event.GetKind().(type) {
	case *gamev1.Event_Started:
		return nil
	case *gamev1.Event_Created:
		text, newBoard = l.Describer.Heading(l.Session.Game)+"\n", true
	case *gamev1.Event_MovesTakenBack:
		newBoard = true
	case *gamev1.Event_MovePlayed:
		newBoard = kind.MovePlayed.GetMove().GetPassTurn() == nil
	}
	if newBoard {
		board, err := l.Session.Board(ctx, event.GetVersion())
		if err != nil {
			return err
		}
		text += "\n" + board + "\n"
	}
	return l.events.Print(event, text)
}

// ask asks the user for a move. It shows clock and hints once for each turn.
func (l *Lines) ask(ctx context.Context) error {
	game, mover := l.Session.Game, l.Session.Mover()
	if l.asked != l.Session.Seen {
		l.asked = l.Session.Seen
		if game.GetTurn().GetMustPass() {
			l.Printer.Note("%s has no placement and must pass.", l.Describer.Side(mover))
		}
		if clock := l.Describer.Clock(game); clock != "" {
			l.Printer.Note("%s", clock)
		}
		if err := l.printHints(ctx, mover); err != nil {
			return err
		}
	}
	if l.Prompt {
		fmt.Fprintf(l.Printer.Err, "%s to move> ", l.Describer.Side(mover))
		l.prompted.Store(true)
	}
	return nil
}

// endPrompt moves the cursor to a new line if it is behind a prompt.
func (l *Lines) endPrompt() {
	if l.prompted.Swap(false) {
		fmt.Fprintln(l.Printer.Err)
	}
}

const lineHelp = `Enter a move, %s, or a command:
%s  resign    r  resign the game
  takeback  u  offer to take back the last turn, or accept that offer
  draw      d  offer a draw, or accept that offer
  decline   x  decline the offer of the opponent, or withdraw your own
  hints     h  hints for the side to move, on or off: the flips of each move
            q  hints for the first side, on or off
            w  hints for the second side, on or off
  board        show the board again
  quit         leave the game; it goes on
  help      ?  show this help`

// help lists what the user can enter in a game.
func help(kind rulesv1.GameKind) string {
	if kind == render.Trios {
		return fmt.Sprintf(lineHelp, "card@row,column with the name or number of a card", "")
	}
	return fmt.Sprintf(lineHelp,
		"d3 on squares or 1,-2 on hexagons", "  pass      p  pass the turn\n")
}

// execute executes the command in a line.
func (l *Lines) execute(ctx context.Context, line string) error {
	var err error
	switch strings.ToLower(line) {
	case "":
	case "pass", "p":
		err = l.Session.Play(ctx, "pass")
	case "resign", "r":
		err = l.Session.Resign(ctx)
	case "takeback", "u":
		err = l.Session.Offer(ctx, gamev1.OfferKind_OFFER_KIND_TAKEBACK)
	case "draw", "d":
		err = l.Session.Offer(ctx, gamev1.OfferKind_OFFER_KIND_DRAW)
	case "decline", "x":
		err = l.Session.Decline(ctx)
	case "hints", "h":
		err = l.toggleHints(ctx, l.Session.Mover())
	case "q":
		err = l.toggleHints(ctx, rulesv1.Side_SIDE_FIRST)
	case "w":
		err = l.toggleHints(ctx, rulesv1.Side_SIDE_SECOND)
	case "board":
		err = l.printBoard(ctx)
	case "help", "?":
		l.Printer.Note("%s", help(l.Session.Game.GetKind()))
	case "quit":
		return errQuit
	default:
		err = l.Session.Play(ctx, l.Session.withName(line))
	}
	if _, rejected := errors.AsType[*RejectedError](err); rejected {
		l.Printer.Note("%s: %s", line, explain(err))
		return nil
	}
	return err
}

// explain describes why the server rejected a line. A line that is no move may be meant as a
// command.
func explain(err error) string {
	text := render.Explain(err)
	if s, ok := render.Status(err); ok && render.Reason(s) == "INVALID_NOTATION" {
		text += "; enter help for the commands"
	}
	return text
}

func (l *Lines) printBoard(ctx context.Context) error {
	board, err := l.Session.Board(ctx, l.Session.Seen)
	if err == nil && l.Printer.Format == render.Text {
		fmt.Fprint(l.Printer.Out, board, "\n")
	}
	return err
}

// toggleHints turns hints for a side on or off. They appear now and at each turn of that side.
func (l *Lines) toggleHints(ctx context.Context, side rulesv1.Side) error {
	l.hints[side] = !l.hints[side]
	if !l.hints[side] {
		l.Printer.Note("Hints for %s are off.", l.Describer.Side(side))
		return nil
	}
	return l.printHints(ctx, side)
}

func (l *Lines) printHints(ctx context.Context, side rulesv1.Side) error {
	if !l.hints[side] || l.Printer.Format != render.Text {
		return nil
	}
	moves, err := l.Session.LegalMoves(ctx, side)
	if err == nil {
		fmt.Fprintf(l.Printer.Out, "Hints for %s, with the number of flips:\n%s\n",
			l.Describer.Side(side), render.Hints(moves))
	}
	return err
}
