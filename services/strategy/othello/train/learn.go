package train

import (
	"math"
	"math/rand/v2"
	"sync"

	"github.com/flipside-games/flipside/services/strategy/othello"
	"github.com/flipside-games/flipside/services/strategy/othello/pattern"
)

// The rate of learning falls from the first to the last epoch by the same factor each time.
const (
	epochs    = 8
	firstRate = 0.012
	lastRate  = 0.001
)

// learner fits the weights to the results of games by stochastic gradient descent on the squared error.
type learner struct {
	shapeOf []int
	// weights are in discs, by phase, shape and canonical content; bias by empty cells.
	weights [pattern.Phases][pattern.Shapes][]float32
	bias    [65]float32
}

func newLearner() *learner {
	l := &learner{shapeOf: pattern.Lanes()}
	for phase := range l.weights {
		for shape := range pattern.Shapes {
			l.weights[phase][shape] = make([]float32, pattern.Contents(shape))
		}
	}
	return l
}

// lesson is a board and what became of it: the final difference for its side to move.
type lesson struct {
	board  othello.Board
	result int8
}

// lessons are the boards of the games by phase, without those before the last move by lot: what led to them says
// nothing about the result.
func lessons(games []record) (byPhase [pattern.Phases][]lesson) {
	for g := range games {
		r := &games[g]
		r.replay(func(i int, b othello.Board, _ othello.Square, sign int) {
			if i >= int(r.random) {
				phase := pattern.Phase(b.Empties())
				byPhase[phase] = append(byPhase[phase], lesson{b, int8(sign * int(r.score))})
			}
		})
	}
	return byPhase
}

// learn goes through the boards of the games epoch by epoch, in a new order each time. The phases are independent of
// each other: they are learned one by one, which keeps their tables in the cache, and several at once, which changes
// nothing in the outcome. It returns the number of boards and the mean absolute error in discs over the last epoch,
// each board judged before it is learned.
func (l *learner) learn(games []record, seed uint64, threads int) (boards int, err float64) {
	byPhase := lessons(games)
	var failures [pattern.Phases]float64
	var all sync.WaitGroup
	for i := range threads {
		all.Go(func() {
			for phase := i; phase < pattern.Phases; phase += threads {
				failures[phase] = l.phase(byPhase[phase], rand.New(rand.NewPCG(seed, uint64(phase))))
			}
		})
	}
	all.Wait()
	for phase, sum := range failures {
		boards, err = boards+len(byPhase[phase]), err+sum
	}
	return boards, err / float64(boards)
}

// phase learns the boards of one phase and returns the sum of the errors of the last epoch.
func (l *learner) phase(boards []lesson, chance *rand.Rand) (failure float64) {
	var contents [pattern.Words * 4]uint16
	for epoch := range epochs {
		rate := float32(firstRate * math.Pow(lastRate/firstRate, float64(epoch)/(epochs-1)))
		chance.Shuffle(len(boards), func(i, j int) { boards[i], boards[j] = boards[j], boards[i] })
		failure = 0
		for _, b := range boards {
			pair := pattern.Pair{Mover: pattern.Of(b.board.Mover), Opponent: pattern.Of(b.board.Opponent)}
			pair.Contents(&contents)
			miss := l.board(&contents, b.board.Empties(), float32(b.result), rate)
			failure += math.Abs(float64(miss))
		}
	}
	return failure
}

// board moves the weights of one board towards its result and returns how far off they were.
func (l *learner) board(contents *[pattern.Words * 4]uint16, n int, result, rate float32) float32 {
	weights := &l.weights[pattern.Phase(n)]
	value := l.bias[n]
	var used [len(contents)]*float32
	for lane, shape := range l.shapeOf {
		w := &weights[shape][pattern.Canonical(shape, int(contents[lane]))]
		used[lane] = w
		value += *w
	}
	miss := result - value
	change := miss * rate
	for _, w := range used[:len(l.shapeOf)] {
		*w += change
	}
	l.bias[n] += change
	return miss
}

// result is the weights in the form the engine uses.
func (l *learner) result() *pattern.Weights {
	w := new(pattern.Weights)
	for phase := range l.weights {
		for shape := range l.weights[phase] {
			for content, discs := range l.weights[phase][shape] {
				if pattern.Canonical(shape, content) == content {
					w.Set(phase, shape, content, units(discs))
				}
			}
		}
	}
	for n, b := range l.bias {
		w.SetBias(n, units(b))
	}
	return w
}

func units(discs float32) int { return int(math.Round(float64(discs) * pattern.Unit)) }
