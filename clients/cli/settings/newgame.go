package settings

import (
	"github.com/spf13/pflag"

	"github.com/flipside-games/flipside/clients/cli/render"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// NewGame are the flags of a new game, apart from those of its board.
type NewGame struct {
	Robots      Robots
	TimeControl TimeControl
	Visibility  gamev1.Visibility
}

// Register adds the flags to a command.
func (f *NewGame) Register(flags *pflag.FlagSet) {
	f.Robots.Register(flags)
	f.TimeControl.Register(flags)
	flags.Var(Choice(&f.Visibility, render.Visibilities), "visibility",
		"show the game to everyone, to people who know its id, or to its players (default: public)")
}

// Fill fills in the game to create. The arguments after the players are those of the board.
func (f *NewGame) Fill(
	request *gamev1.CreateGameRequest, players [2]string, board Board, args []string,
) (err error) {
	if request.Seats, request.TimeControl, err = f.Players(players, board.Kind()); err != nil {
		return err
	}
	if err := board.SetArgs(args[min(2, len(args)):]); err != nil {
		return err
	}
	request.Visibility = f.Visibility
	request.Setup, err = board.Setup()
	return err
}

// Players returns the seats and the time control of a new game.
func (f *NewGame) Players(
	players [2]string, kind rulesv1.GameKind,
) ([]*gamev1.Seat, *gamev1.TimeControl, error) {
	control, err := f.TimeControl.Control(&f.Robots, kind)
	if err != nil {
		return nil, nil, err
	}
	seats, err := f.Robots.Seats(players, kind)
	return seats, control, err
}
