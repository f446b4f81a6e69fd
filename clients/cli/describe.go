package cli

import (
	"fmt"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// cast is what one needs to know to speak of the sides of a game.
type cast struct {
	kind  rulesv1.GameKind
	names [2]string // said beside the colours; empty for none
}

func castOf(game *gamev1.Game) cast { return cast{kind: game.GetKind()} }

func (c cast) trios() bool { return c.kind == rulesv1.GameKind_GAME_KIND_THREE_TRIOS }

// side names a side by its colour, its mark on the board and, where there is one, the player's name.
func (c cast) side(side rulesv1.Side) string {
	index := 0
	switch side {
	case rulesv1.Side_SIDE_FIRST:
	case rulesv1.Side_SIDE_SECOND:
		index = 1
	default:
		return "nobody"
	}
	name := c.names[index]
	switch {
	case c.trios() && name == "":
		return c.colour(index)
	case c.trios():
		return fmt.Sprintf("%s (%s)", c.colour(index), name)
	case name == "":
		return fmt.Sprintf("%s (%s)", c.mark(index), c.colour(index))
	default:
		return fmt.Sprintf("%s (%s, %s)", c.mark(index), c.colour(index), name)
	}
}

func (c cast) colour(index int) string {
	if c.trios() {
		return []string{"Red", "Blue"}[index]
	}
	return []string{"Black", "White"}[index]
}

func (c cast) mark(index int) string {
	if c.trios() {
		return c.colour(index)
	}
	return []string{"X", "O"}[index]
}

func (c cast) score(score *rulesv1.Score) string {
	return fmt.Sprintf("%s %d, %s %d", c.mark(0), score.GetFirst(), c.mark(1), score.GetSecond())
}

// result says in a sentence who won, by how much, and how the game ended.
func (c cast) result(outcome *gamev1.Outcome, score *rulesv1.Score) string {
	how := nameOf(endings, outcome.GetEnding())
	if outcome.GetDraw() {
		return fmt.Sprintf("A draw %s: %s.", how, c.score(score))
	}
	winner, margin := c.side(outcome.GetWinner()), ""
	if outcome.GetEnding() == gamev1.Ending_ENDING_SCORE {
		lead := score.GetFirst() - score.GetSecond()
		margin = fmt.Sprintf(" by %d", max(lead, -lead))
	}
	return fmt.Sprintf("%s wins%s %s: %s.", winner, margin, how, c.score(score))
}

// event says in a sentence what happened.
func (c cast) event(event *gamev1.Event) string {
	switch kind := event.GetKind().(type) {
	case *gamev1.Event_Created:
		return "Game " + event.GetGameId() + ": " + c.players(kind.Created.GetSeats()) + "."
	case *gamev1.Event_SeatTaken:
		seat := kind.SeatTaken.GetSeat()
		return fmt.Sprintf("%s joins as %s.", holder(seat), c.side(seat.GetSide()))
	case *gamev1.Event_Started:
		return fmt.Sprintf("The game starts; %s moves first.", c.side(kind.Started.GetTurn()))
	case *gamev1.Event_MovePlayed:
		return c.move(kind.MovePlayed)
	case *gamev1.Event_RobotChanged:
		changed := kind.RobotChanged
		strategy := strategyName(changed.GetRobot().GetStrategy())
		if changed.GetReplaced() != nil {
			return fmt.Sprintf("%s did not move in time; %s takes over from %s.",
				c.side(changed.GetSide()), strategy, holder(changed.GetReplaced()))
		}
		return fmt.Sprintf("%s is now played by %s.", c.side(changed.GetSide()), strategy)
	case *gamev1.Event_Finished:
		return c.result(kind.Finished.GetOutcome(), kind.Finished.GetScore())
	case *gamev1.Event_Aborted:
		return fmt.Sprintf("The game is called off by %s.", c.aborter(kind.Aborted.GetSide()))
	default:
		return "Something happened that this client does not know."
	}
}

func (c cast) aborter(side rulesv1.Side) string {
	if side == rulesv1.Side_SIDE_UNSPECIFIED {
		return "its creator"
	}
	return c.side(side)
}

// move says what a move did.
func (c cast) move(played *gamev1.MovePlayed) string {
	var text strings.Builder
	text.WriteString(c.side(played.GetSide()))
	if played.GetMove().GetPassTurn() != nil {
		text.WriteString(" passes")
	} else {
		text.WriteString(" plays " + played.GetNotation() + flips(played.GetFlips()))
	}
	if played.GetAutomatic() {
		text.WriteString(" (automatic)")
	}
	return text.String() + ": " + c.score(played.GetScore()) + "."
}

// flips lists what flipped, card by card with the reason.
func flips(all []*rulesv1.Flip) string {
	if len(all) == 0 {
		return ""
	}
	var cells []string
	for _, flip := range all {
		cells = append(cells, flip.GetNotation()+because(flip))
	}
	return fmt.Sprintf(" and flips %d (%s)", len(all), strings.Join(cells, "; "))
}

func because(flip *rulesv1.Flip) string {
	if flip.GetCause() == rulesv1.Cause_CAUSE_UNSPECIFIED {
		return ""
	}
	name := strings.TrimPrefix(flip.GetCause().String(), "CAUSE_")
	text := " " + strings.ReplaceAll(strings.ToLower(name), "_", " ")
	if flip.GetWave() > 0 {
		text += fmt.Sprintf(" in wave %d", flip.GetWave())
	}
	return text
}

func (c cast) players(seats []*gamev1.Seat) string {
	var all []string
	for _, seat := range seats {
		all = append(all, c.side(seat.GetSide())+" is "+holder(seat))
	}
	return strings.Join(all, ", ")
}

// turn says what a game waits for.
func (c cast) turn(game *gamev1.Game) string {
	switch game.GetState() {
	case gamev1.GameState_GAME_STATE_ACTIVE:
		text := c.side(game.GetTurn().GetSide()) + " to move"
		if game.GetTurn().GetMustPass() {
			text += ", who can only pass"
		}
		return text
	case gamev1.GameState_GAME_STATE_FINISHED:
		return c.result(game.GetOutcome(), game.GetScore())
	default:
		return nameOf(states, game.GetState())
	}
}

// holder says who holds a seat.
func holder(seat *gamev1.Seat) string {
	switch kind := seat.GetHolder().(type) {
	case *gamev1.Seat_Player:
		return firstOf(kind.Player.GetDisplayName(), kind.Player.GetPlayerId())
	case *gamev1.Seat_Robot:
		text := "robot " + strategyName(kind.Robot.GetStrategy())
		if provider := kind.Robot.GetProvider(); provider != "" {
			text += " of " + provider
		}
		return text
	default:
		return "open"
	}
}

// strategyName returns the word for a strategy, with its limits, or the API's name where there is no word.
func strategyName(strategy *strategyv1.Strategy) string {
	for _, each := range strategyWords {
		if each.means(strategy) {
			return each.name + limitsOf(strategy)
		}
	}
	m := strategy.ProtoReflect()
	if field := m.WhichOneof(m.Descriptor().Oneofs().ByName("kind")); field != nil {
		return field.JSONName()
	}
	return "nothing"
}

func limitsOf(strategy *strategyv1.Strategy) string {
	var depth int32
	var limit time.Duration
	switch kind := strategy.GetKind().(type) {
	case *strategyv1.Strategy_AlphaBeta:
		depth, limit = kind.AlphaBeta.GetMaxDepth(), kind.AlphaBeta.GetMaxTime().AsDuration()
	case *strategyv1.Strategy_Engine:
		depth, limit = kind.Engine.GetMaxDepth(), kind.Engine.GetMaxTime().AsDuration()
	}
	var text string
	if depth > 0 {
		text += fmt.Sprintf(" depth %d", depth)
	}
	if limit > 0 {
		text += " " + limit.String()
	}
	return text
}

// setupName says in a few words which game is played.
func setupName(setup *rulesv1.Setup) string {
	reversi := setup.GetReversi()
	switch {
	case setup.GetThreeTrios() != nil:
		size, _, _ := strings.Cut(setup.GetThreeTrios().GetGrid(), "\n")
		return oneLine("trios " + strings.Join(strings.Fields(size), "x"))
	case reversi.GetSquare() != nil:
		return fmt.Sprintf("square %d", reversi.GetSquare().GetSide())
	default:
		return fmt.Sprintf("hex %d", reversi.GetHexagon().GetRings())
	}
}

// stamp writes a time as the user's clock has it.
func stamp(t *timestamppb.Timestamp) string {
	if t == nil {
		return "-"
	}
	return t.AsTime().Local().Format("2006-01-02 15:04:05")
}
