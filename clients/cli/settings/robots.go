package settings

import (
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/flipside-games/flipside/clients/cli/render"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	pb "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// Limits are the flags that limit the search of the strategies alphabeta and engine.
type Limits struct {
	depth, threads    int32
	nodes             int64
	time              time.Duration
	flags             *pflag.FlagSet
	alphaBeta, engine bool // the command has such a strategy
}

// Register adds the flags to a command.
func (f *Limits) Register(flags *pflag.FlagSet) {
	f.flags = flags
	flags.Int32Var(&f.depth, "depth", 0,
		"search at most this many `plies` deep, for alphabeta and engine")
	flags.DurationVar(&f.time, "time", 0,
		"search at most this long for each move, such as 1s or 200ms, for alphabeta and engine")
	flags.Int64Var(&f.nodes, "nodes", 0,
		"search at most this many `positions` for each move, for engine")
	flags.Int32Var(&f.threads, "threads", 0, "search with `n` threads, for engine")
}

// Strategy returns the strategy with a name, or the strategy in JSON of the API.
func (f *Limits) Strategy(name string, kind rulesv1.GameKind) (*pb.Strategy, error) {
	if strings.HasPrefix(name, "{") {
		strategy := &pb.Strategy{}
		if err := protojson.Unmarshal([]byte(name), strategy); err != nil {
			return nil, Usagef("not the JSON of a strategy: %s", render.OneLine(err.Error()))
		}
		return strategy, nil
	}
	if render.IsSkill(name) && render.Strategy(name) == nil {
		return nil, Usagef("unknown skill %q: use skill:1 to skill:%d", name, render.HighestSkill)
	}
	if !render.IsStrategyName(name, kind) {
		return nil, Usagef("unknown strategy %q: use %s", name, render.Or(render.StrategyNames(kind)))
	}
	strategy := render.Strategy(name)
	f.apply(strategy)
	return strategy, nil
}

func (f *Limits) apply(strategy *pb.Strategy) {
	var limit *durationpb.Duration
	if f.time != 0 {
		limit = durationpb.New(f.time)
	}
	switch kind := strategy.GetKind().(type) {
	case *pb.Strategy_AlphaBeta:
		f.alphaBeta = true
		kind.AlphaBeta.MaxDepth, kind.AlphaBeta.MaxTime = f.depth, limit
	case *pb.Strategy_Engine:
		f.engine = true
		kind.Engine.MaxDepth, kind.Engine.MaxTime = f.depth, limit
		kind.Engine.MaxNodes, kind.Engine.Threads = f.nodes, f.threads
	}
}

// Check returns a UsageError for a flag that applies to no strategy of the command: the user
// expects an effect.
func (f *Limits) Check() error {
	for _, name := range []string{"depth", "time"} {
		if f.flags.Changed(name) && !f.alphaBeta && !f.engine {
			return Usagef("--%s is for alphabeta and engine", name)
		}
	}
	for _, name := range []string{"nodes", "threads"} {
		if f.flags.Changed(name) && !f.engine {
			return Usagef("--%s is for engine", name)
		}
	}
	return nil
}

// Robots are the flags of robots: what they play and which server computes it.
type Robots struct {
	Limits
	Seed     int64
	Provider Provider
	any      bool // the command has a robot
}

// Register adds the flags to a command.
func (f *Robots) Register(flags *pflag.FlagSet) {
	f.Limits.Register(flags)
	flags.Int64Var(&f.Seed, "seed", 0,
		"choose between equally good moves with this `seed` (0: the first move)")
	f.Provider.Register(flags, "", "")
}

// Strategy returns the strategy of a robot, as [Limits.Strategy] does.
func (f *Robots) Strategy(name string, kind rulesv1.GameKind) (*pb.Strategy, error) {
	f.any = true
	return f.Limits.Strategy(name, kind)
}

// Check returns a UsageError for a flag that applies to no robot of the command.
func (f *Robots) Check() error {
	for _, name := range []string{"seed", "provider", "options"} {
		if f.flags.Changed(name) && !f.any {
			return Usagef("--%s is for robots", name)
		}
	}
	return f.Limits.Check()
}

// Robot returns the robot that plays a strategy.
func (f *Robots) Robot(strategy string, kind rulesv1.GameKind) (*gamev1.Robot, error) {
	s, err := f.Strategy(strategy, kind)
	if err != nil {
		return nil, err
	}
	options, err := f.Provider.Options()
	if err != nil {
		return nil, err
	}
	return &gamev1.Robot{
		Strategy: s, Provider: f.Provider.Name, Seed: f.Seed, Options: options,
	}, nil
}

// Seats returns the seats of two players of a new game.
func (f *Robots) Seats(players [2]string, kind rulesv1.GameKind) ([]*gamev1.Seat, error) {
	var seats []*gamev1.Seat
	for _, player := range players {
		seat, err := f.seat(player, kind)
		if err != nil {
			return nil, err
		}
		seats = append(seats, seat)
	}
	return seats, f.Check()
}

func (f *Robots) seat(player string, kind rulesv1.GameKind) (*gamev1.Seat, error) {
	id, named := strings.CutPrefix(player, "player:")
	switch {
	case player == "me", player == "human":
		return &gamev1.Seat{Holder: &gamev1.Seat_Caller_{Caller: &gamev1.Seat_Caller{}}}, nil
	case player == "open":
		return &gamev1.Seat{Holder: &gamev1.Seat_Open_{Open: &gamev1.Seat_Open{}}}, nil
	case named && id != "":
		player := &gamev1.Seat_SeatedPlayer{PlayerId: id}
		return &gamev1.Seat{Holder: &gamev1.Seat_Player{Player: player}}, nil
	case isStrategy(player, kind):
		robot, err := f.Robot(player, kind)
		return &gamev1.Seat{Holder: &gamev1.Seat_Robot{Robot: robot}}, err
	}
	players := append([]string{"me", "human", "open", "player:ID"}, render.StrategyNames(kind)...)
	return nil, UnknownPlayer(player, players, kind)
}

// UnknownPlayer returns the usage error for a player that is not allowed. In Reversi a number is
// probably meant as the size of the board.
func UnknownPlayer(player string, allowed []string, kind rulesv1.GameKind) error {
	_, err := strconv.Atoi(player)
	if err == nil && kind == rulesv1.GameKind_GAME_KIND_REVERSI {
		return Usagef("unknown player %q: the size of a board follows both players", player)
	}
	return Usagef("unknown player %q: use %s", player, render.Or(allowed))
}

// isStrategy reports whether a text is meant as a strategy that plays a game: its name or its JSON.
func isStrategy(text string, kind rulesv1.GameKind) bool {
	return strings.HasPrefix(text, "{") || render.IsSkill(text) || render.IsStrategyName(text, kind)
}
