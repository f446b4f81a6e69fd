//go:build !race

package board_test

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"

	"github.com/flipside-games/flipside/clients/cli/board"
	"github.com/flipside-games/flipside/clients/cli/commands"
)

// asProgram makes the test binary run the program instead of its tests.
const asProgram = "FLIPSIDE_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		streams := commands.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
		os.Exit(commands.Run(context.Background(), "test", os.Args[1:], streams, os.Getenv))
	}
	os.Exit(m.Run())
}

// terminal is a pseudo terminal in which the program runs.
type terminal struct {
	t       *testing.T
	pty     *os.File
	mu      sync.Mutex // guards the cells of screen, which CellAt returns without a copy
	screen  *vt.SafeEmulator
	width   int
	height  int
	changed chan struct{}
	ended   chan error
}

// run runs the program in a terminal of 80 columns and 24 rows.
func run(t *testing.T, s *board.Server, args ...string) *terminal {
	t.Helper()
	const width, height = 80, 24
	x := &terminal{
		t: t, screen: vt.NewSafeEmulator(width, height), width: width, height: height,
		changed: make(chan struct{}, 1), ended: make(chan error, 1),
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), asProgram+"=1", "TERM=xterm-256color", "NO_COLOR=1",
		"FLIPSIDE_ADDRESS="+s.Game, "FLIPSIDE_STRATEGY_ADDRESS="+s.Strategy,
		"FLIPSIDE_KEY="+s.Key(t, "Ada"), "FLIPSIDE_CLIENT_CONFIG="+t.TempDir()+"/config.json")
	var err error
	if x.pty, err = pty.StartWithSize(cmd, &pty.Winsize{Cols: width, Rows: height}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.pty.Close() })
	go x.show()
	go x.answer()
	go func() { x.ended <- cmd.Wait() }()
	return x
}

// show writes the output of the program to the screen.
func (x *terminal) show() {
	buffer := make([]byte, 1<<16)
	for {
		n, err := x.pty.Read(buffer)
		if err != nil {
			return
		}
		x.mu.Lock()
		_, _ = x.screen.Write(buffer[:n])
		x.mu.Unlock()
		select {
		case x.changed <- struct{}{}:
		default:
		}
	}
}

// answer sends the replies of the terminal to questions of the program.
func (x *terminal) answer() {
	buffer := make([]byte, 1<<10)
	for {
		n, err := x.screen.Read(buffer)
		if err != nil {
			return
		}
		_, _ = x.pty.Write(buffer[:n])
	}
}

// text returns the screen as lines of text.
func (x *terminal) text() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	var text strings.Builder
	for row := range x.height {
		for column := range x.width {
			cell := x.screen.CellAt(column, row)
			if cell == nil || cell.Content == "" {
				text.WriteByte(' ')
			} else {
				text.WriteString(cell.Content)
			}
		}
		text.WriteByte('\n')
	}
	return text.String()
}

// wait waits until a condition holds on the screen.
func (x *terminal) wait(what string, ok func(text string) bool) {
	x.t.Helper()
	timeout := time.After(90 * time.Second)
	for !ok(x.text()) {
		select {
		case <-x.changed:
		case <-timeout:
			x.t.Fatalf("waited in vain for %s; the screen:\n%s", what, x.text())
		}
	}
}

func (x *terminal) see(text string) {
	x.t.Helper()
	x.wait(text, func(screen string) bool { return strings.Contains(screen, text) })
}

// send sends the bytes of keys.
func (x *terminal) send(keys string) {
	x.t.Helper()
	if _, err := x.pty.WriteString(keys); err != nil {
		x.t.Fatal(err)
	}
}

// Bytes of keys.
const enter, escape, ctrlC = "\r", "\x1b", "\x03"

// find returns the first place of a text on a screen.
func find(screen, text string) (column, row int, found bool) {
	for row, line := range strings.Split(screen, "\n") {
		if before, _, ok := strings.Cut(line, text); ok {
			return len([]rune(before)), row, true
		}
	}
	return 0, 0, false
}

// click clicks on a character.
func (x *terminal) click(column, row int) {
	place := ";" + strconv.Itoa(column+1) + ";" + strconv.Itoa(row+1)
	x.send("\x1b[<0" + place + "M\x1b[<0" + place + "m")
}

// quit leaves the program and checks that it shows how to return to an unfinished game.
func (x *terminal) quit() {
	x.t.Helper()
	x.send(ctrlC)
	select {
	case err := <-x.ended:
		if err != nil {
			x.t.Errorf("the program ended with %v", err)
		}
	case <-time.After(90 * time.Second):
		x.t.Fatal("the program did not end")
	}
}

const yourTurn = "Your turn"

// selected reports whether a legal cell is selected.
func selected(screen string) bool {
	return strings.Contains(screen, "[•]") || strings.Contains(screen, "[  •  ]") ||
		strings.Contains(screen, "[     •     ]")
}

// playByMouse plays a whole game of Reversi: it clicks on the first legal cell and presses Enter.
func (x *terminal) playByMouse() {
	x.t.Helper()
	for {
		var column, row int
		over := false
		x.wait("the turn with its legal cells", func(screen string) bool {
			over = strings.Contains(screen, "Look at the board")
			mustPass := strings.Contains(screen, "press p to pass")
			var found bool
			column, row, found = find(screen, "•")
			if mustPass {
				column = -1
			}
			return over || strings.Contains(screen, yourTurn) && (found || mustPass)
		})
		if over {
			return
		}
		if column < 0 {
			x.send("p")
			x.wait("the pass", func(screen string) bool { return !strings.Contains(screen, "press p to pass") })
			continue
		}
		x.click(column, row)
		x.wait("the selection", selected)
		x.send(enter)
		x.wait("the move", func(screen string) bool { return !selected(screen) })
	}
}

func TestWholeGameOnAHexagonByMouse(t *testing.T) {
	t.Parallel()
	x := run(t, board.StartServer(t), "play", "hex", "human", "easy", "2", "--pass-rule", "forced")
	x.playByMouse()
	x.quit()
}

func TestWholeGameOnASquareByMouse(t *testing.T) {
	t.Parallel()
	x := run(t, board.StartServer(t), "play", "square", "human", "easy", "4")
	x.playByMouse()
	x.send("m")
	x.see("New game")
	x.quit()
}

// A whole game of cards: a key selects the first card, and a click the first free cell.
func TestWholeGameOfCardsByKeysAndMouse(t *testing.T) {
	t.Parallel()
	x := run(t, board.StartServer(t), "play", "trios", "human", "easy")
	for range 5 {
		x.see(yourTurn)
		x.send("1")
		x.see("▸1")
		var column, row int
		x.wait("the legal cells", func(screen string) (found bool) {
			column, row, found = find(screen, "•")
			return found
		})
		x.click(column, row)
		x.wait("the selection", selected)
		x.send(enter)
		x.wait("the end of the move", func(screen string) bool {
			return !selected(screen) &&
				(strings.Contains(screen, yourTurn) || strings.Contains(screen, "Look at the board"))
		})
	}
	x.see("Look at the board")
	x.quit()
}

func TestMenuOpensAloneAndQuittingShowsHowToReturn(t *testing.T) {
	t.Parallel()
	x := run(t, board.StartServer(t))
	x.see("New game")
	x.send("n")
	x.see("Start")
	x.send(enter)
	x.see(yourTurn)
	x.send("?")
	x.see("offer a takeback")
	x.send(escape)
	x.see(yourTurn)
	x.quit()
	x.see("return with: flipside play")
}
