package render

import (
	"fmt"
	"strings"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// Game describes everything about a game but its board, as a table.
func Game(game *gamev1.Game) string {
	d := DescriberOf(game)
	rows := []string{
		Row("game", game.GetId()),
		Row("kind", SetupName(game.GetSetup())),
	}
	if rules := SetupRules(game.GetSetup()); len(rules) > 0 {
		rows = append(rows, Row("rules", strings.Join(rules, ", ")))
	}
	rows = append(rows, Row("state", GameStates.Name(game.GetState())))
	for _, seat := range game.GetSeats() {
		rows = append(rows, Row(d.Side(seat.GetSide()), Holder(seat)))
	}
	rows = append(rows,
		Row("score", d.score(game.GetScore())), Row("version", fmt.Sprint(game.GetVersion())))
	if game.GetTurn() != nil {
		rows = append(rows, Row("turn", d.Turn(game)))
	}
	rows = append(rows, d.clockRows(game)...)
	for _, offer := range game.GetOffers() {
		rows = append(rows, Row("offer", OfferKinds.Name(offer.GetKind())+" by "+d.Side(offer.GetSide())))
	}
	if game.GetOutcome() != nil {
		rows = append(rows, Row("result", d.Turn(game)))
	}
	if game.GetRematch() != "" {
		rows = append(rows, Row("rematch", game.GetRematch()))
	}
	return Table(rows...)
}

// Games lists games in a table.
func Games(games []*gamev1.Game) string {
	rows := []string{Row("GAME", "KIND", "STATE", "FIRST", "SECOND", "SCORE", "TURN", "UPDATED")}
	for _, game := range games {
		d, turn, holders := DescriberOf(game), "-", []string{"-", "-"}
		if game.GetTurn() != nil {
			turn = d.Side(game.GetTurn().GetSide())
		}
		for i, seat := range game.GetSeats() {
			holders[i%2] = Holder(seat)
		}
		rows = append(rows, Row(
			game.GetId(), SetupName(game.GetSetup()), GameStates.Name(game.GetState()),
			holders[0], holders[1], d.score(game.GetScore()), turn, LocalTime(game.GetUpdateTime())))
	}
	return Table(rows...)
}

// Played describes a move that the user played, and the turn after it.
func Played(played *gamev1.PlayMoveResponse) string {
	d := DescriberOf(played.GetGame())
	return d.Event(played.GetEvent()) + "\n" + sentence(d.Turn(played.GetGame())) + "\n"
}

// LegalMoves lists legal moves in a table, with the cells that each would flip.
func LegalMoves(moves []*rulesv1.LegalMove) string {
	rows := []string{Row("MOVE", "FLIPS", "CELLS")}
	for _, move := range moves {
		flips := fmt.Sprint(move.GetFlipCount())
		rows = append(rows, Row(move.GetNotation(), flips, flippedCells(move.GetFlips())))
	}
	return Table(rows...)
}

// Hints lists legal moves in short, with the number of flips of each. Each card has a line; moves
// without a card share one.
func Hints(moves []*rulesv1.LegalMove) string {
	var cards []string
	cells := map[string][]string{}
	for _, move := range moves {
		card := move.GetMove().GetPlayCard().GetCard()
		if cells[card] == nil {
			cards = append(cards, card)
		}
		text := "pass"
		if move.GetMove().GetPassTurn() == nil {
			cell := strings.TrimPrefix(move.GetNotation(), card+"@")
			text = fmt.Sprintf("%s (%d)", cell, move.GetFlipCount())
		}
		cells[card] = append(cells[card], text)
	}
	var rows []string
	for _, card := range cards {
		rows = append(rows, Row("  "+card, strings.Join(cells[card], "  ")))
	}
	return Table(rows...)
}

// Player describes a player in a table, with the key unless that is "".
func Player(player *gamev1.Player, key string) string {
	rows := []string{
		Row("player", player.GetId()),
		Row("name", player.GetDisplayName()),
		Row("since", LocalTime(player.GetCreateTime())),
	}
	if key != "" {
		rows = append(rows, Row("key", key))
	}
	return Table(rows...)
}

// Watched describes a message of WatchGame in one line, "" if there is nothing to show.
func (d Describer) Watched(m *gamev1.WatchGameResponse) string {
	switch kind := m.GetMessage().(type) {
	case *gamev1.WatchGameResponse_Snapshot:
		text := d.Turn(kind.Snapshot)
		if kind.Snapshot.GetState() != gamev1.GameState_GAME_STATE_FINISHED {
			text += ": " + d.score(kind.Snapshot.GetScore())
		}
		return fmt.Sprintf("%4d  %s\n", m.GetVersion(), sentence(text))
	case *gamev1.WatchGameResponse_Event:
		return fmt.Sprintf("%4d  %s\n", m.GetVersion(), d.Event(kind.Event))
	case *gamev1.WatchGameResponse_RobotDelayed:
		return fmt.Sprintf("      %s\n", d.RobotDelayed(kind.RobotDelayed))
	default:
		return ""
	}
}

// TurnMessage describes a message of WatchTurns in one line. Sides have no colour, since the
// message names no kind of game.
func TurnMessage(m *gamev1.WatchTurnsResponse) string {
	at := LocalTime(m.GetTime())
	if over := m.GetGameOver(); over != nil {
		return fmt.Sprintf("%s  over  %s  %s\n", at, over.GetGameId(), outcome(over.GetOutcome()))
	}
	turn := m.GetTurn()
	text := fmt.Sprintf("%s  turn  %s  %s to move at version %d",
		at, turn.GetGameId(), Sides.Name(turn.GetSide()), turn.GetVersion())
	if turn.GetDeadline() != nil {
		text += ", until " + LocalTime(turn.GetDeadline())
	}
	return text + "\n"
}

func outcome(outcome *gamev1.Outcome) string {
	ending := Endings.Name(outcome.GetEnding())
	switch {
	case outcome == nil:
		return "aborted"
	case outcome.GetDraw():
		return "a draw " + ending
	default:
		return Sides.Name(outcome.GetWinner()) + " wins " + ending
	}
}

// sentence ends a text with a period.
func sentence(text string) string { return strings.TrimSuffix(text, ".") + "." }
