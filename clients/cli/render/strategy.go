package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	pb "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// namedStrategy is a strategy with its name on the command line.
type namedStrategy struct {
	name     string
	kind     rulesv1.GameKind // the only game it plays, or AnyGame
	strategy *pb.Strategy
	help     string
}

// namedStrategies are all strategies with a name, the weakest first.
var namedStrategies = []namedStrategy{
	{"easy", AnyGame, level(pb.Level_LEVEL_EASY), "the weakest level"},
	{"medium", AnyGame, level(pb.Level_LEVEL_MEDIUM), "a stronger level"},
	{"hard", AnyGame, level(pb.Level_LEVEL_HARD), "a still stronger level"},
	{"expert", AnyGame, level(pb.Level_LEVEL_EXPERT), "the strongest level"},
	{skillName, AnyGame, &pb.Strategy{Kind: &pb.Strategy_Skill{}},
		"a strength from 1 to 20: skill:1 to skill:20"},
	{"greedy", Reversi,
		&pb.Strategy{Kind: &pb.Strategy_Greedy{Greedy: &pb.Greedy{}}},
		"flips the most discs"},
	{"strategy1", Trios,
		&pb.Strategy{Kind: &pb.Strategy_Corners{Corners: &pb.Corners{}}},
		"takes corners"},
	{"strategy2", Trios,
		&pb.Strategy{Kind: &pb.Strategy_MostFlips{MostFlips: &pb.MostFlips{}}},
		"flips the most cards"},
	{"strategy3", Trios,
		&pb.Strategy{Kind: &pb.Strategy_LeastExposed{LeastExposed: &pb.LeastExposed{}}},
		"plays where few cards of the opponent can beat it"},
	{"strategy4", Trios,
		&pb.Strategy{Kind: &pb.Strategy_SmallestReply{SmallestReply: &pb.SmallestReply{}}},
		"leaves the opponent the fewest flips"},
	{"alphabeta", AnyGame,
		&pb.Strategy{Kind: &pb.Strategy_AlphaBeta{AlphaBeta: &pb.AlphaBeta{}}},
		"a plain search; limit it with --depth or --time"},
	{"engine", AnyGame,
		&pb.Strategy{Kind: &pb.Strategy_Engine{Engine: &pb.Engine{}}},
		"the strongest search; limit it with --depth, --time or --nodes"},
}

// skillName is the name of a skill before its strength. HighestSkill is the strongest. DefaultSkill
// is the one that a form starts with.
const (
	skillName    = "skill"
	HighestSkill = 20
	DefaultSkill = 5
)

func level(l pb.Level) *pb.Strategy {
	return &pb.Strategy{Kind: &pb.Strategy_Level{Level: l}}
}

// strategiesFor returns the strategies that play a game, all of them for AnyGame.
func strategiesFor(kind rulesv1.GameKind) []namedStrategy {
	return slices.DeleteFunc(slices.Clone(namedStrategies), func(n namedStrategy) bool {
		return kind != AnyGame && n.kind != AnyGame && n.kind != kind
	})
}

// StrategyNames lists the names of the strategies that play a game, all of them for AnyGame. A
// skill has the name skill, which needs a strength as in skill:7.
func StrategyNames(kind rulesv1.GameKind) []string {
	var names []string
	for _, each := range strategiesFor(kind) {
		names = append(names, each.name)
	}
	return names
}

// IsStrategyName reports whether a text names a strategy that plays a game.
func IsStrategyName(text string, kind rulesv1.GameKind) bool {
	name, _, _ := strings.Cut(text, ":")
	return Strategy(text) != nil && slices.Contains(StrategyNames(kind), name)
}

// StrategyHelp lists the same strategies with a description, one on each line.
func StrategyHelp(kind rulesv1.GameKind) string {
	var text strings.Builder
	for _, each := range strategiesFor(kind) {
		fmt.Fprintf(&text, "  %-9s  %s\n", each.name, each.help)
	}
	return text.String()
}

// Strategy returns a copy of the strategy with a name, nil if there is none. A skill needs a
// strength: in "human skill 3" the number would be the size of the board.
func Strategy(name string) *pb.Strategy {
	if IsSkill(name) {
		return skill(strings.TrimPrefix(name, skillName+":"))
	}
	for _, each := range namedStrategies {
		if each.name == name {
			return proto.CloneOf(each.strategy)
		}
	}
	return nil
}

// IsSkill reports whether a text is the name of a skill, with any strength.
func IsSkill(text string) bool {
	name, _, _ := strings.Cut(text, ":")
	return name == skillName
}

// skill returns the skill with a strength from 1 to HighestSkill, nil for another text.
func skill(strength string) *pb.Strategy {
	n, err := strconv.ParseInt(strength, 10, 32)
	if err != nil || n < 1 || n > HighestSkill {
		return nil
	}
	return &pb.Strategy{Kind: &pb.Strategy_Skill{Skill: int32(n)}}
}

// StrategyName returns the name of a strategy with its strength or its limits.
func StrategyName(strategy *pb.Strategy) string {
	if s, ok := strategy.GetKind().(*pb.Strategy_Skill); ok {
		return fmt.Sprintf("%s:%d", skillName, s.Skill)
	}
	return StrategyBaseName(strategy) + searchLimits(strategy)
}

// StrategyBaseName returns the name of a strategy. A strategy without a name has its name of the
// API.
func StrategyBaseName(strategy *pb.Strategy) string {
	for _, each := range namedStrategies {
		if each.matches(strategy) {
			return each.name
		}
	}
	m := strategy.ProtoReflect()
	if field := m.WhichOneof(m.Descriptor().Oneofs().ByName("kind")); field != nil {
		return field.JSONName()
	}
	return "no strategy"
}

// matches reports whether a strategy is this one, apart from its limits.
func (n namedStrategy) matches(strategy *pb.Strategy) bool {
	if _, ok := n.strategy.GetKind().(*pb.Strategy_Level); ok {
		return strategy.GetLevel() == n.strategy.GetLevel()
	}
	return fmt.Sprintf("%T", strategy.GetKind()) == fmt.Sprintf("%T", n.strategy.GetKind())
}

// SearchLimits returns the greatest depth in plies and the longest time for a move that a strategy
// has, each 0 if there is no limit.
func SearchLimits(strategy *pb.Strategy) (depth int32, limit time.Duration) {
	switch kind := strategy.GetKind().(type) {
	case *pb.Strategy_AlphaBeta:
		return kind.AlphaBeta.GetMaxDepth(), kind.AlphaBeta.GetMaxTime().AsDuration()
	case *pb.Strategy_Engine:
		return kind.Engine.GetMaxDepth(), kind.Engine.GetMaxTime().AsDuration()
	}
	return 0, 0
}

func searchLimits(strategy *pb.Strategy) string {
	depth, limit := SearchLimits(strategy)
	var text string
	if depth > 0 {
		text += fmt.Sprintf(" depth %d", depth)
	}
	if limit > 0 {
		text += " " + limit.String()
	}
	return text
}

// Strategies lists the strategies of a server in a table.
func Strategies(all []*pb.StrategyInfo) string {
	rows := []string{Row("STRATEGY", "GAMES", "PARAMETERS", "WHAT IT DOES")}
	for _, each := range all {
		var games, parameters []string
		for _, kind := range each.GetGames() {
			games = append(games, GameKinds.Name(kind))
		}
		for _, parameter := range each.GetParameters() {
			parameters = append(parameters, parameter.GetName()+parameterRange(parameter))
		}
		rows = append(rows,
			Row(each.GetName(), strings.Join(games, " "), strings.Join(parameters, ", "), each.GetSummary()))
	}
	return Table(rows...)
}

func parameterRange(parameter *pb.Parameter) string {
	switch {
	case len(parameter.GetValues()) > 0:
		return " " + strings.Join(parameter.GetValues(), "|")
	case parameter.GetMinimum() != "" || parameter.GetMaximum() != "":
		return " " + parameter.GetMinimum() + ".." + parameter.GetMaximum()
	default:
		return ""
	}
}

// Choice lists the moves that a strategy considers best in a table, and marks the one it chose.
func Choice(choice *pb.ChooseMoveResponse) string {
	rows := []string{Row("MOVE", "VALUE", "")}
	for _, candidate := range choice.GetCandidates() {
		value, mark := "-", ""
		if measure := candidate.GetMeasure(); measure != pb.Measure_MEASURE_UNSPECIFIED {
			unit := strings.ToLower(strings.TrimPrefix(measure.String(), "MEASURE_"))
			value = fmt.Sprintf("%d %s", candidate.GetValue(), unit)
		}
		if candidate.GetNotation() == choice.GetChosen().GetNotation() {
			mark = "chosen"
		}
		rows = append(rows, Row(candidate.GetNotation(), value, mark))
	}
	text := Table(rows...)
	if analysis := choice.GetAnalysis(); analysis.GetDepth() > 0 {
		text += "\n" + Analysis(analysis)
	}
	return text
}

// Analysis describes the state of a search in one line, and each further principal variation in one
// more.
func Analysis(a *pb.Analysis) string {
	text := fmt.Sprintf("depth %-2d  %s  %d nodes  %d/s  %.3fs\n", a.GetDepth(),
		variation(SearchScore(a.GetScore(), a.GetExact(), a.GetConfidence()), a.GetPrincipalVariation()),
		a.GetNodes(), a.GetNodesPerSecond(), a.GetTime().AsDuration().Seconds())
	for i, pv := range a.GetMultiPv() {
		if i > 0 {
			score := SearchScore(pv.GetScore(), pv.GetExact(), a.GetConfidence())
			moves := variation(score, pv.GetPrincipalVariation())
			text += fmt.Sprintf("     %2d.  %s\n", i+1, strings.TrimRight(moves, " "))
		}
	}
	return text
}

func variation(score string, moves []string) string {
	return fmt.Sprintf("%-9s  %-40s", score, strings.Join(moves, " "))
}

// SearchScore writes a score. It is exact, or holds with a confidence in percent if the search was
// selective.
func SearchScore(score int32, exact bool, confidence int32) string {
	switch {
	case exact:
		return fmt.Sprintf("%+d exact", score)
	case confidence > 0 && confidence < 100:
		return fmt.Sprintf("%+d at %d%%", score, confidence)
	}
	return fmt.Sprintf("%+d", score)
}

// MatchGame describes a game of a match in one line. The names are those of the match's strategies.
func MatchGame(g *pb.MatchGame, names []string) string {
	first, second := names[0], names[1]
	if g.GetFirstSide() == rulesv1.Side_SIDE_SECOND {
		first, second = second, first
	}
	result := "draw"
	switch g.GetWinner() {
	case rulesv1.Side_SIDE_FIRST:
		result = first + " wins"
	case rulesv1.Side_SIDE_SECOND:
		result = second + " wins"
	case rulesv1.Side_SIDE_UNSPECIFIED:
	}
	if f := g.GetForfeit(); f != nil {
		result += fmt.Sprintf(" by forfeit: %s: %q", forfeitReason(f.GetReason()), f.GetMessage())
	}
	return fmt.Sprintf("%4d  %s - %s  %d-%d  %s\n", g.GetNumber(), first, second,
		g.GetScore().GetFirst(), g.GetScore().GetSecond(), result)
}

// forfeitReason returns a reason in words, such as "illegal move".
func forfeitReason(reason pb.MatchGame_Reason) string {
	name := strings.TrimPrefix(reason.String(), "REASON_")
	return strings.ToLower(strings.ReplaceAll(name, "_", " "))
}

// MatchResult describes the result of a match in one line.
func MatchResult(s *pb.MatchSummary, names []string) string {
	text := fmt.Sprintf("%s against %s: %s", names[0], names[1], matchScore(s))
	if s.GetLlr() != 0 {
		text += fmt.Sprintf(", LLR %.2f", s.GetLlr())
	}
	for i, forfeits := range []int32{s.GetFirstForfeits(), s.GetSecondForfeits()} {
		if forfeits > 0 {
			text += fmt.Sprintf(", %d forfeited by %s", forfeits, names[i])
		}
	}
	return text + "\n"
}

// MatchProgress draws a bar that shows how many games of a match are played.
func MatchProgress(s *pb.MatchSummary, games int32) string {
	played := s.GetWins() + s.GetDraws() + s.GetLosses()
	return Bar(int(played), int(games)) + ": " + matchScore(s)
}

// Bar draws a bar that shows how much of a work is done.
func Bar(done, all int) string {
	const width = 30
	full := min(width*done/max(all, 1), width)
	return fmt.Sprintf("[%s%s] %d of %d",
		strings.Repeat("#", full), strings.Repeat(".", width-full), done, all)
}

func matchScore(s *pb.MatchSummary) string {
	return fmt.Sprintf("%d won, %d drawn, %d lost; Elo %+.0f ± %.0f",
		s.GetWins(), s.GetDraws(), s.GetLosses(), s.GetElo(), s.GetEloError())
}
