package adapters

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/flipside-games/flipside/clients/records"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// ServeGTP answers the commands of one controller of the Go Text Protocol, in until its end or the
// command quit, on out. It returns an error if ctx ends before or a line is too long. It may leave
// a goroutine behind that reads one more line of in.
func ServeGTP(ctx context.Context, in io.Reader, out io.Writer, o Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	g := &gtpServer{Options: o, rules: rules{o.Strategies}, side: othelloSide}
	for lines := readLines(ctx, in); !g.quit; {
		line, err := lines.next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		command, ok := parseGTPCommand(line)
		if !ok {
			continue
		}
		text, err := g.execute(ctx, command)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			text = o.Explain(ctx, err)
		}
		if _, err := io.WriteString(out, gtpReply(command.id, text, err != nil)); err != nil {
			return err
		}
	}
	return nil
}

// gtpServer has the board of one controller.
type gtpServer struct {
	Options
	rules

	side   int
	now    *position   // nil before the first command that needs it
	past   []*position // before each move, for undo
	clocks map[byte]gtpClock
	quit   bool
}

// gtpClock is the time that a side has left.
type gtpClock struct {
	time  time.Duration
	moves int // to play in this time; 0: the rest of the game
}

// gtpHandler is a command with the function that executes it.
type gtpHandler struct {
	name      string
	arguments int // their number, or anyNumber
	run       gtpFunction
}

type gtpFunction func(g *gtpServer, ctx context.Context, args []string) (string, error)

const anyNumber = -1

// fixed returns a function with a fixed response.
func fixed(text string) gtpFunction {
	return func(*gtpServer, context.Context, []string) (string, error) { return text, nil }
}

// onBoard returns a function that needs the board. It sets up the start before the first one.
func onBoard(run gtpFunction) gtpFunction {
	return func(g *gtpServer, ctx context.Context, args []string) (string, error) {
		if g.now == nil {
			if err := g.start(ctx, g.side); err != nil {
				return "", err
			}
		}
		return run(g, ctx, args)
	}
}

// handlers returns the commands.
func handlers() []gtpHandler {
	return []gtpHandler{
		{"protocol_version", 0, fixed("2")},
		{"name", 0, fixed("Flipside")},
		{"version", 0, (*gtpServer).version},
		{"known_command", 1, (*gtpServer).knownCommand},
		{"list_commands", 0, (*gtpServer).listCommands},
		{"quit", 0, (*gtpServer).end},
		{"boardsize", 1, (*gtpServer).boardSize},
		{"clear_board", 0, (*gtpServer).clearBoard},
		{"komi", 1, fixed("")}, // Reversi has no komi.
		{"play", 2, onBoard((*gtpServer).play)},
		{"genmove", 1, onBoard((*gtpServer).generate)},
		{"undo", 0, (*gtpServer).undo},
		{"showboard", 0, onBoard((*gtpServer).showBoard)},
		{"final_score", 0, onBoard((*gtpServer).finalScore)},
		{"time_settings", 3, (*gtpServer).timeSettings},
		{"time_left", 3, (*gtpServer).timeLeft},
		{"gogui-setup", anyNumber, (*gtpServer).setUp},
		{"gogui-setup_player", 1, onBoard((*gtpServer).setUpPlayer)},
	}
}

func (g *gtpServer) execute(ctx context.Context, c gtpCommand) (string, error) {
	all := handlers()
	i := slices.IndexFunc(all, func(h gtpHandler) bool { return h.name == c.name })
	if i < 0 {
		return "", errors.New("unknown command")
	}
	if want := all[i].arguments; want != anyNumber && len(c.args) != want {
		return "", fmt.Errorf("syntax error: %s has %d arguments: use %d", c.name, len(c.args), want)
	}
	return all[i].run(g, ctx, c.args)
}

// start sets up the start of a game.
func (g *gtpServer) start(ctx context.Context, side int) error {
	now, err := g.after(ctx, records.StandardSquare(side).Notation(), "")
	if err == nil {
		g.side, g.now, g.past = side, now, nil
	}
	return err
}

func (g *gtpServer) version(context.Context, []string) (string, error) {
	return g.Version, nil
}

func (g *gtpServer) knownCommand(_ context.Context, args []string) (string, error) {
	known := slices.ContainsFunc(handlers(), func(h gtpHandler) bool { return h.name == args[0] })
	return strconv.FormatBool(known), nil
}

func (g *gtpServer) listCommands(context.Context, []string) (string, error) {
	var names []string
	for _, h := range handlers() {
		names = append(names, h.name)
	}
	return strings.Join(names, "\n"), nil
}

func (g *gtpServer) end(context.Context, []string) (string, error) {
	g.quit = true
	return "", nil
}

func (g *gtpServer) boardSize(ctx context.Context, args []string) (string, error) {
	const largest = 25 // of the protocol
	side, err := strconv.Atoi(args[0])
	if err != nil {
		return "", errors.New("boardsize not an integer")
	}
	if side < 2 || side > largest {
		return "", errors.New("unacceptable size")
	}
	err = g.start(ctx, side)
	if status.Code(err) == codes.InvalidArgument {
		err = errors.New("unacceptable size")
	}
	return "", err
}

func (g *gtpServer) clearBoard(ctx context.Context, _ []string) (string, error) {
	return "", g.start(ctx, g.side)
}

func (g *gtpServer) play(ctx context.Context, args []string) (string, error) {
	colour, isColour := parseColour(args[0])
	move, isVertex := parseVertex(args[1])
	if !isColour || !isVertex {
		return "", errors.New("invalid color or coordinate")
	}
	before, err := g.turn(ctx, colour)
	if err != nil {
		return "", err
	}
	if before.over() && move == passNotation {
		g.push(before)
		return "", nil
	}
	if !slices.Contains(before.legal, move) {
		return "", errors.New("illegal move")
	}
	return "", g.advance(ctx, before, move)
}

// turn returns the position in which a colour moves: the current one, or the one after a pass of an
// opponent without another move, which boards leave out.
func (g *gtpServer) turn(ctx context.Context, colour byte) (*position, error) {
	switch {
	case g.now.over() || g.now.Turn == colour:
		return g.now, nil
	case g.now.mustPass():
		return g.after(ctx, g.now.notation, passNotation)
	}
	return nil, fmt.Errorf("illegal move: it is the turn of %s", colourName(g.now.Turn))
}

// advance plays a legal move.
func (g *gtpServer) advance(ctx context.Context, before *position, move string) error {
	after, err := g.after(ctx, before.notation, move)
	if err == nil {
		g.push(after)
	}
	return err
}

// push makes a position the current one.
func (g *gtpServer) push(after *position) {
	g.past = append(g.past, g.now)
	g.now = after
}

func (g *gtpServer) generate(ctx context.Context, args []string) (string, error) {
	colour, ok := parseColour(args[0])
	if !ok {
		return "", errors.New("invalid color")
	}
	before, err := g.turn(ctx, colour)
	if err != nil {
		return "", err
	}
	if before.over() {
		g.push(before)
		return passNotation, nil
	}
	started := time.Now()
	answer, err := g.Strategies.ChooseMove(ctx, &strategyv1.ChooseMoveRequest{
		Position: &rulesv1.Position{Notation: before.notation},
		Strategy: g.limited(g.moveTime(colour, before), 0),
	})
	if err != nil {
		return "", err
	}
	g.spend(colour, time.Since(started))
	move := answer.GetChosen().GetNotation()
	return vertexOf(move), g.advance(ctx, before, move)
}

// moveTime returns the time for the next move of a side: nine tenths of its part of the time that
// is left. 0 is no limit.
func (g *gtpServer) moveTime(colour byte, p *position) time.Duration {
	clock, ok := g.clocks[colour]
	if !ok {
		return 0
	}
	moves := clock.moves
	if moves == 0 {
		moves = (p.count(empty) + 1) / 2
	}
	const shortest = 20 * time.Millisecond
	return max(clock.time/time.Duration(max(moves, 1))*9/10, shortest)
}

// spend takes time from a clock until the controller sets it again.
func (g *gtpServer) spend(colour byte, used time.Duration) {
	if clock, ok := g.clocks[colour]; ok && clock.moves == 0 {
		clock.time -= used
		g.clocks[colour] = clock
	}
}

func (g *gtpServer) undo(context.Context, []string) (string, error) {
	if len(g.past) == 0 {
		return "", errors.New("cannot undo")
	}
	last := len(g.past) - 1
	g.now, g.past = g.past[last], g.past[:last]
	return "", nil
}

func (g *gtpServer) showBoard(context.Context, []string) (string, error) {
	var text strings.Builder
	text.WriteString("\n  ")
	for column := range g.now.Side {
		text.WriteString(" " + vertexOf(g.now.cell(column))[:1])
	}
	for row := range g.now.Side {
		cells := strings.ReplaceAll(g.now.Row(row), string(empty), ".")
		fmt.Fprintf(&text, "\n%2d %s", row+1, strings.Join(strings.Split(cells, ""), " "))
	}
	return text.String(), nil
}

func (g *gtpServer) finalScore(context.Context, []string) (string, error) {
	if !g.now.over() {
		return "", errors.New("cannot score: the game is not over")
	}
	switch lead := g.now.count(black) - g.now.count(white); {
	case lead > 0:
		return fmt.Sprintf("B+%d", lead), nil
	case lead < 0:
		return fmt.Sprintf("W+%d", -lead), nil
	}
	return "0", nil
}

// timeSettings sets both clocks: the main time, or without one the time and the moves of a byoyomi
// period. A period without moves means no limit.
func (g *gtpServer) timeSettings(_ context.Context, args []string) (string, error) {
	numbers, err := naturals(args)
	if err != nil {
		return "", err
	}
	mainTime, period, moves := numbers[0], numbers[1], numbers[2]
	clock := gtpClock{seconds(mainTime), 0}
	if mainTime == 0 {
		clock = gtpClock{seconds(period), moves}
	}
	g.clocks = map[byte]gtpClock{black: clock, white: clock}
	if period > 0 && moves == 0 {
		g.clocks = nil
	}
	return "", nil
}

func (g *gtpServer) timeLeft(_ context.Context, args []string) (string, error) {
	colour, ok := parseColour(args[0])
	numbers, err := naturals(args[1:])
	if err != nil || !ok {
		return "", errors.New("syntax error: use a colour, seconds and moves")
	}
	if g.clocks == nil {
		g.clocks = map[byte]gtpClock{}
	}
	g.clocks[colour] = gtpClock{seconds(numbers[0]), numbers[1]}
	return "", nil
}

func seconds(n int) time.Duration { return time.Duration(n) * time.Second }

// naturals reads numbers up to a million.
func naturals(args []string) ([]int, error) {
	const largest = 1_000_000
	var all []int
	for _, arg := range args {
		n, err := strconv.Atoi(arg)
		if err != nil || n < 0 || n > largest {
			return nil, fmt.Errorf("syntax error: %.20q is not a number from 0 to %d", arg, largest)
		}
		all = append(all, n)
	}
	return all, nil
}

// setUp replaces the position by discs, each a colour and a vertex.
func (g *gtpServer) setUp(ctx context.Context, args []string) (string, error) {
	board := emptySquare(g.side)
	cells := []byte(board.Cells)
	for len(args) > 1 {
		colour, isColour := parseColour(args[0])
		cell, isVertex := parseVertex(args[1])
		index, onBoard := board.index(cell)
		if !isColour || !isVertex || !onBoard {
			return "", errors.New("invalid color or coordinate")
		}
		cells[index], args = colour, args[2:]
	}
	if len(args) > 0 {
		return "", errors.New("syntax error: use pairs of a colour and a vertex")
	}
	board.Cells = string(cells)
	return "", g.replace(ctx, board)
}

// setUpPlayer sets the side to move.
func (g *gtpServer) setUpPlayer(ctx context.Context, args []string) (string, error) {
	colour, ok := parseColour(args[0])
	if !ok {
		return "", errors.New("invalid color")
	}
	board := g.now.square
	board.Turn = colour
	return "", g.replace(ctx, board)
}

func (g *gtpServer) replace(ctx context.Context, board square) error {
	now, err := g.after(ctx, board.Notation(), "")
	if err == nil {
		g.now, g.past = now, nil
	}
	return err
}
