package arena

import "math"

// Tally is the result of a match so far for its first strategy. It is a value.
type Tally struct {
	Wins, Draws, Losses int
	// FirstForfeits counts the losses, and SecondForfeits the wins, by a [Forfeit].
	FirstForfeits, SecondForfeits int
	// LLR is the log-likelihood ratio of the sequential test, 0 without one.
	LLR float64

	sprt *SPRT
	// halves holds the points of games whose pair is not complete. pairs counts the pairs by their
	// points, in steps of 0.5.
	halves map[int]float64
	pairs  [5]int
}

// SPRT is a sequential probability ratio test (A. Wald, "Sequential Analysis", 1947) between two
// hypotheses: that the first strategy is stronger by Elo0, or by Elo1.
type SPRT struct {
	Elo0, Elo1 float64
	// Alpha is the accepted probability of a wrong decision for Elo1, Beta that for Elo0. Both lie
	// between 0 and 1, without the ends.
	Alpha, Beta float64
}

func newTally(sprt *SPRT) Tally { return Tally{sprt: sprt, halves: map[int]float64{}} }

// add counts a game. The games of a pair depend on each other, so the statistics count pairs.
func (t *Tally) add(g Game) {
	points := g.Points()
	switch points {
	case 1:
		t.Wins++
	case 0:
		t.Losses++
	default:
		t.Draws++
	}
	switch {
	case g.Forfeit == nil:
	case g.Winner == g.FirstSide:
		t.SecondForfeits++
	default:
		t.FirstForfeits++
	}
	pair := (g.Number - 1) / 2
	if other, ok := t.halves[pair]; ok {
		delete(t.halves, pair)
		t.pairs[int(2*(points+other))]++
	} else {
		t.halves[pair] = points
	}
	if t.sprt != nil {
		t.LLR = t.llr()
	}
}

// Games returns the number of ended games.
func (t Tally) Games() int { return t.Wins + t.Draws + t.Losses }

// Decided reports whether the sequential test is decided. It is false without a test.
func (t Tally) Decided() bool {
	if t.sprt == nil {
		return false
	}
	lower, upper := t.sprt.Bounds()
	return t.LLR <= lower || t.LLR >= upper
}

// Bounds returns the log-likelihood ratios at which the test decides for Elo0 and for Elo1.
func (s SPRT) Bounds() (lower, upper float64) {
	return math.Log(s.Beta / (1 - s.Alpha)), math.Log((1 - s.Beta) / s.Alpha)
}

// confidence is the half width, in standard deviations, of the 95 % interval of a normal
// distribution.
const confidence = 1.96

// Score returns the first strategy's share of the points, from 0 to 1, and the half width of its 95
// % interval, which is 0 before the first pair is complete.
func (t Tally) Score() (score, err float64) {
	n := float64(t.Games())
	if n == 0 {
		return 0.5, 0
	}
	if _, variance, pairs := t.pairStatistics(); pairs > 0 {
		err = confidence * math.Sqrt(variance/pairs)
	}
	return (float64(t.Wins) + float64(t.Draws)/2) / n, err
}

// Elo returns the difference in Elo and the half width of its 95 % interval. All points or none
// have no finite difference, so that the result is that of half a point less or more.
func (t Tally) Elo() (elo, err float64) {
	score, margin := t.Score()
	short := 0.5 / float64(max(1, t.Games()))
	at := func(score float64) float64 { return EloOf(min(max(score, short), 1-short)) }
	return at(score), (at(score+margin) - at(score-margin)) / 2
}

// EloOf returns the difference in Elo with an expected score, between 0 and 1.
func EloOf(score float64) float64 { return 400 * math.Log10(score/(1-score)) }

// scoreOf returns the expected score at a difference in Elo.
func scoreOf(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// priorVariance is the variance of a pair of independent games without draws. The statistics add
// one such pair, so that a few equal results neither decide the test nor seem certain.
const priorVariance = 0.125

// pairStatistics returns the mean and the variance of the scores, per game, of the complete pairs,
// and their number.
func (t Tally) pairStatistics() (mean, variance, n float64) {
	for halves, count := range t.pairs {
		n += float64(count)
		mean += float64(count) * float64(halves) / 4
	}
	if n == 0 {
		return 0.5, priorVariance, 0
	}
	mean /= n
	for halves, count := range t.pairs {
		d := float64(halves)/4 - mean
		variance += float64(count) * d * d
	}
	return mean, (variance + priorVariance) / (n + 1), n
}

// llr returns the log-likelihood ratio for pairs of games in the normal approximation.
func (t Tally) llr() float64 {
	mean, variance, n := t.pairStatistics()
	s0, s1 := scoreOf(t.sprt.Elo0), scoreOf(t.sprt.Elo1)
	return n * (s1 - s0) * (2*mean - s0 - s1) / (2 * variance)
}
