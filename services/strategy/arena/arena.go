// Package arena plays matches between two strategies: pairs of games from the same start with the
// seats swapped. It computes the difference in Elo with its error and a sequential test.
package arena

import (
	"context"
	"errors"
	"math/rand/v2"

	"golang.org/x/sync/errgroup"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/strategy"
)

// Match describes a match.
type Match struct {
	// Setup is the game. Without a shuffle seed or a start position, each pair of games of Three
	// Trios has its own deal.
	Setup         games.Setup
	First, Second Player
	// Games is the number of games. Games 2k-1 and 2k are a pair with the same start.
	Games int
	// Seed determines the openings, the deals and the picks among equal moves; 0 picks the first of
	// them. The same seed gives the same games if the strategies are deterministic.
	Seed int64
	// OpeningPlies is the number of random moves at the start of each pair.
	OpeningPlies int
	// Parallel is the number of games at the same time; 0 means 1.
	Parallel int
	// SPRT ends the match when the test is decided; nil plays all games.
	SPRT *SPRT
}

// Game is the record of one game.
type Game struct {
	// Number counts the games of the match from 1, in the order of their starts.
	Number int
	// FirstSide is the side of the match's first strategy.
	FirstSide rules.Side
	// Start is the notation of the first position. Moves are all moves from there, and the first
	// Opening of them are random.
	Start   string
	Moves   []string
	Opening int
	Score   rules.Score
	// Winner is rules.NoSide after a draw.
	Winner rules.Side
	// Forfeit is set if the loser gave no legal move.
	Forfeit *ForfeitError
}

// Points returns the points of the match's first strategy: 1, 0.5 or 0.
func (g Game) Points() float64 {
	if g.Winner == rules.NoSide {
		return 0.5
	}
	if g.Winner == g.FirstSide {
		return 1
	}
	return 0
}

// Play plays a match. After each game it calls report with the game and the tally so far, one call
// at a time, in the order in which games end. It returns the tally when all games have ended, the
// test is decided, or ctx ends. It returns the first error of report, a strategy or ctx; a decided
// match returns only those of report.
func Play(ctx context.Context, m Match, report func(Game, Tally) error) (Tally, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	tally := newTally(m.SPRT)
	ended := make(chan Game)
	failed := make(chan error, 1)
	go func() {
		failed <- m.playAll(ctx, ended)
		close(ended)
	}()
	var err error
	for g := range ended {
		if err != nil || tally.Decided() {
			continue // drop the games in flight
		}
		tally.add(g)
		if err = report(g, tally); err != nil || tally.Decided() {
			cancel()
		}
	}
	if playErr := <-failed; err == nil && !tally.Decided() {
		err = playErr
	}
	return tally, err
}

func (m Match) playAll(ctx context.Context, ended chan<- Game) error {
	group, playing := errgroup.WithContext(ctx)
	group.SetLimit(max(1, m.Parallel))
	for number := 1; number <= m.Games && playing.Err() == nil; number++ {
		group.Go(func() error {
			g, err := m.play(playing, number)
			if err == nil {
				ended <- g
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}

// play plays one game of the match.
func (m Match) play(ctx context.Context, number int) (Game, error) {
	pair := (number - 1) / 2
	random := rand.New(rand.NewPCG(uint64(m.Seed), uint64(pair)))
	p, err := m.start(random)
	if err != nil {
		return Game{}, err
	}
	g := Game{Number: number, FirstSide: rules.First, Start: p.Notation()}
	if number%2 == 0 {
		g.FirstSide = rules.Second
	}
	for p.Turn() != rules.NoSide {
		move, err := m.move(ctx, &g, p, random)
		if forfeit, ok := errors.AsType[*ForfeitError](err); ok {
			g.Score, g.Winner, g.Forfeit = p.Score(), p.Turn().Other(), forfeit
			return g, nil
		}
		if err != nil {
			return Game{}, err
		}
		g.Moves = append(g.Moves, p.MoveNotation(move))
		if p, _, err = p.Play(move); err != nil {
			return Game{}, err
		}
	}
	g.Score, g.Winner = p.Score(), p.FinalScore().Leader()
	return g, nil
}

// move returns the next move of a game: a random one in the opening.
func (m Match) move(
	ctx context.Context, g *Game, p rules.Position, random *rand.Rand,
) (rules.Move, error) {
	if len(g.Moves) < m.OpeningPlies {
		g.Opening++
		return randomMove(p, random), nil
	}
	return m.choose(ctx, g, p, random)
}

// start returns the first position of a pair of games. It shuffles the deck unless the setup has a
// seed or a start position.
func (m Match) start(random *rand.Rand) (rules.Position, error) {
	setup := m.Setup
	if cards := setup.ThreeTrios; cards != nil && cards.ShuffleSeed == nil && cards.StartFrom == "" {
		shuffled := *cards
		shuffled.ShuffleSeed = new(random.Int64())
		setup.ThreeTrios = &shuffled
	}
	_, p, err := setup.Resolve()
	return p, err
}

// randomMove returns a random move, and a pass only if there is no other.
func randomMove(p rules.Position, random *rand.Rand) rules.Move {
	moves := strategy.Placements(p)
	if len(moves) == 0 {
		return rules.Pass
	}
	return moves[random.IntN(len(moves))].Move
}

// choose returns the move of the player whose turn it is. Both games of a pair draw the same seeds.
func (m Match) choose(
	ctx context.Context, g *Game, p rules.Position, random *rand.Rand,
) (rules.Move, error) {
	player := m.Second
	if p.Turn() == g.FirstSide {
		player = m.First
	}
	seed := random.Int64()
	if m.Seed == 0 {
		seed = 0
	}
	move, err := player.Choose(ctx, Turn{Game: g.Number, Position: p, Seed: seed})
	if ctx.Err() != nil {
		err = ctx.Err() // an interrupted search returns any move, so the game must not count
	}
	return move, err
}
