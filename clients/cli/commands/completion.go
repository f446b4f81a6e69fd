package commands

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/flipside-games/flipside/clients/cli/board"
	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/settings"
	flipside "github.com/flipside-games/flipside/clients/go"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// completionTimeout limits the calls of a completion: the user waits at the prompt.
const completionTimeout = time.Second

// addCompletions completes arguments, by their names in the usage line, and values of flags in all
// commands. The shell completes names of files only for flags that take a file.
func (p *program) addCompletions(cmd *cobra.Command) {
	if cmd.ValidArgsFunction == nil {
		cmd.ValidArgsFunction = p.completeArg
	}
	cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
		placeholder, _ := pflag.UnquoteUsage(flag)
		choices, isChoice := flag.Value.(interface{ Names() []string })
		switch {
		case flag.Name == "context":
			_ = cmd.RegisterFlagCompletionFunc(flag.Name, p.completeContext)
		case isChoice:
			_ = cmd.RegisterFlagCompletionFunc(flag.Name, noFiles(choices.Names()...))
		case placeholder != "file":
			_ = cmd.RegisterFlagCompletionFunc(flag.Name, cobra.NoFileCompletions)
		}
	})
	for _, sub := range cmd.Commands() {
		p.addCompletions(sub)
	}
}

// addShells adds the command that writes scripts for shells to the output of root. By default it
// shows its help for an unknown shell.
func addShells(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" {
			cmd.Args, cmd.RunE = noArgs, showHelp
		}
	}
}

func noFiles(values ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
}

// completeArg completes the next argument of a command.
func (p *program) completeArg(
	cmd *cobra.Command, args []string, _ string,
) ([]string, cobra.ShellCompDirective) {
	names := strings.Fields(cmd.Use)[1:]
	if len(args) >= len(names) {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), completionTimeout)
	defer cancel()
	var values []string
	switch strings.Trim(names[len(args)], "[]") {
	case "ID":
		values = p.gameIDs(ctx)
	case "MOVE":
		values = p.legalMoves(ctx, args[0])
	case "NAME":
		return p.completeContext(cmd, args, "")
	case "STRATEGY", "A", "B":
		values = render.StrategyNames(render.AnyGame)
	}
	return values, cobra.ShellCompDirectiveNoFileComp
}

// completeContext completes the name of a context.
func (p *program) completeContext(
	*cobra.Command, []string, string,
) ([]string, cobra.ShellCompDirective) {
	config, err := settings.LoadConfig(p.env)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return config.Names(), cobra.ShellCompDirectiveNoFileComp
}

// completionGames connects to GameService, but only if the user has a key: a completion creates no
// player.
func (p *program) completionGames(ctx context.Context) (gamev1.GameServiceClient, bool) {
	s, err := p.resolve()
	if err != nil || s.Key == "" {
		return nil, false
	}
	p.dialer.Retry.Attempts = 1
	games, err := p.games(ctx)
	return games, err == nil
}

// gameIDs returns the ids of the user's newest games, those that go on first.
func (p *program) gameIDs(ctx context.Context) []string {
	games, ok := p.completionGames(ctx)
	if !ok {
		return nil
	}
	list, err := games.ListGames(ctx, &gamev1.ListGamesRequest{PlayerId: "me"})
	if err != nil {
		return nil
	}
	var ids []string
	for _, game := range list.GetGames() {
		ids = append(ids, cobra.CompletionWithDesc(game.GetId(), render.DescriberOf(game).Turn(game)))
	}
	return ids
}

// legalMoves returns the legal moves in a game.
func (p *program) legalMoves(ctx context.Context, gameID string) []string {
	games, ok := p.completionGames(ctx)
	if !ok {
		return nil
	}
	legal, err := flipside.LegalMoves(ctx, games, &gamev1.ListLegalMovesRequest{GameId: board.FindGameID(gameID)})
	if err != nil {
		return nil
	}
	var moves []string
	for _, move := range legal.GetMoves() {
		moves = append(moves, move.GetNotation())
	}
	return slices.Sorted(slices.Values(moves))
}
