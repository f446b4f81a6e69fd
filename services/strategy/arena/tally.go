package arena

import "math"

// Tally is the result of a match so far, from the point of view of its first strategy. It is a value.
type Tally struct {
	Wins, Draws, Losses int
	// LLR is the log-likelihood ratio of the sequential test, 0 without one.
	LLR float64

	sprt *SPRT
	// halves holds the points of games whose partner has not ended; pairs counts the pairs by their points, in steps
	// of a half.
	halves map[int]float64
	pairs  [5]int
}

// SPRT is a sequential probability ratio test: it weighs the hypothesis that the first strategy is stronger by Elo1
// against the one that it is by Elo0, and stops once the odds exceed what the rates of error allow.
type SPRT struct {
	Elo0, Elo1 float64
	// Alpha is the accepted chance of wrongly deciding for Elo1, Beta that of wrongly deciding for Elo0: between 0
	// and 1, both ends excluded.
	Alpha, Beta float64
}

func newTally(sprt *SPRT) Tally { return Tally{sprt: sprt, halves: map[int]float64{}} }

// add counts one more game. Games of a pair depend on each other, so it is pairs that the statistics are of.
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

// Games returns how many games have ended.
func (t Tally) Games() int { return t.Wins + t.Draws + t.Losses }

// Decided reports whether the sequential test has come to a decision.
func (t Tally) Decided() bool {
	if t.sprt == nil {
		return false
	}
	lower, upper := t.sprt.Bounds()
	return t.LLR <= lower || t.LLR >= upper
}

// Bounds returns the log-likelihood ratios at which the test decides for Elo0 and for Elo1 (Wald, "Sequential
// Analysis", 1947).
func (s SPRT) Bounds() (lower, upper float64) {
	return math.Log(s.Beta / (1 - s.Alpha)), math.Log((1 - s.Beta) / s.Alpha)
}

// confidence is the number of standard deviations on either side that hold 95 % of a normal distribution.
const confidence = 1.96

// Score returns the first strategy's share of the points, from 0 to 1, and half the width of the 95 % interval around
// it, as far as finished pairs tell.
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

// Elo returns how much stronger the first strategy is, and half the width of the 95 % interval around it. A clean
// sweep has no finite value; it is given that of a score half a point short.
func (t Tally) Elo() (elo, err float64) {
	score, margin := t.Score()
	short := 0.5 / float64(max(1, t.Games()))
	at := func(score float64) float64 { return EloOf(min(max(score, short), 1-short)) }
	return at(score), (at(score+margin) - at(score-margin)) / 2
}

// EloOf returns the difference in Elo at which a score between 0 and 1 is to be expected.
func EloOf(score float64) float64 { return 400 * math.Log10(score/(1-score)) }

// scoreOf returns the score to be expected at a difference in Elo.
func scoreOf(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// assumed is the variance of a pair of independent games without draws. As much as one such pair is added to what was
// observed, so that a few equal results, or a clean sweep, neither decide anything nor pass for certain.
const assumed = 0.125

// pairStatistics returns the mean of the finished pairs' scores per game, their variance, and how many there are.
func (t Tally) pairStatistics() (mean, variance, n float64) {
	for halves, count := range t.pairs {
		n += float64(count)
		mean += float64(count) * float64(halves) / 4
	}
	if n == 0 {
		return 0.5, assumed, 0
	}
	mean /= n
	for halves, count := range t.pairs {
		d := float64(halves)/4 - mean
		variance += float64(count) * d * d
	}
	return mean, (variance + assumed) / (n + 1), n
}

// llr returns the log-likelihood ratio in the normal approximation for pairs of games.
func (t Tally) llr() float64 {
	mean, variance, n := t.pairStatistics()
	s0, s1 := scoreOf(t.sprt.Elo0), scoreOf(t.sprt.Elo1)
	return n * (s1 - s0) * (2*mean - s0 - s1) / (2 * variance)
}
