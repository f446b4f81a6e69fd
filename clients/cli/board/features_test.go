//go:build !race

package board

import (
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/flipside-games/flipside/clients/cli/layout"
	"github.com/flipside-games/flipside/clients/cli/render"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// easy is a robot of the weakest level.
func easy() *gamev1.Robot { return &gamev1.Robot{Strategy: render.Strategy("easy")} }

func hexCell(q, r int) *rulesv1.Cell {
	hex := &rulesv1.HexCell{Q: int32(q), R: int32(r)}
	return &rulesv1.Cell{Coordinates: &rulesv1.Cell_Hex{Hex: hex}}
}

func squareCell(row, column int) *rulesv1.Cell {
	square := &rulesv1.SquareCell{Row: int32(row), Column: int32(column)}
	return &rulesv1.Cell{Coordinates: &rulesv1.Cell_Square{Square: square}}
}

// at returns the character in the middle of a cell of a Reversi board.
func (d *driver) at(g *game, cell layout.Cell) (x, y int) {
	f := g.frame(d.width, d.height)
	x, y = f.grid.Centre(cell)
	return x + f.board.X + (f.board.Width-f.grid.Width())/2, y + f.board.Y + (f.board.Height-f.grid.Height())/2
}

// place selects a cell, places there and waits until the move was played.
func (d *driver) place(g *game, cell *rulesv1.Cell) {
	d.t.Helper()
	g.selectCell(g.shape.FromProto(cell))
	g.focus = onBoard
	d.play(g, "enter")
}

// pass passes and waits until the move was played.
func (d *driver) pass(g *game) {
	d.t.Helper()
	d.play(g, "p")
}

func (d *driver) play(g *game, key string) {
	d.t.Helper()
	d.wait("the last change of the game", g.isLive)
	moves := g.history.Last()
	d.keys(key)
	d.wait("a move", func() bool {
		if g.notice.isErr {
			d.t.Fatalf("rejected: %s", g.notice.text)
		}
		return g.history.Last() > moves && g.isLive() && !g.playing
	})
}

func TestArrowKeysSelectAndEscapeDeselects(t *testing.T) {
	t.Parallel()
	d := playGame(t, StartServer(t), hexagonSetup(2), caller(), caller())
	g := d.current()
	d.keys("up")
	d.see("q 0, r 0, s 0", "[ ]")
	d.keys("up")
	d.see("q 0, r -1, s 1", "[●]")
	d.keys("right")
	d.see("q 1, r -1, s 0", "[○]")
	d.keys("esc")
	if g.selected != nil {
		t.Error("the cell is still selected")
	}
	d.unsee("q 1")
}

// The corners of the box around a hexagon belong to its neighbours.
func TestClickSelectsByTheShapeOfAHexagon(t *testing.T) {
	t.Parallel()
	d := playGame(t, StartServer(t), hexagonSetup(2), caller(), caller())
	g := d.current()
	middle := g.shape.Middle()
	x, y := d.at(g, middle)
	for _, test := range []struct {
		dx, dy int
		want   layout.Cell
	}{
		{0, 0, middle},
		{1, 0, middle},
		{0, -1, middle},
		{-2, -1, layout.Cell{Row: 1, Index: 1}},
		{2, -1, layout.Cell{Row: 1, Index: 2}},
		{-2, 1, layout.Cell{Row: 3, Index: 1}},
		{2, 1, layout.Cell{Row: 3, Index: 2}},
	} {
		g.selected = nil
		d.clickAt(x+test.dx, y+test.dy)
		if g.selected == nil || *g.selected != test.want {
			t.Errorf("a click %d right, %d below the centre selects %v, want %v", test.dx, test.dy, g.selected, test.want)
		}
	}
}

func TestClickOnTheSelectedCellOrOutsideDeselects(t *testing.T) {
	t.Parallel()
	d := playGame(t, StartServer(t), squareSetup(8), caller(), caller())
	g := d.current()
	x, y := d.at(g, layout.Cell{Row: 2, Index: 3})
	for name, again := range map[string][2]int{"selected": {x, y}, "outside": {79, 23}} {
		d.clickAt(x, y)
		d.see("d3")
		d.clickAt(again[0], again[1])
		if g.selected != nil {
			t.Errorf("a click on %s leaves the cell selected", name)
		}
	}
}

func TestEnterPlacesAndAsksForASelection(t *testing.T) {
	t.Parallel()
	d := playGame(t, StartServer(t), squareSetup(8), caller(), caller())
	g := d.current()
	d.keys("enter")
	d.see("Select a cell first")
	d.place(g, squareCell(2, 3))
	d.see("1 ● d3 +1", "White is to move")
}

func TestPPassesAndOneMorePassEndsTheGame(t *testing.T) {
	t.Parallel()
	d := playGame(t, StartServer(t), hexagonSetup(2), caller(), caller())
	g := d.current()
	d.pass(g)
	d.see("1 ● pass", "one more pass ends the")
	d.pass(g)
	d.see("A draw on score")
}

// A rejected move changes nothing but the message.
func TestRejectedMoveShowsTheReasonAndKeepsTheSelection(t *testing.T) {
	t.Parallel()
	d := playGame(t, StartServer(t), squareSetup(8), caller(), caller())
	g := d.current()
	g.selectCell(layout.Cell{})
	d.keys("enter")
	d.see("FLIPS_NOTHING", "Black is to move", "a1")
	if g.selected == nil || *g.selected != (layout.Cell{}) || g.history.Last() != 0 {
		t.Errorf("selected %v after %d moves", g.selected, g.history.Last())
	}
	d.keys("left")
	d.unsee("FLIPS_NOTHING")
}

func TestLitCellsAreTheLegalMovesOfTheUserInTurn(t *testing.T) {
	t.Parallel()
	d := playGame(t, StartServer(t), squareSetup(8), caller(), robotSeat(easy()))
	g := d.current()
	d.wait("4 legal cells", func() bool { return len(g.legalCells()) == 4 })
	if n := strings.Count(d.text(), "•"); n != 4 {
		t.Errorf("%d cells are marked, want 4:\n%s", n, d.text())
	}
	g.playing = true // as while a move is in flight
	if n := strings.Count(d.text(), "•"); n != 0 {
		t.Errorf("%d cells are marked out of turn", n)
	}
}

func TestHintsShowHowManyEachMoveFlips(t *testing.T) {
	t.Parallel()
	d := playGame(t, StartServer(t), squareSetup(8), caller(), caller())
	g := d.current()
	d.keys("h")
	d.see("│ 1 │")
	d.place(g, squareCell(2, 3))
	d.see("│ 1 │") // for the other side too
	d.keys("h")
	d.unsee("│ 1 │")
}

func TestColourToMoveAndScoreFollowEachMove(t *testing.T) {
	t.Parallel()
	d := playGame(t, StartServer(t), squareSetup(8), caller(), caller())
	g := d.current()
	d.see("▶  ●  Black you                          2", "   ○  White you                          2")
	d.place(g, squareCell(2, 3))
	d.see("   ●  Black you                          4", "▶  ○  White you                          1")
}

// slow is a robot that searches for a second.
func slow() *gamev1.Robot {
	s := render.Strategy("engine")
	s.GetEngine().MaxTime = durationpb.New(time.Second)
	return &gamev1.Robot{Strategy: s}
}

func TestThinkingMessageThenReachedDepth(t *testing.T) {
	t.Parallel()
	d := playGame(t, StartServer(t), squareSetup(8), caller(), robotSeat(slow()))
	g := d.current()
	d.place(g, squareCell(2, 3))
	d.see("White is thinking", "1 ● d3 +1")
	d.keys("p")
	d.see("It is not your turn: White")
	d.see("2 ○", "White: depth", "cut off by", "nodes")
}

func TestProgressOfARobotIsShownUntilItMoves(t *testing.T) {
	t.Parallel()
	robot := slow()
	robot.GetStrategy().GetEngine().MaxTime = durationpb.New(2 * time.Second)
	d := playGame(t, StartServer(t), squareSetup(8), caller(), robotSeat(robot))
	g := d.current()
	d.place(g, squareCell(2, 3))
	d.see("White is thinking", "White: depth")
	if g.thinking == nil || strings.Contains(d.text(), "cut off by") {
		t.Errorf("the depth appeared after the move:\n%s", d.text())
	}
	late := &gamev1.WatchGameResponse{
		Version: g.history.Version,
		Message: &gamev1.WatchGameResponse_RobotThinking{RobotThinking: g.thinking},
	}
	d.see("2 ○", "cut off by")
	g.message(late)
	if g.thinking != nil {
		t.Error("a report that came after the move is shown")
	}
}

func TestDepthAndTimeFieldsChangeTheRobotInMidGame(t *testing.T) {
	t.Parallel()
	d := playGame(t, StartServer(t), squareSetup(8), caller(), robotSeat(easy()))
	g := d.current()
	d.keys("s")
	d.see("Robot of White", "easy")
	for !strings.Contains(d.text(), "alphabeta") {
		d.keys("right")
	}
	d.see("Depth", " 4 ", "no limit")
	d.keys("down")
	d.see("up to 64")
	d.keys("backspace", "9", "9", "enter")
	d.wait("the error", func() bool { f := d.top().(*form); return f.fields[f.index].err != "" })
	if f := d.top().(*form); f.fields[f.index].name != "alphabeta depth" || f.fields[f.index].err == "" {
		t.Errorf("the error is at %q", f.fields[f.index].name)
	}
	d.keys("backspace", "backspace", "3", "down", "ctrl+u", "5", "x", "enter")
	d.see("use a time such as 500ms")
	d.keys("backspace", "s", "enter")
	d.see("White plays alphabeta depth 3 5s")
	if got := render.StrategyName(g.seat(1).GetRobot().GetStrategy()); got != "alphabeta depth 3 5s" {
		t.Errorf("the robot plays %s", got)
	}
	d.place(g, squareCell(2, 3))
	d.see("White: depth 3") // from its next move
}

func TestTheStrengthOfASkillIsAField(t *testing.T) {
	t.Parallel()
	d := playGame(t, StartServer(t), squareSetup(8), caller(), robotSeat(easy()))
	g := d.current()
	d.keys("s")
	for !strings.Contains(d.text(), "skill") {
		d.keys("right")
	}
	d.see("Strength", " 5 ")
	d.keys("down", "right", "right", "enter")
	d.see("White plays skill:7")
	if got := g.seat(1).GetRobot().GetStrategy().GetSkill(); got != 7 {
		t.Errorf("the robot has the skill %d", got)
	}
	d.keys("s")
	d.see("Strength", " 7 ")
}

func TestMainMenuLeadsToAGameAndBack(t *testing.T) {
	t.Parallel()
	s := StartServer(t)
	d := drive(t, s.options(t, s.Key(t, "Ada")))
	d.see("New game", "My games", "Open games", "Join", "Watch", "Exit")
	d.clickOn("New game")
	d.see("Start", "Cancel")
	d.clickOn("Start")
	d.current()
	d.see("Your turn: you play Black", "robot easy")
	d.keys("esc")
	d.see("Continue")
	d.keys("c")
	d.see("Your turn: you play Black")
	d.keys("esc", "g")
	d.see("hex 5", "your turn")
	d.keys("enter")
	d.see("Your turn: you play Black")
	d.keys("esc", "w")
	d.see("Games to watch", "There are no games here") // of other people
}

func TestConfigurationStartsWithTheDefaultsAndCancelLeavesIt(t *testing.T) {
	t.Parallel()
	s := StartServer(t)
	d := drive(t, s.options(t, s.Key(t, "Ada")))
	d.keys("n")
	d.see("hexagon", " 5 ", "robot", "easy", "Black", "none", "public", "voluntary")
	d.keys("right")
	d.see("square", " 8 ", "forced")
	d.keys("down", "backspace", "7", "enter")
	d.see("even") // the server's error, at the field
	if f := d.top().(*form); f.fields[f.index].name != "side" || f.fields[f.index].err == "" {
		t.Errorf("the error is at %q: %+v", f.fields[f.index].name, *f)
	}
	d.clickOn("Cancel")
	d.see("Exit")
	d.unsee("Cancel")
}

func TestErrorsInAGridFileAppearAtTheField(t *testing.T) {
	t.Parallel()
	s := StartServer(t)
	d := drive(t, s.options(t, s.Key(t, "Ada")))
	d.keys("n", "left")
	d.see("Grid file")
	d.keys("down")
	d.typed("/no/such/grid")
	d.keys("enter")
	d.see("no such file")
}

func TestResultScreenAndGameOverLabelFromTheUsersSide(t *testing.T) {
	t.Parallel()
	d := playGame(t, StartServer(t), squareSetup(8), caller(), robotSeat(easy()))
	g := d.current()
	d.place(g, squareCell(2, 3))
	d.wait("the robot's move", func() bool { return g.history.Last() == 2 && g.mover() == 0 })
	d.keys("r")
	d.see("Resign?", "Black loses the game at once")
	d.keys("n")
	d.unsee("Resign?")
	d.keys("r", "y")
	d.see("Look at the board", "You lost by resignation", "Rematch", "Fork", "Analyse", "Menu")
	d.keys("esc")
	d.see("Game over: You lost by resignation")
}

func TestCopyOfSettingsIntoANewGame(t *testing.T) {
	t.Parallel()
	d := playGame(t, StartServer(t), hexagonSetup(3), robotSeat(slow()), caller())
	d.current()
	d.keys("c")
	d.see(" 3 ", "engine", "White", " 1s ")
	first := d.current().id
	d.keys("enter")
	d.wait("another game", func() bool { g, ok := d.game(); return ok && g.id != first })
	if got := d.current().latest; got.GetSetup().GetReversi().GetHexagon().GetRings() != 3 || got.GetSeats()[0].GetRobot() == nil {
		t.Errorf("the new game is %v", got)
	}
}

// Two players far apart and a spectator see the same.
func TestTwoWindowsAndASpectatorFollowLive(t *testing.T) {
	t.Parallel()
	s := StartServer(t)
	o := s.options(t, s.Key(t, "Ada"))
	o.Create = &gamev1.CreateGameRequest{Setup: hexagonSetup(2), Seats: []*gamev1.Seat{caller(), open()}}
	ada := drive(t, o)
	id := ada.current().id
	ada.see("Waiting for an opponent", "flipside play --join", id)
	o = s.options(t, s.Key(t, "Ben"))
	o.Join = "http://localhost:8080/g/" + id
	ben := drive(t, o)
	o = s.options(t, s.Key(t, "Cy"))
	o.GameID = id
	cy := drive(t, o)
	ben.see("White you", "Black Ada")
	ada.see("Your turn", "White Ben")
	cy.see("Black is to move", "Black Ada")
	ada.place(ada.current(), hexCell(1, -2))
	ben.see("Your turn", "1 ● 1,-2 +1")
	cy.see("White is to move", "1 ● 1,-2 +1")
	cy.keys("enter")
	cy.see("You watch this game")
	ben.pass(ben.current())
	ada.see("White passes.", "one more pass ends the")
}

func TestWalkThroughTheMovesAndForkThere(t *testing.T) {
	t.Parallel()
	d := playGame(t, StartServer(t), squareSetup(8), caller(), caller())
	g := d.current()
	d.place(g, squareCell(2, 3))
	d.place(g, squareCell(2, 2))
	d.keys(",")
	d.see("Position after move 1 of 2")
	d.keys("enter")
	d.see("This is a past position")
	d.keys("home")
	d.see("Position after move 0 of 2")
	d.keys("tab", "tab", "right", "f")
	d.see("New game from this position")
	d.keys("esc", "end")
	d.unsee("Position after")
}

func TestRobotAgainstRobotIsFollowedToItsEnd(t *testing.T) {
	t.Parallel()
	d := playGame(t, StartServer(t), squareSetup(4), robotSeat(easy()), robotSeat(easy()))
	d.see("wins on score")
}

func TestClocksOfBothSides(t *testing.T) {
	t.Parallel()
	s := StartServer(t)
	o := s.options(t, s.Key(t, "Ada"))
	o.Create = &gamev1.CreateGameRequest{
		Setup: squareSetup(4), Seats: []*gamev1.Seat{caller(), caller()},
		TimeControl: perGame(5 * time.Minute),
	}
	d := drive(t, o)
	g := d.current()
	d.see("5:00")
	start := time.Now()
	d.now = func() time.Time { return time.Now().Add(time.Minute) } // a minute later
	if left, _ := g.timeLeft(0); left > 4*time.Minute || left < 4*time.Minute-time.Since(start)-time.Minute {
		t.Errorf("the side to move has %v", left)
	}
	if left, _ := g.timeLeft(1); left != 5*time.Minute {
		t.Errorf("the other side has %v", left)
	}
}

// The analysis shows the best moves of the shown position. Between two people it waits for the end of
// the game.
func TestAnalysisOfTheShownPosition(t *testing.T) {
	t.Parallel()
	s := StartServer(t)
	d := playGame(t, s, squareSetup(4), caller(), caller())
	g := d.current()
	d.keys("a")
	d.see("Analysis: depth")
	d.place(g, squareCell(0, 1))
	d.keys("r", "y")
	d.see("walk through the moves")
	d.keys("a")
	d.see("Walk through the moves")
	if version := g.analysis.version; version != g.entry().Version {
		t.Errorf("the analysis is of version %d, not %d", version, g.entry().Version)
	}
	d.keys(",")
	d.see("Position after move 0", "Analysis: depth")
	if version := g.analysis.version; version != g.entry().Version {
		t.Errorf("the analysis is of version %d, not %d", version, g.entry().Version)
	}
	o := s.options(t, s.Key(t, "Ben"))
	o.Create = &gamev1.CreateGameRequest{Setup: squareSetup(4), Seats: []*gamev1.Seat{caller(), open()}}
	ben := drive(t, o)
	ben.current()
	ben.keys("a")
	ben.see("Games between two people")
}

// Rules that differ from the default are on the panel, and in the help where there is no panel.
func TestRulesOfTheGameAreShown(t *testing.T) {
	t.Parallel()
	rules := []rulesv1.Rule{rulesv1.Rule_RULE_REVERSE, rulesv1.Rule_RULE_SAME}
	d := playGame(t, StartServer(t), triosSetup(rules...), caller(), caller())
	d.current()
	d.keys("?")
	d.see("Rules    reverse, same")
	d.keys("esc")
	d.unsee("reverse, same")
	d.resize(120, 40)
	d.see("reverse, same")
}

func TestLabelsAreTurnedOff(t *testing.T) {
	t.Parallel()
	d := playGame(t, StartServer(t), squareSetup(8), caller(), caller())
	d.current()
	d.see("a   b   c")
	d.keys("l")
	d.unsee("a   b   c")
}
