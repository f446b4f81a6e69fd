package mcptools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/session"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// gameInput selects a game.
type gameInput struct {
	GameID string `json:"gameId"`
}

// describeGame describes the field of gameInput.
func describeGame(p properties) {
	p.describe("gameId", "the id of the game, as create_game and list_games return it")
}

// state is the JSON of a game as its player sees it.
type state struct {
	YourSides []string        `json:"yourSides"`
	YourTurn  bool            `json:"yourTurn"`
	Game      json.RawMessage `json:"game"`
}

func (s *Services) getGame(ctx context.Context, id string) (*gamev1.Game, error) {
	got, err := s.Games.GetGame(ctx, &gamev1.GetGameRequest{GameId: id})
	return got.GetGame(), err
}

// sides returns the sides that the player holds.
func (s *Services) sides(game *gamev1.Game) []rulesv1.Side {
	var sides []rulesv1.Side
	for _, seat := range game.GetSeats() {
		player := seat.GetPlayer()
		if player.GetPlayerId() == s.Player.GetId() && !player.GetInvited() {
			sides = append(sides, seat.GetSide())
		}
	}
	return sides
}

// toMove reports whether it is the turn of the player.
func (s *Services) toMove(game *gamev1.Game) bool {
	return game.GetTurn() != nil && slices.Contains(s.sides(game), game.GetTurn().GetSide())
}

// state describes a game with its board. The text before it describes what has just happened.
func (s *Services) state(ctx context.Context, before string, game *gamev1.Game) (answer, error) {
	board, err := session.Board(ctx, s.Games, game.GetId(), game.GetVersion())
	if err != nil {
		return answer{}, err
	}
	document, err := render.Encode(withoutDeck(game))
	if err != nil {
		return answer{}, err
	}
	a := state{YourSides: []string{}, YourTurn: s.toMove(game), Game: document}
	for _, side := range s.sides(game) {
		a.YourSides = append(a.YourSides, side.String())
	}
	text := before + render.Game(game) + "\n" + board + "\n" + s.place(game) + "\n"
	return answer{text, a}, nil
}

// withoutDeck returns a game without the text of its deck, which is long: its position has the
// cards.
func withoutDeck(game *gamev1.Game) *gamev1.Game {
	cards := game.GetSetup().GetThreeTrios()
	if cards == nil {
		return game
	}
	game = proto.CloneOf(game)
	game.GetSetup().GetThreeTrios().Deck = ""
	return game
}

// place describes the part of the player in a game, and the next step.
func (s *Services) place(game *gamev1.Game) string {
	var names []string
	for _, side := range s.sides(game) {
		names = append(names, render.DescriberOf(game).Side(side))
	}
	text := "You have no seat in this game."
	if len(names) > 0 {
		text = fmt.Sprintf("You play %s.", strings.Join(names, " and "))
	}
	switch {
	case s.invited(game):
		return "You are invited to this game: call join_game to accept."
	case s.toMove(game):
		return text + " It is your turn: call play_move."
	case len(names) > 0 && !over(game):
		return text + " It is not your turn: call wait_for_turn."
	}
	return text
}

func (s *Services) invited(game *gamev1.Game) bool {
	return slices.ContainsFunc(game.GetSeats(), func(seat *gamev1.Seat) bool {
		player := seat.GetPlayer()
		return player.GetInvited() && player.GetPlayerId() == s.Player.GetId()
	})
}

// over reports whether a game is finished or aborted.
func over(game *gamev1.Game) bool {
	state := game.GetState()
	return state == gamev1.GameState_GAME_STATE_FINISHED ||
		state == gamev1.GameState_GAME_STATE_ABORTED
}
