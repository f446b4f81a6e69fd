package adapters

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/flipside-games/flipside/clients/records"
)

// gtpEngine is an engine of the Go Text Protocol.
type gtpEngine struct {
	*process
	known map[string]bool // the commands of the engine
	count int             // of commands
	side  int             // of its board
	moves []string        // on its board since the start; nil if it was set up in another way
}

func greetGTP(ctx context.Context, on *process) (engine, error) {
	e := &gtpEngine{process: on, known: map[string]bool{}}
	list, err := e.ask(ctx, "list_commands")
	if err != nil {
		return nil, err
	}
	for name := range strings.FieldsSeq(list) {
		e.known[name] = true
	}
	for _, name := range []string{"boardsize", "clear_board", "play", "genmove"} {
		if !e.known[name] {
			return nil, fmt.Errorf("the engine has no command %s: its commands are %.200q", name, list)
		}
	}
	return e, nil
}

func (e *gtpEngine) placesDiscs() bool {
	return e.known["gogui-setup"] && e.known["gogui-setup_player"]
}

// canPlay accepts positions that the engine can set up, or that it reaches by known moves.
func (e *gtpEngine) canPlay(q *query) error {
	if q.moves != nil || e.placesDiscs() || e.known["loadsgf"] {
		return nil
	}
	return errors.New("the engine cannot set up a position: it has neither gogui-setup nor loadsgf, " +
		"and the moves to this position are not known; start a new game")
}

func (e *gtpEngine) choose(ctx context.Context, q *query) (string, error) {
	for _, prepare := range []func(context.Context, *query) error{e.setUp, e.setClock} {
		if err := prepare(ctx, q); err != nil {
			return "", err
		}
	}
	command := "genmove " + colourOf(q.Turn)
	vertex, err := e.ask(ctx, command)
	if err != nil {
		return "", err
	}
	if strings.EqualFold(vertex, "resign") {
		return "", fmt.Errorf("the engine resigns in answer to %q: it must move", command)
	}
	move, ok := parseVertex(vertex)
	if !ok {
		return "", fmt.Errorf("the engine answered %q with %.100q: that is no vertex", command, vertex)
	}
	if e.moves != nil {
		e.moves = append(e.moves, move)
	}
	return move, nil
}

// setUp brings the board of the engine to the position. It continues the game on the board if it
// can.
func (e *gtpEngine) setUp(ctx context.Context, q *query) error {
	if played := len(e.moves); e.side == q.Side && played > 0 && played <= len(q.moves) &&
		slices.Equal(e.moves, q.moves[:played]) {
		return e.replay(ctx, q.moves[played:])
	}
	if err := e.clear(ctx, q); err != nil {
		return err
	}
	switch {
	case q.moves != nil:
		e.moves = []string{}
		return e.replay(ctx, q.moves)
	case e.placesDiscs():
		return e.place(ctx, q)
	}
	return e.load(ctx, q)
}

// clear starts a new game on the board of the engine.
func (e *gtpEngine) clear(ctx context.Context, q *query) error {
	e.moves = nil
	_, err := e.ask(ctx, "boardsize "+strconv.Itoa(q.Side))
	if failed, ok := errors.AsType[*gtpError](err); ok {
		return &unsuitableError{fmt.Sprintf("the engine does not play on a square of side %d: "+
			"it answered %q with %.100q", q.Side, failed.command, failed.text)}
	}
	if err != nil {
		return err
	}
	e.side = q.Side
	_, err = e.ask(ctx, "clear_board")
	return err
}

// replay plays moves. Black and White alternate, with passes in between.
func (e *gtpEngine) replay(ctx context.Context, moves []string) error {
	for _, move := range moves {
		colour := [2]byte{black, white}[len(e.moves)%2]
		if _, err := e.ask(ctx, "play "+colourOf(colour)+" "+vertexOf(move)); err != nil {
			return err
		}
		e.moves = append(e.moves, move)
	}
	return nil
}

// place sets up the discs and the side to move.
func (e *gtpEngine) place(ctx context.Context, q *query) error {
	command := "gogui-setup"
	for i := range q.Cells {
		if q.Cells[i] != empty {
			command += " " + colourOf(q.Cells[i]) + " " + vertexOf(q.cell(i))
		}
	}
	if _, err := e.ask(ctx, command); err != nil {
		return err
	}
	_, err := e.ask(ctx, "gogui-setup_player "+colourOf(q.Turn))
	return err
}

// load sets up the position with a file in the Smart Game Format.
func (e *gtpEngine) load(ctx context.Context, q *query) (err error) {
	file, err := os.CreateTemp("", "flipside-*.sgf")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(file.Name())) }()
	_, err = file.WriteString(sgf(q.Square))
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	_, err = e.ask(ctx, "loadsgf "+file.Name())
	return err
}

// sgf returns a position in the Smart Game Format, as a game of Othello (GM 2).
func sgf(s records.Square) string {
	var stones [2]string
	for i := range s.Cells {
		point := fmt.Sprintf("[%c%c]", 'a'+i%s.Side, 'a'+i/s.Side)
		switch s.Cells[i] {
		case black:
			stones[0] += point
		case white:
			stones[1] += point
		}
	}
	text := fmt.Sprintf("(;GM[2]FF[4]SZ[%d]", s.Side)
	for i, name := range []string{"AB", "AW"} {
		if stones[i] != "" {
			text += name + stones[i]
		}
	}
	return text + "PL[" + strings.ToUpper(colourOf(s.Turn)) + "])\n"
}

// setClock gives the engine the time for one move, if it has a clock. The protocol counts seconds.
func (e *gtpEngine) setClock(ctx context.Context, q *query) error {
	whole := max(int(q.time/time.Second), 1)
	for _, command := range []struct{ name, args string }{
		{"time_settings", fmt.Sprintf("0 %d 1", whole)},
		{"time_left", fmt.Sprintf("%s %d 1", colourOf(q.Turn), whole)},
	} {
		if !e.known[command.name] {
			continue
		}
		if _, err := e.ask(ctx, command.name+" "+command.args); err != nil {
			return err
		}
	}
	return nil
}

// gtpError is the error that an engine answers to a command.
type gtpError struct{ command, text string }

func (e *gtpError) Error() string {
	return fmt.Sprintf("the engine answered %.100q with the error %.200q", e.command, e.text)
}

// ask sends a command and returns the text of the response. Errors name the command.
func (e *gtpEngine) ask(ctx context.Context, command string) (string, error) {
	e.count++
	id := strconv.Itoa(e.count)
	e.send(id + " " + command)
	text, failed, err := e.response(ctx, id)
	if err != nil {
		return "", fmt.Errorf("%w after the command %.100q: %s", err, command, e.lastLine())
	}
	if failed {
		return "", &gtpError{command, text}
	}
	return text, nil
}

// response reads a response: from its first line with the number of the command to an empty line.
func (e *gtpEngine) response(ctx context.Context, id string) (text string, failed bool, err error) {
	line := ""
	for line == "" {
		if line, err = e.line(ctx); err != nil {
			return "", false, err
		}
	}
	failed = line[0] == '?'
	rest, numbered := strings.CutPrefix(line[1:], id)
	if line[0] != '=' && !failed || !numbered || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return "", false, fmt.Errorf(`expected a response that starts with "=%s"`, id)
	}
	for text = strings.TrimSpace(rest); ; text += "\n" + line {
		if line, err = e.line(ctx); err != nil || line == "" {
			return strings.TrimSpace(text), failed, err
		}
		if len(text) > maxLine {
			return "", false, errors.New("the engine sent a response of more than 65536 bytes")
		}
	}
}

// line reads a line without control characters.
func (e *gtpEngine) line(ctx context.Context) (string, error) {
	line, err := e.receive(ctx)
	return strings.TrimRight(strings.Map(printable, line), " \t"), err
}
