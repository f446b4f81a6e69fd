package game_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
)

// diff compares games and their parts, positions by their notation.
func diff(want, got any) string {
	return cmp.Diff(want, got, cmpopts.EquateEmpty(),
		cmp.Comparer(func(a, b rules.Cell) bool { return a == b }),
		cmp.Comparer(func(a, b rules.Position) bool { return a.Notation() == b.Notation() }))
}

// match is a game under test with its log.
type match struct {
	*testing.T
	game.Game
	log []game.Event
	at  time.Time
}

func newMatch(t *testing.T, seats ...game.Seat) *match {
	t.Helper()
	d := create(t, hexagon(3), seats...)
	return &match{T: t, Game: d.Game, log: d.Events, at: now}
}

// accept applies a decision and checks that the log replays to the game.
func (m *match) accept(d game.Decision, err error) {
	m.Helper()
	if err != nil {
		m.Fatal(err)
	}
	m.Game, m.log = d.Game, append(m.log, d.Events...)
	replayed, err := game.Replay(m.log)
	if err != nil {
		m.Fatal(err)
	}
	if diff := diff(m.Game, replayed); diff != "" {
		m.Fatalf("the log replays to another game:\n%s", diff)
	}
	start, err := m.LastTakeback(m.Version, m.find)
	if err != nil {
		m.Fatal(err)
	}
	replayed, err = start.ReplayNext(m.log[start.Version:])
	if diff := diff(m.Game, replayed); err != nil || diff != "" {
		m.Fatalf("the log after the last takeback replays to another game: %v\n%s", err, diff)
	}
}

// find is a [game.FindLast] of the log.
func (m *match) find(version int, kinds ...game.EventKind) (game.Event, error) {
	for _, e := range slices.Backward(m.log[:version]) {
		if slices.Contains(kinds, kindOf(e)) {
			return e, nil
		}
	}
	return game.Event{}, game.ErrNotFound
}

func (m *match) move(notation string) {
	m.Helper()
	if m.RobotToMove() != nil {
		m.accept(m.PlayRobot(game.Choice{Move: parse(m.T, m.Game, notation)}, m.at))
		return
	}
	m.accept(m.Play(m.Seats.Of(m.Turn()).Player, parse(m.T, m.Game, notation), 0, m.at))
}

// offer returns the decision on an offer.
func (m *match) offer(player string, kind game.OfferKind) (game.Decision, error) {
	m.Helper()
	c := game.OfferCommand{Player: player, Kind: kind, RematchID: "rematch"}
	if side, err := m.TakebackSide(player, rules.NoSide); err == nil {
		c.LastTurn = m.lastTurn(side)
	}
	return m.Offer(c, m.at)
}

// lastTurn returns the game at the start of the last turn of a side. It reads a few events only.
func (m *match) lastTurn(side rules.Side) *game.Game {
	m.Helper()
	reads := 0
	last, err := m.LastTurn(side, func(version int, kinds ...game.EventKind) (game.Event, error) {
		if reads++; reads > 8 {
			m.Errorf("%d reads of the log", reads)
		}
		return m.find(version, kinds...)
	})
	if err != nil {
		m.Fatal(err)
	}
	return last
}

// kindOf returns the kind of an event that LastEvent can be asked for, else "".
func kindOf(e game.Event) game.EventKind {
	switch {
	case e.Created != nil:
		return game.KindCreated
	case e.Started != nil:
		return game.KindStarted
	case e.MovePlayed != nil:
		return game.KindMovePlayed
	case e.MovesTakenBack != nil:
		return game.KindMovesTakenBack
	case e.Finished != nil:
		return game.KindFinished
	case e.Aborted != nil:
		return game.KindAborted
	}
	return ""
}

func (m *match) wantEvents(from int, want string) {
	m.Helper()
	if got := kinds(m.log[from:]); got != want {
		m.Errorf("events %q, want %q", got, want)
	}
}

func TestTakebackReturnsToTheLastTurnOfTheOfferingSide(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, by, moves string
		version         int // of the game that the takeback returns to
	}{
		{"own move last", "ann", "1,-2", 2},
		{"the opponent has replied", "ann", "1,-2 2,-3", 2},
		{"the opponent's own move last", "bob", "1,-2 2,-3", 3},
		{"a pass counts as a move", "ann", "1,-2 2,-3 pass 1,1", 4},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			m := newMatch(t, ann, bob)
			versions := map[int]game.Game{m.Version: m.Game}
			for notation := range strings.FieldsSeq(test.moves) {
				m.move(notation)
				versions[m.Version] = m.Game
			}
			opponent := map[string]string{"ann": "bob", "bob": "ann"}[test.by]
			m.accept(m.offer(test.by, game.OfferTakeback))
			m.accept(m.offer(opponent, game.OfferTakeback))
			want := versions[test.version]
			if m.Position.Notation() != want.Position.Notation() || m.Moves != want.Moves || diff(m.LastCell, want.LastCell) != "" {
				t.Errorf("returned to %s, want %s", m.Position.Notation(), want.Position.Notation())
			}
			if len(m.OpenOffers()) > 0 {
				t.Errorf("offers %v are still open", m.OpenOffers())
			}
		})
	}
}

func TestTakebacksOfTheSameSideGoBackFurther(t *testing.T) {
	t.Parallel()
	m := newMatch(t, ann, robot)
	start := m.Position.Notation()
	m.move("1,-2")
	m.move("2,-3")
	middle := m.Position.Notation()
	m.move("pass")
	m.accept(m.offer("ann", game.OfferTakeback))
	if got := m.Position.Notation(); got != middle {
		t.Errorf("the first takeback leads to %s, want %s", got, middle)
	}
	m.accept(m.offer("ann", game.OfferTakeback))
	if got := m.Position.Notation(); got != start {
		t.Errorf("the second takeback leads to %s, want %s", got, start)
	}
	_, err := m.offer("ann", game.OfferTakeback)
	wantReason(t, err, fault.NothingToTakeBack)
}

func TestTakebackRestoresTheClocks(t *testing.T) {
	t.Parallel()
	d, err := game.Create("g", game.Created{
		Creator: "ann", Visibility: game.Public, Setup: games.Setup{Reversi: new(hexagon(3))}, Seats: game.Seats{ann, robot},
		TimeControl: &game.TimeControl{Initial: time.Minute, Increment: time.Second},
	}, now)
	if err != nil {
		t.Fatal(err)
	}
	m := &match{T: t, Game: d.Game, log: d.Events, at: now.Add(10 * time.Second)}
	before, _ := m.Clocks()
	m.move("1,-2")
	m.at = m.at.Add(5 * time.Second)
	m.move("2,-3")
	m.at = m.at.Add(20 * time.Second)
	m.accept(m.offer("ann", game.OfferTakeback))
	if left, _ := m.Clocks(); left != before {
		t.Errorf("clocks %v, want %v as at the start of that turn", left, before)
	}
	if !m.TurnSince.Equal(m.at) {
		t.Errorf("the turn began at %v, want %v", m.TurnSince, m.at)
	}
}

func TestDrawNeedsBothSides(t *testing.T) {
	t.Parallel()
	m := newMatch(t, ann, bob)
	m.accept(m.offer("ann", game.OfferDraw))
	version := m.Version
	m.accept(m.offer("ann", game.OfferDraw))
	if m.Version != version {
		t.Errorf("repeating an open offer changed the game to version %d", m.Version)
	}
	m.accept(m.offer("bob", game.OfferDraw))
	want := game.Outcome{Winner: rules.NoSide, Ending: game.ByAgreement}
	if m.Outcome == nil || *m.Outcome != want {
		t.Errorf("outcome %v, want %v", m.Outcome, want)
	}
	m.wantEvents(2, "offerMade finished")
}

func TestMovesEndOffers(t *testing.T) {
	t.Parallel()
	m := newMatch(t, ann, bob)
	m.move("1,-2")
	m.accept(m.offer("ann", game.OfferTakeback))
	m.accept(m.offer("ann", game.OfferDraw))
	m.move("2,-3")
	if offers := m.OpenOffers(); len(offers) > 0 {
		t.Errorf("offers %v are open after a move", offers)
	}
	m.accept(m.offer("bob", game.OfferDraw)) // Makes a new offer: Ann's has ended.
	if m.State != game.StateActive {
		t.Errorf("the game is %s", m.State)
	}
}

func TestDeclinedOffersCannotBeRepeatedBeforeTheNextMove(t *testing.T) {
	t.Parallel()
	m := newMatch(t, ann, bob)
	m.accept(m.offer("ann", game.OfferDraw))
	m.accept(m.DeclineOffer("bob", rules.NoSide, game.OfferDraw, now))
	_, err := m.offer("ann", game.OfferDraw)
	wantReason(t, err, fault.OfferDeclined)
	_, err = m.DeclineOffer("bob", rules.NoSide, game.OfferDraw, now)
	wantReason(t, err, fault.NoSuchOffer)
	m.move("1,-2")
	m.accept(m.offer("ann", game.OfferDraw))
	m.accept(m.DeclineOffer("ann", rules.NoSide, game.OfferDraw, now)) // withdraws it
	m.accept(m.offer("ann", game.OfferDraw))
}

func TestRobotsAnswerAtOnce(t *testing.T) {
	t.Parallel()
	m := newMatch(t, ann, robot)
	from := m.Version
	m.accept(m.offer("ann", game.OfferDraw))
	m.wantEvents(from, "offerMade offerDeclined")
	d, err := m.Offer(game.OfferCommand{Player: "ann", Kind: game.OfferDraw, RobotAgrees: true}, now)
	m.accept(d, err)
	if m.Outcome == nil || m.Outcome.Ending != game.ByAgreement {
		t.Errorf("outcome %v, want a draw by agreement", m.Outcome)
	}
}

func TestOnePlayerWithBothSeatsAgreesAtOnce(t *testing.T) {
	t.Parallel()
	m := newMatch(t, ann, ann)
	m.move("1,-2")
	_, err := m.Offer(game.OfferCommand{Player: "ann", Kind: game.OfferTakeback}, now)
	wantReason(t, err, fault.InvalidField) // The side is missing.
	m.accept(m.Offer(game.OfferCommand{
		Player: "ann", Side: rules.First, Kind: game.OfferTakeback, LastTurn: m.lastTurn(rules.First),
	}, now))
	if m.Moves != [2]int{} {
		t.Errorf("moves %v, want none", m.Moves)
	}
}

func TestOnlyTheOpponentOffersARematchAfterTheyDeclined(t *testing.T) {
	t.Parallel()
	m := newMatch(t, ann, bob)
	m.accept(m.Resign("ann", rules.NoSide, now))
	m.accept(m.offer("ann", game.OfferRematch))
	m.accept(m.DeclineOffer("bob", rules.NoSide, game.OfferRematch, now))
	_, err := m.offer("ann", game.OfferRematch)
	wantReason(t, err, fault.OfferDeclined)
	if !strings.Contains(err.Error(), "only they can offer one") {
		t.Errorf("the error is %q", err)
	}
	m.accept(m.offer("bob", game.OfferRematch))
}

func TestRematchSwapsSides(t *testing.T) {
	t.Parallel()
	m := newMatch(t, ann, bob)
	_, err := m.offer("ann", game.OfferRematch)
	wantReason(t, err, fault.GameNotOver)
	m.accept(m.Resign("bob", rules.NoSide, now))
	m.accept(m.offer("bob", game.OfferRematch))
	m.accept(m.offer("ann", game.OfferRematch))
	if m.Rematch != "rematch" {
		t.Fatalf("the rematch is %q", m.Rematch)
	}
	version := m.Version
	m.accept(m.offer("bob", game.OfferRematch))
	if m.Version != version {
		t.Error("another offer changed a game that has a rematch")
	}
	d, err := game.Create(m.Rematch, game.RematchOf(m.Game), now)
	if err != nil {
		t.Fatal(err)
	}
	if d.Game.Seats != (game.Seats{bob, ann}) || d.Game.RematchOf != "g" || d.Game.State != game.StateActive {
		t.Errorf("the rematch is %+v", d.Game)
	}
}

func TestAdjustmentsAreLimited(t *testing.T) {
	t.Parallel()
	m := newMatch(t, ann, robot)
	for m.Adjustments < game.MaxAdjustments {
		m.Game = mustAccept(t)(m.SetRobot("ann", rules.NoSide, *robot.Robot, now)).Game
	}
	_, err := m.SetRobot("ann", rules.NoSide, *robot.Robot, now)
	wantReason(t, err, fault.TooManyChanges)
	_, err = m.Offer(game.OfferCommand{Player: "ann", Kind: game.OfferDraw}, now)
	wantReason(t, err, fault.TooManyChanges)
	mustAccept(t)(m.Play("ann", parse(t, m.Game, "1,-2"), 0, now))
}

func mustAccept(t *testing.T) func(game.Decision, error) game.Decision {
	return func(d game.Decision, err error) game.Decision {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
}

func TestInvitedPlayersAcceptOrDecline(t *testing.T) {
	t.Parallel()
	invited := bob
	invited.Invited = true
	m := newMatch(t, ann, invited)
	if m.State != game.StateWaiting {
		t.Fatalf("the game is %s before the invited player has accepted", m.State)
	}
	_, err := m.Join(game.Seat{Player: "eve"}, rules.NoSide, now)
	wantReason(t, err, fault.SeatTaken)
	_, err = m.Join(game.Seat{Player: "eve"}, rules.Second, now)
	wantReason(t, err, fault.SeatTaken)
	_, err = m.Play("bob", parse(t, m.Game, "1,-2"), 0, now)
	wantReason(t, err, fault.GameNotStarted)
	declined, err := m.Abort("bob", now)
	if err != nil || declined.Game.State != game.StateAborted {
		t.Errorf("declining: %v", err)
	}
	from := m.Version
	m.accept(m.Join(bob, rules.NoSide, now))
	m.wantEvents(from, "seatTaken started")
	if m.Seats != (game.Seats{ann, bob}) {
		t.Errorf("seats %v", m.Seats)
	}
}

func TestJoiningAgainChangesNothing(t *testing.T) {
	t.Parallel()
	m := newMatch(t, ann, open)
	m.accept(m.Join(ann, rules.NoSide, now))
	if m.Version != 1 {
		t.Errorf("Ann got a second seat without naming its side: %v", m.Seats)
	}
	m.accept(m.Join(bob, rules.NoSide, now))
	version := m.Version
	m.accept(m.Join(bob, rules.NoSide, now))
	m.accept(m.Join(bob, rules.Second, now))
	if m.Version != version {
		t.Errorf("joining again changed the game to version %d", m.Version)
	}
	both := newMatch(t, ann, open)
	both.accept(both.Join(ann, rules.Second, now))
	if both.State != game.StateActive {
		t.Errorf("naming the side gave no second seat: %v", both.Seats)
	}
}
