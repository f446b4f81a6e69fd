package mcptools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/google/uuid"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/pflag"

	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/settings"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// addChanges adds the tools that change games. Each returns the state of the game after the change.
func (t *tools) addChanges(server *mcp.Server) {
	add(server, t, &mcp.Tool{
		Name: "create_game",
		Description: "Create a game of Reversi on a hexagon or a square, or of Three Trios. It starts " +
			"when both seats are taken.",
		Annotations: changing(false),
	}, describeCreate, createGame)
	add(server, t, &mcp.Tool{
		Name:        "join_game",
		Description: "Take an open seat of a game, or accept an invitation.",
		Annotations: changing(false),
	}, describeSide, joinGame)
	add(server, t, &mcp.Tool{
		Name: "play_move",
		Description: "Play a move of the side to move. list_legal_moves lists the moves in the same " +
			"notation.",
		Annotations: changing(false),
	}, func(p properties) {
		describeGame(p)
		p.describe("move", "the move in notation: d3 on squares, 1,-2 on hexagons, card@row,column with "+
			"cards, or pass")
		p.describe("expectedVersion", "play only if the game is at this version, from 1 (default: any)")
	}, playMove)
	add(server, t, &mcp.Tool{
		Name:        "resign",
		Description: "Resign a game. The opponent wins, whatever the score.",
		Annotations: changing(true),
	}, describeSide, resign)
}

// The values of the input board.
const (
	hex    = "hex"
	square = "square"
	trios  = "trios"
)

type createInput struct {
	Board      string   `json:"board"`
	Size       int      `json:"size,omitempty"`
	First      string   `json:"first,omitempty"`
	Second     string   `json:"second,omitempty"`
	Rules      []string `json:"rules,omitempty"`
	Clock      string   `json:"clock,omitempty"`
	Visibility string   `json:"visibility,omitempty"`
}

// describeCreate describes the fields of createInput.
func describeCreate(p properties) {
	p.describe("board", "hex or square for Reversi, trios for Three Trios")
	p.oneOf("board", hex, square, trios)
	p.describe("size", "hex: the rings around the centre cell, 1 to 12 (default 5); "+
		"square: the cells along a side, even, 4 to 16 (default 8); not for trios")
	p.between("size", 1, 16)
	const players = "me, open, player:ID, or a robot: easy, medium, hard, expert, engine"
	p.describe("first", "the player who moves first, Black or Red: "+players+" (default me)")
	p.describe("second", "the other player, White or Blue: "+players+" (default open)")
	p.describe("rules", "rules of battle of trios, which can be combined (default: default)")
	properties{"rule": p["rules"].Items}.oneOf("rule", render.CardRules.Names()...)
	p.describe("clock", "time control: 5m for the game, 5m+3s with an increment for each move, "+
		"30s/move or 3d/move (default: no limit)")
	p.describe("visibility", "public for everyone, link for players who know the id, "+
		"private for the players of the game (default public)")
	p.oneOf("visibility", render.Visibilities.Names()...)
}

func createGame(ctx context.Context, s *Services, in createInput) (answer, error) {
	request, err := in.request()
	if err != nil {
		return answer{}, err
	}
	created, err := s.Games.CreateGame(ctx, request)
	if err != nil {
		return answer{}, err
	}
	return s.state(ctx, "", created.GetGame())
}

// request reads the input as the command line reads its flags and arguments.
func (in createInput) request() (*gamev1.CreateGameRequest, error) {
	board, err := in.setup()
	if err != nil {
		return nil, err
	}
	game, flags := &settings.NewGame{}, pflag.NewFlagSet("", pflag.ContinueOnError)
	game.Register(flags)
	board.Register(flags)
	for name, value := range map[string]string{"clock": in.Clock, "visibility": in.Visibility} {
		if value == "" {
			continue
		}
		if err := flags.Set(name, value); err != nil {
			return nil, fmt.Errorf("%s %q: %w", name, value, errors.Unwrap(err))
		}
	}
	players := [2]string{cmp.Or(in.First, "me"), cmp.Or(in.Second, "open")}
	args := players[:]
	if in.Size > 0 {
		args = append(args, strconv.Itoa(in.Size))
	}
	request := &gamev1.CreateGameRequest{RequestId: uuid.NewString()}
	return request, game.Fill(request, players, board, append(args, in.Rules...))
}

// setup returns the board without its size and rules.
func (in createInput) setup() (settings.Board, error) {
	if in.Board == trios {
		if in.Size > 0 {
			return nil, errors.New("size is for hex and square: leave it out for trios")
		}
		return &settings.Cards{}, nil
	}
	if len(in.Rules) > 0 {
		return nil, errors.New("rules are for trios: leave them out for hex and square")
	}
	if in.Board == hex {
		return &settings.Hex{}, nil
	}
	return &settings.Square{}, nil
}

type sideInput struct {
	gameInput
	Side string `json:"side,omitempty"`
}

func (in sideInput) side() rulesv1.Side {
	side, _ := render.Sides.Value(in.Side)
	return side
}

// describeSide describes the fields of sideInput.
func describeSide(p properties) {
	describeGame(p)
	p.describe("side", "the side, by its order or its colour; only needed if there is a choice")
	p.oneOf("side", render.Sides.Names()...)
}

func joinGame(ctx context.Context, s *Services, in sideInput) (answer, error) {
	joined, err := s.Games.JoinGame(ctx, &gamev1.JoinGameRequest{
		GameId: in.GameID, Side: in.side(), RequestId: uuid.NewString(),
	})
	if err != nil {
		return answer{}, err
	}
	return s.state(ctx, "", joined.GetGame())
}

type moveInput struct {
	gameInput
	Move            string `json:"move"`
	ExpectedVersion int32  `json:"expectedVersion,omitempty"`
}

func playMove(ctx context.Context, s *Services, in moveInput) (answer, error) {
	played, err := s.Games.PlayMove(ctx, &gamev1.PlayMoveRequest{
		GameId: in.GameID, Notation: in.Move, ExpectedVersion: in.ExpectedVersion,
		RequestId: uuid.NewString(),
	})
	if err != nil {
		return answer{}, err
	}
	event := render.DescriberOf(played.GetGame()).Event(played.GetEvent())
	return s.state(ctx, event+"\n\n", played.GetGame())
}

func resign(ctx context.Context, s *Services, in sideInput) (answer, error) {
	resigned, err := s.Games.Resign(ctx, &gamev1.ResignRequest{
		GameId: in.GameID, Side: in.side(), RequestId: uuid.NewString(),
	})
	if err != nil {
		return answer{}, err
	}
	return s.state(ctx, "", resigned.GetGame())
}
