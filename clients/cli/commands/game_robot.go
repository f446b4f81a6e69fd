package commands

import (
	"github.com/spf13/cobra"

	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/settings"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

func newGameRobot(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "robot ID STRATEGY",
		Short: "Change the strategy of a robot during a game",
		Long: "Change the strategy of a robot during a game. Strategies:\n" +
			strategiesHelp(render.AnyGame),
		Example: `  flipside game robot ID expert
  flipside game robot ID alphabeta --depth 5 --side second`,
		Args: exactArgs(2),
	}
	robots, request := &settings.Robots{}, &gamev1.SetRobotRequest{}
	robots.Register(cmd.Flags())
	sideFlag(cmd, &request.Side, "side of the robot, if both are robots")
	return change[*gamev1.SetRobotRequest, *gamev1.SetRobotResponse]{
		call: gamev1.GameServiceClient.SetRobot, request: request,
		gameID: &request.GameId, requestID: &request.RequestId,
		prepare: func(args []string) (err error) {
			request.Provider, request.Seed = robots.Provider, robots.Seed
			if request.Strategy, err = robots.Strategy(args[1], render.AnyGame); err != nil {
				return err
			}
			return robots.Check()
		},
	}.command(p, cmd)
}
