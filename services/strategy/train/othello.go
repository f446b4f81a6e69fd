package train

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy/othello"
	"github.com/flipside-games/flipside/services/strategy/othello/pattern"
)

// othelloEngine trains package othello.
type othelloEngine struct{}

func newOthelloEngine(start *reversi.Position) (engine, error) {
	if !othello.Supports(start) {
		return nil, fmt.Errorf("the model othello does not fit %s: use square:8", start.Notation())
	}
	return othelloEngine{}, nil
}

func (othelloEngine) load(data []byte) (func() analyzer, error) {
	o := othello.Options{TableBytes: 4 << 20, Scoring: othello.EmptiesToWinner}
	if data != nil {
		var err error
		if o.Weights, err = pattern.Read(bytes.NewReader(data)); err != nil {
			return nil, err
		}
	}
	return func() analyzer { return othello.New(o).AnalyzePosition }, nil
}

func (othelloEngine) chunk() int { return 500 }

// opening is balanced, so that the weights learn what decides games between good players. Games of
// random moves alone have no such limit.
func (othelloEngine) opening(o options, random *rand.Rand) (plies, advantage int) {
	plies, advantage = 4+random.IntN(13), 10
	if o.depth == 0 && o.nodes == 0 {
		advantage = 64
	}
	return plies, advantage
}

func (othelloEngine) drawsForced() bool { return false }

func (othelloEngine) phase(p *reversi.Position) int { return pattern.Phase(empties(p)) }

func (othelloEngine) shallowDepths(depth int) []int {
	if depth < othello.ProbCutDepth {
		return nil
	}
	return []int{othello.ShallowDepth(depth)}
}

func (othelloEngine) deviation(depth, shallow int) float64 {
	return othello.Deviation(endDepth, depth, shallow)
}

// othelloLearner fits the weights of package othello by stochastic gradient descent on the squared
// error.
type othelloLearner struct {
	// boards holds the boards to learn from by number of empty cells.
	boards [65][]scoredBoard
	// patterns has the pattern of each instance, and canonical the canonical content of each content.
	// The weights are in discs, by phase, pattern and canonical content, and bias by empty cells.
	patterns  []int
	canonical [pattern.Count][]uint16
	weights   [pattern.Phases][pattern.Count][]float32
	bias      [65]float32
}

// scoredBoard is a board and a score for its side to move.
type scoredBoard struct {
	othello.Board
	score int8
}

func (othelloEngine) newLearner() learner {
	l := &othelloLearner{patterns: pattern.Lanes()}
	for i := range l.canonical {
		l.canonical[i] = make([]uint16, pattern.Contents(i))
		for content := range l.canonical[i] {
			l.canonical[i][content] = uint16(pattern.Canonical(i, content))
		}
	}
	for phase := range l.weights {
		for i := range pattern.Count {
			l.weights[phase][i] = make([]float32, pattern.Contents(i))
		}
	}
	return l
}

func (l *othelloLearner) add(_ int, from lesson) {
	if from.CountPlacements() == 0 {
		return
	}
	b := othello.BoardOf(from.Position)
	n := b.Empties()
	l.boards[n] = append(l.boards[n], scoredBoard{b, int8(from.score)})
}

// learn fits the phases independently of each other, on several threads. It logs the mean absolute
// error of the last epoch, where each board is evaluated before its weights change.
func (l *othelloLearner) learn(o options, log io.Writer) {
	var errors [pattern.Phases]float64
	var counts [pattern.Phases]int
	var all sync.WaitGroup
	for i := range o.threads {
		all.Go(func() {
			for phase := i; phase < pattern.Phases; phase += o.threads {
				random := rand.New(rand.NewPCG(o.seed, uint64(phase)))
				boards := l.boardsOf(phase)
				counts[phase] = len(boards)
				errors[phase] = l.learnPhase(phase, boards, random)
			}
		})
	}
	all.Wait()
	boards, sum := 0, 0.0
	for phase, e := range errors {
		boards, sum = boards+counts[phase], sum+e
	}
	fmt.Fprintf(log, "%d boards, mean absolute error %.3f discs\n", boards, sum/float64(boards))
}

// boardsOf returns the boards of a phase and those one ply before and after: neighbours are similar,
// and more boards make up for most of the contents that are rare.
func (l *othelloLearner) boardsOf(phase int) (boards []scoredBoard) {
	for n, some := range l.boards {
		if pattern.Phase(n+1) <= phase && phase <= pattern.Phase(n-1) {
			boards = append(boards, some...)
		}
	}
	return boards
}

// The learning rate falls from the first to the last epoch by the same factor each time.
const (
	othelloEpochs    = 8
	othelloFirstRate = 0.012
	othelloLastRate  = 0.001
)

// learnPhase returns the sum of the absolute errors of the last epoch.
func (l *othelloLearner) learnPhase(
	phase int, boards []scoredBoard, random *rand.Rand,
) (sum float64) {
	var bias [65]float32
	for epoch := range othelloEpochs {
		progress := float64(epoch) / (othelloEpochs - 1)
		rate := float32(othelloFirstRate * math.Pow(othelloLastRate/othelloFirstRate, progress))
		random.Shuffle(len(boards), func(i, j int) { boards[i], boards[j] = boards[j], boards[i] })
		sum = 0
		for _, b := range boards {
			sum += math.Abs(float64(l.learnBoard(&l.weights[phase], &bias, b, rate)))
		}
	}
	for n := range bias {
		if pattern.Phase(n) == phase {
			l.bias[n] = bias[n]
		}
	}
	return sum
}

// learnBoard moves the weights of one board towards its score and returns the error before. Results
// are the same on every processor.
func (l *othelloLearner) learnBoard(
	weights *[pattern.Count][]float32, bias *[65]float32, b scoredBoard, rate float32,
) float32 {
	pair := pattern.PairOf(b.Mover, b.Opponent)
	var contents [4 * pattern.Words]uint16
	pair.Contents(&contents)
	n := b.Empties()
	value := bias[n]
	var used [len(contents)]*float32
	for lane, i := range l.patterns {
		used[lane] = &weights[i][l.canonical[i][contents[lane]]]
		value += *used[lane]
	}
	miss := float32(b.score) - value
	change := float32(miss * rate) // The conversion forbids a fused operation.
	for _, w := range used[:len(l.patterns)] {
		*w += change
	}
	bias[n] += change
	return miss
}

// write rounds the weights to the units of the engine.
func (l *othelloLearner) write(to io.Writer) error {
	units := func(discs float32) int { return int(math.Round(float64(discs) * pattern.Unit)) }
	w := new(pattern.Weights)
	for phase := range l.weights {
		for i := range l.weights[phase] {
			for content, discs := range l.weights[phase][i] {
				if pattern.Canonical(i, content) == content {
					w.Set(phase, i, content, units(discs))
				}
			}
		}
	}
	for n, b := range l.bias {
		w.SetBias(n, units(b))
	}
	return w.Write(to)
}
