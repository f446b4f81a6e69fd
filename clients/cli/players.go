package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	pb "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// strategyWord is what the user says for a strategy.
type strategyWord struct {
	name     string
	kind     rulesv1.GameKind // the only game it plays, unspecified for every game
	strategy *pb.Strategy
}

const (
	everyGame = rulesv1.GameKind_GAME_KIND_UNSPECIFIED
	reversi   = rulesv1.GameKind_GAME_KIND_REVERSI
	trios     = rulesv1.GameKind_GAME_KIND_THREE_TRIOS
)

// strategyWords are all of them, the simplest first.
var strategyWords = []strategyWord{
	{"easy", everyGame, level(pb.Level_LEVEL_EASY)},
	{"medium", everyGame, level(pb.Level_LEVEL_MEDIUM)},
	{"hard", everyGame, level(pb.Level_LEVEL_HARD)},
	{"expert", everyGame, level(pb.Level_LEVEL_EXPERT)},
	{"greedy", reversi, &pb.Strategy{Kind: &pb.Strategy_Greedy{Greedy: &pb.Greedy{}}}},
	{"strategy1", trios, &pb.Strategy{Kind: &pb.Strategy_Corners{Corners: &pb.Corners{}}}},
	{"strategy2", trios, &pb.Strategy{Kind: &pb.Strategy_MostFlips{MostFlips: &pb.MostFlips{}}}},
	{"strategy3", trios, &pb.Strategy{Kind: &pb.Strategy_LeastExposed{LeastExposed: &pb.LeastExposed{}}}},
	{"strategy4", trios, &pb.Strategy{Kind: &pb.Strategy_SmallestReply{SmallestReply: &pb.SmallestReply{}}}},
	{"alphabeta", everyGame, &pb.Strategy{Kind: &pb.Strategy_AlphaBeta{AlphaBeta: &pb.AlphaBeta{}}}},
	{"engine", everyGame, &pb.Strategy{Kind: &pb.Strategy_Engine{Engine: &pb.Engine{}}}},
}

func level(l pb.Level) *pb.Strategy {
	return &pb.Strategy{Kind: &pb.Strategy_Level{Level: l}}
}

// means tells whether a strategy is the one of this word, whatever its limits.
func (w strategyWord) means(strategy *pb.Strategy) bool {
	if _, ok := w.strategy.GetKind().(*pb.Strategy_Level); ok {
		return strategy.GetLevel() == w.strategy.GetLevel()
	}
	return fmt.Sprintf("%T", strategy.GetKind()) == fmt.Sprintf("%T", w.strategy.GetKind())
}

// plays lists the words of the strategies that play a game, all of them for every game.
func plays(kind rulesv1.GameKind) []string {
	var all []string
	for _, each := range strategyWords {
		if kind == everyGame || each.kind == everyGame || each.kind == kind {
			all = append(all, each.name)
		}
	}
	return all
}

// limitFlags bound the strategies that search.
type limitFlags struct {
	depth, threads int32
	nodes          int64
	time           time.Duration
	flags          *pflag.FlagSet
	used           map[string]bool // the flags that some strategy takes
}

func (f *limitFlags) register(flags *pflag.FlagSet) {
	f.flags, f.used = flags, map[string]bool{}
	flags.Int32Var(&f.depth, "depth", 0, "how many plies alphabeta or engine may look ahead")
	flags.DurationVar(&f.time, "time", 0, "how long alphabeta or engine may search for a move, such as 1s or 200ms")
	flags.Int64Var(&f.nodes, "nodes", 0, "how many positions engine may visit for a move")
	flags.Int32Var(&f.threads, "threads", 0, "how many threads engine may use")
}

// strategy returns the strategy for a word, or for the JSON of one of the API's.
func (f *limitFlags) strategy(word string, kind rulesv1.GameKind) (*pb.Strategy, error) {
	strategy := &pb.Strategy{}
	if strings.HasPrefix(word, "{") {
		if err := protojson.Unmarshal([]byte(word), strategy); err != nil {
			return nil, usagef("this is no strategy: %s", oneLine(err.Error()))
		}
		return strategy, nil
	}
	if !slices.Contains(plays(kind), word) {
		return nil, usagef("unknown strategy %q: use %s", word, oneOf(plays(kind)))
	}
	for _, each := range strategyWords {
		if each.name == word {
			proto.Merge(strategy, each.strategy)
		}
	}
	f.limit(strategy)
	return strategy, nil
}

func (f *limitFlags) limit(strategy *pb.Strategy) {
	var limit *durationpb.Duration
	if f.time != 0 {
		limit = durationpb.New(f.time)
	}
	switch kind := strategy.GetKind().(type) {
	case *pb.Strategy_AlphaBeta:
		f.uses("depth", "time")
		kind.AlphaBeta.MaxDepth, kind.AlphaBeta.MaxTime = f.depth, limit
	case *pb.Strategy_Engine:
		f.uses("depth", "time", "nodes", "threads")
		kind.Engine.MaxDepth, kind.Engine.MaxTime = f.depth, limit
		kind.Engine.MaxNodes, kind.Engine.Threads = f.nodes, f.threads
	}
}

func (f *limitFlags) uses(names ...string) {
	for _, name := range names {
		f.used[name] = true
	}
}

// check refuses a limit that no strategy takes: whoever gave it expects that it does something.
func (f *limitFlags) check() error {
	for _, name := range []string{"depth", "time"} {
		if f.flags.Changed(name) && !f.used[name] {
			return usagef("--%s is for alphabeta and engine", name)
		}
	}
	for _, name := range []string{"nodes", "threads"} {
		if f.flags.Changed(name) && !f.used[name] {
			return usagef("--%s is for engine", name)
		}
	}
	return nil
}

// robotFlags say what a robot plays and who asks it.
type robotFlags struct {
	limitFlags
	seed     int64
	provider string
}

func (f *robotFlags) register(flags *pflag.FlagSet) {
	f.limitFlags.register(flags)
	flags.Int64Var(&f.seed, "seed", 0, "a `number` by which robots pick among equally good moves (0: the first)")
	flags.StringVar(&f.provider, "provider", "", "the `name` under which the server knows another Strategy service")
}

func (f *robotFlags) seat(word string, kind rulesv1.GameKind) (*gamev1.Seat, error) {
	strategy, err := f.strategy(word, kind)
	if err != nil {
		return nil, err
	}
	robot := &gamev1.Robot{Strategy: strategy, Provider: f.provider, Seed: f.seed}
	return &gamev1.Seat{Holder: &gamev1.Seat_Robot{Robot: robot}}, nil
}

// seats reads the players of a new game: the caller and an open seat unless something else is said.
func (f *robotFlags) seats(words []string, kind rulesv1.GameKind) ([]*gamev1.Seat, error) {
	said := []string{"me", "open"}
	copy(said, words)
	var seats []*gamev1.Seat
	for _, word := range said {
		seat, err := f.player(word, kind)
		if err != nil {
			return nil, err
		}
		seats = append(seats, seat)
	}
	return seats, f.check()
}

func (f *robotFlags) player(word string, kind rulesv1.GameKind) (*gamev1.Seat, error) {
	id, named := strings.CutPrefix(word, "player:")
	switch {
	case word == "me", word == "human":
		return callerSeat(), nil
	case word == "open":
		return &gamev1.Seat{Holder: &gamev1.Seat_Open_{Open: &gamev1.Seat_Open{}}}, nil
	case named && id != "":
		return &gamev1.Seat{Holder: &gamev1.Seat_Player{Player: &gamev1.Seat_SeatedPlayer{PlayerId: id}}}, nil
	case strings.HasPrefix(word, "{") || slices.Contains(plays(kind), word):
		return f.seat(word, kind)
	}
	words := append([]string{"me", "human", "open", "player:ID"}, plays(kind)...)
	return nil, usagef("unknown player %q: use %s", word, oneOf(words))
}

func callerSeat() *gamev1.Seat {
	return &gamev1.Seat{Holder: &gamev1.Seat_Caller_{Caller: &gamev1.Seat_Caller{}}}
}
