package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// deal is a game of Three Trios on three by three, with a number that decides its cards.
type deal struct {
	rules  string // the names of the rules, joined by "+"
	number int
}

// setup returns the game: ten cards whose values are independent and uniform from 1 to 10.
func (d deal) setup() games.Setup {
	random := rand.New(rand.NewPCG(uint64(d.number), 0))
	var deck strings.Builder
	for card := range 10 {
		fmt.Fprintf(&deck, "c%d", card)
		for range 4 {
			fmt.Fprintf(&deck, " %d", 1+random.IntN(threetrios.Ace))
		}
		deck.WriteByte('\n')
	}
	return games.Setup{ThreeTrios: &threetrios.Setup{
		Grid: "3 3\nCCC\nCCC\nCCC\n", Deck: deck.String(), Rules: rulesOf(d.rules),
	}}
}

func rulesOf(names string) (rules []threetrios.Rule) {
	for name := range strings.SplitSeq(names, "+") {
		rules = append(rules, threetrios.Rule(name))
	}
	return rules
}

// ruleSets are all sets of rules, without reverse and without those that count a player's own
// cards. A game with reverse is the mirror image of one without it: with 11 less each value on the
// cards, the same cards flip.
func ruleSets() (sets []string) {
	for _, wave := range []string{"", "+same", "+plus", "+same+plus"} {
		for _, base := range []string{"default", "fallen-ace"} {
			sets = append(sets, base+wave)
		}
	}
	return sets
}

// solvedDeals are the scores of deals for Red, who plays first. It writes each to a file.
type solvedDeals struct {
	mu     sync.Mutex
	scores map[deal]int
	file   *os.File
}

// openSolved reads the deals that earlier runs solved.
func openSolved(path string) (*solvedDeals, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	s := &solvedDeals{scores: map[deal]int{}, file: file}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var d deal
		var score int
		if n, _ := fmt.Sscan(lines.Text(), &d.rules, &d.number, &score); n == 3 {
			s.scores[d] = score
		}
	}
	_, err = fmt.Fprintln(file) // An interrupted run can leave half a line.
	return s, errors.Join(lines.Err(), err)
}

func (s *solvedDeals) has(d deal) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.scores[d]
	return ok
}

func (s *solvedDeals) add(d deal, score int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scores[d] = score
	_, err := fmt.Fprintln(s.file, d.rules, d.number, score)
	return err
}

// solve solves the missing ones of the first n deals of every set of rules. Deals with the same
// number have the same cards, and all sets of rules advance together.
func (s *solvedDeals) solve(ctx context.Context, n int) error {
	group, running := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for number := range n {
		for _, rules := range ruleSets() {
			d := deal{rules, number}
			if s.has(d) || running.Err() != nil {
				continue
			}
			group.Go(func() error {
				solved, err := solve(running, d.setup())
				if err != nil {
					return fmt.Errorf("deal %d with %s: %w", d.number, d.rules, err)
				}
				return s.add(d, solved.Best().Score)
			})
		}
	}
	return errors.Join(group.Wait(), ctx.Err())
}

func writeDeals(ctx context.Context, out io.Writer, log string, n int) error {
	s, err := openSolved(log)
	if err != nil {
		return err
	}
	defer s.file.Close()
	if err := s.solve(ctx, n); err != nil {
		return err
	}
	fmt.Fprintf(out, `
## Three Trios

%d random deals on three by three, the same for every set of rules: five cards for each player, each
with four values from 1 to 10, all equally likely. Red plays first and last. The margins are 95 %%
confidence intervals, and the mean is that of the difference in cards for Red. With reverse in
addition, the same cards flip if each value is replaced by 11 less the value: every line holds for
these rules with reverse too.

| rules | Red wins | draw | Blue wins | mean |
| --- | ---: | ---: | ---: | ---: |
`, n)
	for _, rules := range ruleSets() {
		var won, drawn, lost, sum int
		for number := range n {
			score := s.scores[deal{rules, number}]
			sum += score
			switch {
			case score > 0:
				won++
			case score < 0:
				lost++
			default:
				drawn++
			}
		}
		fmt.Fprintf(out, "| %s | %s | %s | %s | %+.2f |\n", strings.ReplaceAll(rules, "+", ", "),
			share(won, n), share(drawn, n), share(lost, n), float64(sum)/float64(n))
	}
	return nil
}

// share formats k of n in percent, with the half width of the Agresti-Coull interval of 95 %.
func share(k, n int) string {
	const z = 1.96
	trials := float64(n) + z*z
	p := (float64(k) + z*z/2) / trials
	return fmt.Sprintf("%.1f %% ± %.1f", 100*float64(k)/float64(n), 100*z*math.Sqrt(p*(1-p)/trials))
}
