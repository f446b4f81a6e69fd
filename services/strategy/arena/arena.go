// Package arena plays matches between two strategies and says what they prove: games from the same starts with the
// seats swapped, the difference in Elo with its error, and a sequential test. It knows nothing of the wire.
package arena

import (
	"context"
	"math/rand/v2"

	"golang.org/x/sync/errgroup"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/strategy"
)

// Match says who plays whom, from which starts, and how often.
type Match struct {
	Setup         games.Setup
	First, Second strategy.Strategy
	// Games is how many games are played. Games 2k-1 and 2k are a pair: they begin alike, with the seats swapped.
	Games int
	// Seed decides on openings, deals and picks among equal moves, of which 0 picks the first. The same seed gives the
	// same games as long as the strategies' limits are depths or nodes.
	Seed int64
	// OpeningPlies is how many random moves each pair begins with.
	OpeningPlies int
	// Parallel is how many games are played at once, at least 1.
	Parallel int
	// SPRT ends the match as soon as it is decided; nil plays all games.
	SPRT *SPRT
}

// Game is the record of one game, from which it can be replayed.
type Game struct {
	// Number counts the games of the match from 1, in the order of their starts.
	Number int
	// FirstSide is the side that the match's first strategy played.
	FirstSide rules.Side
	// Start is the notation of the position before the opening; Moves are all moves from there.
	Start   string
	Moves   []string
	Opening int
	Score   rules.Score
	// Winner is the side that won; rules.NoSide is a draw.
	Winner rules.Side
}

// Points returns what the match's first strategy got: 1, 0.5 or 0.
func (g Game) Points() float64 {
	if g.Winner == rules.NoSide {
		return 0.5
	}
	if g.Winner == g.FirstSide {
		return 1
	}
	return 0
}

// Play plays a match. It calls report with every game as it ends and the tally so far, one call at a time; games
// played at once end in any order. It returns the tally when all games are played, the test is decided, or ctx ends.
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
			continue // the games that were under way
		}
		tally.add(g)
		if err = report(g, tally); err != nil || tally.Decided() {
			cancel()
		}
	}
	if failure := <-failed; err == nil && !tally.Decided() {
		err = failure
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
		var move rules.Move
		if len(g.Moves) < m.OpeningPlies {
			move = randomMove(p, random)
			g.Opening++
		} else if move, err = m.choose(ctx, g.FirstSide, p, random); err != nil {
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

// start returns the position that a pair of games begins with. A deck is shuffled anew for each pair, unless the
// setup says how.
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

// randomMove returns a placement or card at random, or pass where there is nothing else.
func randomMove(p rules.Position, random *rand.Rand) rules.Move {
	moves := strategy.Placements(p)
	if len(moves) == 0 {
		return rules.Pass
	}
	return moves[random.IntN(len(moves))].Move
}

// choose asks whoever is to move. Both games of a pair draw the same seeds, so that what differs is who plays.
func (m Match) choose(ctx context.Context, first rules.Side, p rules.Position, random *rand.Rand) (rules.Move, error) {
	player := m.Second
	if p.Turn() == first {
		player = m.First
	}
	seed := random.Int64()
	if m.Seed == 0 {
		seed = 0
	}
	choice, err := strategy.Choose(ctx, player, p, seed)
	if err == nil {
		err = ctx.Err() // a search that was broken off names any move, which proves nothing
	}
	return choice.Chosen.Move, err
}
