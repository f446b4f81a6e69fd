//go:build !race

package board_test

import (
	"context"
	"os"
	"os/exec"
	"regexp"
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

// run runs the program in a terminal of 80 columns and 24 rows, as a new player.
func run(t *testing.T, s *board.TestServer, args ...string) *terminal {
	t.Helper()
	return runAs(t, s, s.Key(t, "Ada"), args...)
}

// runAs runs the program with a key, "" for none.
func runAs(t *testing.T, s *board.TestServer, key string, args ...string) *terminal {
	t.Helper()
	const width, height = 80, 24
	x := &terminal{
		t: t, screen: vt.NewSafeEmulator(width, height), width: width, height: height,
		changed: make(chan struct{}, 1), ended: make(chan error, 1),
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), asProgram+"=1", "TERM=xterm-256color", "NO_COLOR=1",
		"FLIPSIDE_ADDRESS="+s.Game, "FLIPSIDE_STRATEGY_ADDRESS="+s.Strategy,
		"FLIPSIDE_KEY="+key, "FLIPSIDE_CLIENT_CONFIG="+t.TempDir()+"/config.json")
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
	timeout := time.After(*board.Limit)
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
const (
	enter, escape, ctrlC  = "\r", "\x1b", "\x03"
	up, down, right, left = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
)

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
	case <-time.After(*board.Limit):
		x.t.Fatal("the program did not end")
	}
}

const yourTurn = "Your turn"

// brackets are the marks of a selection.
var brackets = regexp.MustCompile(`\[[^\[\]]+\]`)

// selected reports whether a legal cell is selected.
func selected(screen string) bool {
	return strings.Contains(screen, "[•]") || strings.Contains(screen, "[  •  ]") ||
		strings.Contains(screen, "[     •     ]")
}

// over reports whether the result is shown.
func over(screen string) bool { return strings.Contains(screen, "Look at the board") }

// mustPass reports whether the user has no placement.
func mustPass(screen string) bool { return strings.Contains(screen, "press p to pass") }

// player plays the turns of a game: with keys or with the mouse.
type player struct {
	selectCard func() // nil for games without cards
	selectCell func() // selects a legal cell
	press      func(key, label string)
}

// play plays a whole game.
func (x *terminal) play(p player) {
	x.t.Helper()
	for {
		cards := p.selectCard != nil
		x.wait("the turn", func(screen string) bool {
			return over(screen) || strings.Contains(screen, yourTurn) && !selected(screen) &&
				(cards || mustPass(screen) || strings.Contains(screen, "•"))
		})
		switch screen := x.text(); {
		case over(screen):
			return
		case mustPass(screen):
			p.press("p", "Pass")
			x.wait("the pass", func(screen string) bool { return !mustPass(screen) })
			continue
		case cards:
			p.selectCard()
			x.see("▸1")
			x.see("•")
		}
		p.selectCell()
		x.wait("the selection", selected)
		p.press(enter, "Place")
		x.wait("the move", func(screen string) bool { return !selected(screen) && !strings.Contains(screen, "▸1") })
	}
}

// mouse returns a player that only clicks: on cards, on cells, and on the keys in the last line.
func (x *terminal) mouse() player {
	clickOn := func(text string) {
		column, row, found := find(x.text(), text)
		if !found {
			x.t.Fatalf("%q is not on the screen:\n%s", text, x.text())
		}
		x.click(column, row)
	}
	return player{
		selectCell: func() { clickOn("•") },
		press:      func(_, label string) { clickOn(label) },
	}
}

// keys returns a player that only presses keys: arrow keys lead to a legal cell. The distances are
// those between the centres of neighbours on the screen; on a hexagon, rows are shifted.
func (x *terminal) keys(width, height int, hexagon bool) player {
	return player{
		press: func(key, _ string) { x.send(key) },
		selectCell: func() {
			if !brackets.MatchString(x.text()) {
				x.send(left)
				x.wait("a selection", brackets.MatchString)
			}
			screen := x.text()
			if selected(screen) {
				return
			}
			column, row, _ := find(screen, "•")
			from := brackets.FindString(screen)
			fromColumn, fromRow, _ := find(screen, from)
			down := (row - fromRow) / height
			right := column - fromColumn - len([]rune(from))/2
			if hexagon {
				right -= down * width / 2
			}
			x.send(x.path(right/width, down))
		},
	}
}

var coordinates = regexp.MustCompile(`q (-?\d+), r (-?\d+)`)

// path returns the arrow keys that move the selection. On a hexagon of two rings each step stays on
// the board.
func (x *terminal) path(toRight, toDown int) string {
	q, r := 0, 0
	at := coordinates.FindStringSubmatch(x.text())
	if at != nil {
		q, _ = strconv.Atoi(at[1])
		r, _ = strconv.Atoi(at[2])
	}
	var keys strings.Builder
	for toRight != 0 || toDown != 0 {
		step, key := sign(toRight), map[int]string{-1: left, 1: right}[sign(toRight)]
		if sum := q + step + r; step == 0 || at != nil && (sum < -2 || sum > 2) {
			step, key = sign(toDown), map[int]string{-1: up, 1: down}[sign(toDown)]
			r += step
			toDown -= step
		} else {
			q += step
			toRight -= step
		}
		keys.WriteString(key)
	}
	return keys.String()
}

func sign(n int) int { return max(min(n, 1), -1) }

func TestWholeGameOnAHexagonByMouse(t *testing.T) {
	t.Parallel()
	x := run(t, board.StartServer(t), "play", "hex", "human", "easy", "2", "--pass-rule", "forced")
	x.play(x.mouse())
	x.quit()
}

func TestWholeGameOnAHexagonByKeys(t *testing.T) {
	t.Parallel()
	x := run(t, board.StartServer(t), "play", "hex", "human", "easy", "2", "--pass-rule", "forced")
	x.play(x.keys(4, 2, true))
	x.quit()
}

func TestWholeGameOnASquareByMouse(t *testing.T) {
	t.Parallel()
	x := run(t, board.StartServer(t), "play", "square", "human", "easy", "4")
	x.play(x.mouse())
	x.send("m")
	x.see("New game")
	x.quit()
}

func TestWholeGameOnASquareByKeys(t *testing.T) {
	t.Parallel()
	x := run(t, board.StartServer(t), "play", "square", "human", "easy", "4")
	x.play(x.keys(8, 4, false))
	x.quit()
}

func TestWholeGameOfCardsByMouse(t *testing.T) {
	t.Parallel()
	x := run(t, board.StartServer(t), "play", "trios", "human", "easy")
	p := x.mouse()
	p.selectCard = func() {
		column, row, _ := find(x.text(), "╭1")
		x.click(column+2, row+1)
	}
	x.play(p)
	x.quit()
}

func TestWholeGameOfCardsByKeys(t *testing.T) {
	t.Parallel()
	x := run(t, board.StartServer(t), "play", "trios", "human", "easy")
	p := x.keys(13, 5, false)
	p.selectCard = func() { x.send("1") }
	x.play(p)
	x.quit()
}

func TestMenuOpensAloneAndQuittingShowsHowToReturn(t *testing.T) {
	t.Parallel()
	x := run(t, board.StartServer(t))
	x.see("My games")
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

// A game opens by its id or link, and an invitation shows how to join.
func TestGamesAreInvitedToJoinedAndOpened(t *testing.T) {
	t.Parallel()
	s := board.StartServer(t)
	ada := run(t, s, "play", "square", "--invite")
	ada.see("Waiting for an opponent")
	ada.see("Your friend joins")
	if join := regexp.MustCompile(`(?m)^ ?flipside play --join [0-9a-z]{26}\b`); !join.MatchString(ada.text()) {
		t.Errorf("no line has the whole command:\n%s", ada.text())
	}
	id := regexp.MustCompile(`[0-9a-z]{26}`).FindString(ada.text())
	ben := run(t, s, "play", "--join", "http://127.0.0.1:8080/g/"+id)
	ben.see("Black Ada")
	ada.see(yourTurn)
	cy := run(t, s, "play", id)
	cy.see("Black is to move")
	for _, x := range []*terminal{ada, ben, cy} {
		x.quit()
	}
	ada.see("return with: flipside play " + id[:6])
}

// At the first use there is no key yet: the board waits for the server and creates a player.
func TestUnreachableServerAtTheFirstUse(t *testing.T) {
	t.Parallel()
	s := board.StartServer(t)
	s.Stop()
	x := runAs(t, s, "", "play", "square", "human", "easy", "4")
	x.see("Cannot connect")
	x.see("Next attempt in")
	s.Start(t)
	x.see(yourTurn)
	x.quit()
	x.see("created the player")
}

// A restart of the server in mid-game: the board shows it, resumes and has every move.
func TestReconnectInMidGame(t *testing.T) {
	t.Parallel()
	s := board.StartServer(t)
	key := s.Key(t, "Ada")
	x := runAs(t, s, key, "play", "square", "human", "human", "4")
	p := x.keys(8, 4, false)
	move := func(last string) {
		x.t.Helper()
		x.see("•")
		p.selectCell()
		x.wait("the selection", selected)
		x.send(enter)
		x.see(last)
	}
	move("1 ● b1")
	s.Stop()
	x.see("The server is not reachable.")
	s.Start(t)
	s.Play(t, key, "a1") // before the board is connected again
	x.see("2 ○ a1")
	x.wait("the connection", func(screen string) bool { return !strings.Contains(screen, "not reachable") })
	move("3 ●")
	x.see("1 ● b1")
	x.quit()
}
