package render

import (
	"fmt"
	"strings"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// Describer describes a game in words. It names each side by its colour, its mark on the board and,
// if given, its player.
type Describer struct {
	Kind  rulesv1.GameKind
	Names [2]string // of the players, first and second; "" leaves a name out
}

// DescriberOf returns a describer without names.
func DescriberOf(game *gamev1.Game) Describer { return Describer{Kind: game.GetKind()} }

// Side names a side.
func (d Describer) Side(side rulesv1.Side) string {
	index := 0
	switch side {
	case rulesv1.Side_SIDE_FIRST:
	case rulesv1.Side_SIDE_SECOND:
		index = 1
	default:
		return "neither side"
	}
	name := d.Names[index]
	switch {
	case d.Kind == Trios && name == "":
		return d.Colour(index)
	case d.Kind == Trios:
		return fmt.Sprintf("%s (%s)", d.Colour(index), name)
	case name == "":
		return fmt.Sprintf("%s (%s)", d.mark(index), d.Colour(index))
	default:
		return fmt.Sprintf("%s (%s, %s)", d.mark(index), d.Colour(index), name)
	}
}

// Colour names the colour of the first (0) or the second side (1).
func (d Describer) Colour(index int) string {
	if d.Kind == Trios {
		return []string{"Red", "Blue"}[index]
	}
	return []string{"Black", "White"}[index]
}

func (d Describer) mark(index int) string {
	if d.Kind == Trios {
		return d.Colour(index)
	}
	return []string{"X", "O"}[index]
}

func (d Describer) score(score *rulesv1.Score) string {
	return fmt.Sprintf("%s %d, %s %d", d.mark(0), score.GetFirst(), d.mark(1), score.GetSecond())
}

// result describes in a sentence who won, by how much, and how the game ended.
func (d Describer) result(outcome *gamev1.Outcome, score *rulesv1.Score) string {
	ending := Endings.Name(outcome.GetEnding())
	if outcome.GetDraw() {
		return fmt.Sprintf("A draw %s: %s.", ending, d.score(score))
	}
	winner, margin := d.Side(outcome.GetWinner()), ""
	if outcome.GetEnding() == gamev1.Ending_ENDING_SCORE {
		lead := score.GetFirst() - score.GetSecond()
		margin = fmt.Sprintf(" by %d", max(lead, -lead))
	}
	return fmt.Sprintf("%s wins%s %s: %s.", winner, margin, ending, d.score(score))
}

// Event describes an event in a sentence.
func (d Describer) Event(event *gamev1.Event) string {
	switch kind := event.GetKind().(type) {
	case *gamev1.Event_Created:
		return "Game " + event.GetGameId() + ": " + d.seats(kind.Created.GetSeats()) + "."
	case *gamev1.Event_SeatTaken:
		seat := kind.SeatTaken.GetSeat()
		return fmt.Sprintf("%s joins as %s.", Holder(seat), d.Side(seat.GetSide()))
	case *gamev1.Event_Started:
		return fmt.Sprintf("The game starts; %s moves first.", d.Side(kind.Started.GetTurn()))
	case *gamev1.Event_MovePlayed:
		return d.move(kind.MovePlayed)
	case *gamev1.Event_RobotChanged:
		return d.robotChanged(kind.RobotChanged)
	case *gamev1.Event_Finished:
		return d.result(kind.Finished.GetOutcome(), kind.Finished.GetScore())
	case *gamev1.Event_Aborted:
		side := kind.Aborted.GetSide()
		if side == rulesv1.Side_SIDE_UNSPECIFIED {
			return "The game is aborted by its creator."
		}
		return fmt.Sprintf("The game is aborted by %s.", d.Side(side))
	default:
		return d.offer(event)
	}
}

// offer describes an event about an offer.
func (d Describer) offer(event *gamev1.Event) string {
	switch kind := event.GetKind().(type) {
	case *gamev1.Event_OfferMade:
		made := kind.OfferMade
		return fmt.Sprintf("%s offers a %s.", d.Side(made.GetSide()), OfferKinds.Name(made.GetKind()))
	case *gamev1.Event_OfferDeclined:
		declined := kind.OfferDeclined
		return fmt.Sprintf("%s declines or withdraws the offer of a %s.",
			d.Side(declined.GetSide()), OfferKinds.Name(declined.GetKind()))
	case *gamev1.Event_MovesTakenBack:
		back := kind.MovesTakenBack
		return fmt.Sprintf("%s takes back their last turn: %s.",
			d.Side(back.GetSide()), d.score(back.GetScore()))
	case *gamev1.Event_RematchCreated:
		return fmt.Sprintf("The rematch is game %s.", kind.RematchCreated.GetGameId())
	default:
		return "This client does not know this event; a newer version may."
	}
}

func (d Describer) robotChanged(changed *gamev1.RobotChanged) string {
	strategy := StrategyName(changed.GetRobot().GetStrategy())
	if changed.GetReplaced() != nil {
		return fmt.Sprintf("%s did not move in time; %s takes over from %s.",
			d.Side(changed.GetSide()), strategy, Holder(changed.GetReplaced()))
	}
	return fmt.Sprintf("%s is now played by %s.", d.Side(changed.GetSide()), strategy)
}

func (d Describer) move(played *gamev1.MovePlayed) string {
	text := d.Side(played.GetSide())
	if played.GetMove().GetPassTurn() != nil {
		text += " passes"
	} else {
		text += " plays " + played.GetNotation()
		if flips := played.GetFlips(); len(flips) > 0 {
			text += fmt.Sprintf(" and flips %d (%s)", len(flips), flippedCells(flips))
		}
	}
	if substitute := played.GetSubstitute(); substitute != nil {
		text += fmt.Sprintf(" (played by the server: %s)", substituteReasons[substitute.GetReason()])
	} else if played.GetAutomatic() {
		text += " (automatic)"
	}
	return text + ": " + d.score(played.GetScore()) + "."
}

// substituteReasons are the reasons for which the server plays for a robot.
var substituteReasons = map[gamev1.SubstituteReason]string{
	gamev1.SubstituteReason_SUBSTITUTE_REASON_UNSPECIFIED: "its strategy failed",
	gamev1.SubstituteReason_SUBSTITUTE_REASON_NO_ANSWER:   "its strategy did not answer in time",
	gamev1.SubstituteReason_SUBSTITUTE_REASON_UNAVAILABLE: "its strategy is unavailable",
	gamev1.SubstituteReason_SUBSTITUTE_REASON_REJECTED: "its Strategy service rejected " +
		"the request",
	gamev1.SubstituteReason_SUBSTITUTE_REASON_INVALID_ANSWER: "its strategy gave no move",
	gamev1.SubstituteReason_SUBSTITUTE_REASON_ILLEGAL_MOVE:   "its strategy gave an illegal move",
	gamev1.SubstituteReason_SUBSTITUTE_REASON_SUSPENDED:      "its strategy failed in earlier turns",
}

// flippedCells lists cells that flip. For cards it adds the rule and the combo wave of each.
func flippedCells(flips []*rulesv1.Flip) string {
	var cells []string
	for _, flip := range flips {
		cell := flip.GetNotation()
		if cause := flip.GetCause(); cause != rulesv1.Cause_CAUSE_UNSPECIFIED {
			rule := strings.ToLower(strings.TrimPrefix(cause.String(), "CAUSE_"))
			cell += " " + strings.ReplaceAll(rule, "_", " ")
			if flip.GetWave() > 0 {
				cell += fmt.Sprintf(" in wave %d", flip.GetWave())
			}
		}
		cells = append(cells, cell)
	}
	return strings.Join(cells, "; ")
}

func (d Describer) seats(seats []*gamev1.Seat) string {
	var all []string
	for _, seat := range seats {
		all = append(all, d.Side(seat.GetSide())+" is "+Holder(seat))
	}
	return strings.Join(all, ", ")
}

// Turn describes whose turn it is, or how the game ended.
func (d Describer) Turn(game *gamev1.Game) string {
	switch game.GetState() {
	case gamev1.GameState_GAME_STATE_ACTIVE:
		text := d.Side(game.GetTurn().GetSide()) + " to move"
		if game.GetTurn().GetMustPass() {
			text += ", must pass"
		}
		return text
	case gamev1.GameState_GAME_STATE_FINISHED:
		return d.result(game.GetOutcome(), game.GetScore())
	default:
		return GameStates.Name(game.GetState())
	}
}

// Heading introduces a game that is played at this terminal: its id, its board, its rules and its
// players.
func (d Describer) Heading(game *gamev1.Game) string {
	setup := append([]string{SetupName(game.GetSetup())}, SetupRules(game.GetSetup())...)
	text := fmt.Sprintf("Game %s, %s.", game.GetId(), strings.Join(setup, ", "))
	for _, seat := range game.GetSeats() {
		player := "a human"
		if seat.GetRobot() != nil {
			player = Holder(seat)
		}
		text += fmt.Sprintf(" %s is %s.", d.Side(seat.GetSide()), player)
	}
	return text
}

// RobotDelayed describes a robot that is late.
func (d Describer) RobotDelayed(delay *gamev1.RobotDelayed) string {
	return fmt.Sprintf("The robot of %s is late; attempt %d failed.",
		d.Side(delay.GetSide()), delay.GetAttempt())
}

// Holder names the player or robot in a seat.
func Holder(seat *gamev1.Seat) string {
	switch kind := seat.GetHolder().(type) {
	case *gamev1.Seat_Player:
		if name := kind.Player.GetDisplayName(); name != "" {
			return name
		}
		return kind.Player.GetPlayerId()
	case *gamev1.Seat_Robot:
		text := robotPrefix + StrategyName(kind.Robot.GetStrategy())
		if provider := kind.Robot.GetProvider(); provider != "" {
			text += " of " + provider
		}
		return text
	default:
		return "open"
	}
}

// RobotName names the robot in a seat without the word robot.
func RobotName(seat *gamev1.Seat) string { return strings.TrimPrefix(Holder(seat), robotPrefix) }

const robotPrefix = "robot "

// Hand returns the cards in the hand of a side.
func Hand(p *rulesv1.Position, side rulesv1.Side) []*rulesv1.Card {
	hands := p.GetThreeTrios().GetHands()
	if side == rulesv1.Side_SIDE_SECOND {
		return hands.GetSecond()
	}
	return hands.GetFirst()
}

// SetupName names the board of a game.
func SetupName(setup *rulesv1.Setup) string {
	reversi := setup.GetReversi()
	switch {
	case setup.GetThreeTrios() != nil:
		size, _, _ := strings.Cut(setup.GetThreeTrios().GetGrid(), "\n")
		return OneLine("trios " + strings.Join(strings.Fields(size), "x"))
	case reversi.GetSquare() != nil:
		return fmt.Sprintf("square %d", reversi.GetSquare().GetSide())
	default:
		return fmt.Sprintf("hex %d", reversi.GetHexagon().GetRings())
	}
}

// SetupTitle names the game and the board for a title.
func SetupTitle(setup *rulesv1.Setup) string {
	reversi := setup.GetReversi()
	switch {
	case setup.GetThreeTrios() != nil:
		size, _, _ := strings.Cut(setup.GetThreeTrios().GetGrid(), "\n")
		return "Three Trios, " + strings.Join(strings.Fields(size), " by ")
	case reversi.GetSquare() != nil:
		side := reversi.GetSquare().GetSide()
		return fmt.Sprintf("Reversi, %d by %d", side, side)
	default:
		return fmt.Sprintf("Reversi, hexagon of %d rings", reversi.GetHexagon().GetRings())
	}
}

// SetupRules lists the rules of a game that differ from the default, in the words of the command
// line. The list is empty for a game with default rules.
func SetupRules(setup *rulesv1.Setup) (rules []string) {
	if trios := setup.GetThreeTrios(); trios != nil {
		for _, rule := range trios.GetRules() {
			if rule != rulesv1.Rule_RULE_DEFAULT {
				rules = append(rules, CardRules.Name(rule))
			}
		}
		if trios.GetCountOwnCards() {
			rules = append(rules, "count-own-cards")
		}
		return rules
	}
	reversi, pass := setup.GetReversi(), rulesv1.PassRule_PASS_RULE_VOLUNTARY
	if reversi.GetSquare() != nil {
		pass = rulesv1.PassRule_PASS_RULE_FORCED
	}
	if rule := reversi.GetPassRule(); rule != pass && rule != rulesv1.PassRule_PASS_RULE_UNSPECIFIED {
		rules = append(rules, "pass-rule "+PassRules.Name(rule))
	}
	if reversi.GetMinFlips() > 1 {
		rules = append(rules, fmt.Sprintf("min-flips %d", reversi.GetMinFlips()))
	}
	if reversi.GetAutoPass() {
		rules = append(rules, "auto-pass")
	}
	if reversi.GetEmptiesToWinner() {
		rules = append(rules, "empties-to-winner")
	}
	if reversi.GetSquare().GetStart() == rulesv1.Start_START_MIRRORED {
		rules = append(rules, "mirrored")
	}
	return rules
}
