package grpcapi

import (
	"cmp"
	"crypto/rand"
	"runtime"
	"time"

	"google.golang.org/grpc"

	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/wire"
	"github.com/flipside-games/flipside/services/strategy/arena"
)

// defaultGames is the number of games of a match without a number.
const defaultGames = 100

// PlayMatch plays a match. It sends each game when it ends, followed by the tally so far, and the
// final tally at the end.
func (s *Server) PlayMatch(
	req *strategyv1.PlayMatchRequest, stream grpc.ServerStreamingServer[strategyv1.PlayMatchResponse],
) error {
	match, err := s.readMatch(req)
	if err != nil {
		return err
	}
	tally, err := arena.Play(stream.Context(), match, func(g arena.Game, soFar arena.Tally) error {
		if err := stream.Send(matchGame(g)); err != nil {
			return err
		}
		return stream.Send(summary(soFar, false))
	})
	if err != nil {
		return err
	}
	return stream.Send(summary(tally, true))
}

func (s *Server) readMatch(req *strategyv1.PlayMatchRequest) (arena.Match, error) {
	setup, _, err := wire.ReadSetup(req.GetSetup()).Resolve()
	if err != nil {
		return arena.Match{}, fault.At(err, "setup")
	}
	// The call has no deadline that could limit a move.
	players := *s
	players.defaultTime = time.Second
	match := rand.Text()
	first, err := players.readPlayer(setup.Kind(), matchPlayer{
		"first", req.GetFirst(), req.GetFirstProvider(), req.GetFirstOptions(), match,
	})
	if err != nil {
		return arena.Match{}, err
	}
	second, err := players.readPlayer(setup.Kind(), matchPlayer{
		"second", req.GetSecond(), req.GetSecondProvider(), req.GetSecondOptions(), match,
	})
	if err != nil {
		return arena.Match{}, err
	}
	sprt, err := readSPRT(req.GetSprt())
	cores := runtime.GOMAXPROCS(0)
	return arena.Match{
		Setup:        setup,
		First:        first,
		Second:       second,
		Games:        cmp.Or(int(req.GetGames()), defaultGames),
		Seed:         req.GetSeed(),
		OpeningPlies: int(req.GetOpeningPlies()),
		Parallel:     min(cmp.Or(int(req.GetParallel()), cores), cores),
		SPRT:         sprt,
	}, fault.At(err, "sprt")
}

func readSPRT(s *strategyv1.PlayMatchRequest_Sprt) (*arena.SPRT, error) {
	if s == nil {
		return nil, nil
	}
	if s.GetElo0() >= s.GetElo1() {
		return nil, fault.Invalid("elo1 must be greater than elo0: raise elo1").At("elo1")
	}
	const defaultRate = 0.05
	return &arena.SPRT{
		Elo0: s.GetElo0(), Elo1: s.GetElo1(),
		Alpha: cmp.Or(s.GetAlpha(), defaultRate), Beta: cmp.Or(s.GetBeta(), defaultRate),
	}, nil
}

func matchGame(g arena.Game) *strategyv1.PlayMatchResponse {
	game := &strategyv1.MatchGame{
		Number:       int32(g.Number),
		FirstSide:    wire.Side(g.FirstSide),
		Start:        g.Start,
		Moves:        g.Moves,
		OpeningPlies: int32(g.Opening),
		Score:        wire.Score(g.Score),
		Winner:       wire.Side(g.Winner),
		Forfeit:      forfeit(g),
	}
	return &strategyv1.PlayMatchResponse{
		Message: &strategyv1.PlayMatchResponse_Game{Game: game},
	}
}

func summary(t arena.Tally, final bool) *strategyv1.PlayMatchResponse {
	elo, margin := t.Elo()
	summary := &strategyv1.MatchSummary{
		Wins:     int32(t.Wins),
		Draws:    int32(t.Draws),
		Losses:   int32(t.Losses),
		Elo:      elo,
		EloError: margin,
		Llr:      t.LLR,
		Final:    final,

		FirstForfeits:  int32(t.FirstForfeits),
		SecondForfeits: int32(t.SecondForfeits),
	}
	return &strategyv1.PlayMatchResponse{
		Message: &strategyv1.PlayMatchResponse_Summary{Summary: summary},
	}
}
