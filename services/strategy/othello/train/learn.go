package train

import (
	"math"
	"math/rand/v2"
	"sync"

	"github.com/flipside-games/flipside/services/strategy/othello"
	"github.com/flipside-games/flipside/services/strategy/othello/internal/pattern"
)

// The rate of learning falls from the first to the last epoch by the same factor each time.
const (
	epochs    = 10
	firstRate = 0.012
	lastRate  = 0.001
)

// learner fits the weights to the results of games by stochastic gradient descent on the squared error.
type learner struct {
	shapeOf   []int
	canonical [pattern.Shapes][]uint16
	// weights are in discs, by phase, shape and canonical content; bias by empty cells.
	weights [pattern.Phases][pattern.Shapes][]float32
	bias    [65]float32
}

func newLearner() *learner {
	l := &learner{shapeOf: pattern.Lanes()}
	for shape := range l.canonical {
		l.canonical[shape] = pattern.Canonical(shape)
		for phase := range l.weights {
			l.weights[phase][shape] = make([]float32, len(l.canonical[shape]))
		}
	}
	return l
}

// learn goes through the games epoch by epoch, in a new order each time. The phases are independent of each other, so
// each goroutine takes its share of them and the outcome does not depend on their number. It returns the mean absolute
// error, in discs, of the last epoch, each board judged before it is learned.
func (l *learner) learn(games []record, seed uint64, threads int) float64 {
	order := rand.New(rand.NewPCG(seed, 0)).Perm(len(games))
	failures := make([]tally, threads)
	for epoch := range epochs {
		rate := float32(firstRate * math.Pow(lastRate/firstRate, float64(epoch)/(epochs-1)))
		var all sync.WaitGroup
		for i := range threads {
			all.Go(func() {
				failures[i] = tally{}
				shift := epoch * len(order) / epochs
				for _, g := range append(order[shift:len(order):len(order)], order[:shift]...) {
					l.game(&games[g], rate, func(phase int) bool { return phase%threads == i }, &failures[i])
				}
			})
		}
		all.Wait()
	}
	var sum tally
	for _, f := range failures {
		sum.error, sum.boards = sum.error+f.error, sum.boards+f.boards
	}
	return sum.error / float64(sum.boards)
}

// tally adds up errors.
type tally struct {
	error  float64
	boards int
}

// game learns the boards of a game that lie in the phases asked for and after its moves by lot: what led to those says
// nothing about the result.
func (l *learner) game(r *record, rate float32, mine func(phase int) bool, t *tally) {
	var contents [pattern.Words * 4]uint16
	r.replay(func(i int, b othello.Board, _ othello.Square, sign int) {
		n := b.Empties()
		if i < int(r.random) || !mine(pattern.Phase(n)) {
			return
		}
		pair := pattern.Pair{Mover: pattern.Of(b.Mover), Opponent: pattern.Of(b.Opponent)}
		pair.Contents(&contents)
		miss := l.board(&contents, n, float32(sign*int(r.score)), rate)
		t.error += math.Abs(float64(miss))
		t.boards++
	})
}

// board moves the weights of one board towards its result and returns how far off they were.
func (l *learner) board(contents *[pattern.Words * 4]uint16, n int, result, rate float32) float32 {
	weights := &l.weights[pattern.Phase(n)]
	value := l.bias[n]
	var used [len(contents)]*float32
	for lane, shape := range l.shapeOf {
		w := &weights[shape][l.canonical[shape][contents[lane]]]
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
			for content, canonical := range l.canonical[shape] {
				if int(canonical) == content {
					w.Set(phase, shape, content, units(l.weights[phase][shape][content]))
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
