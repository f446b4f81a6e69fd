package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/engine"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

const regretHead = `
## The regret of the engine on eight by eight

The regret of a move is the value of the best move minus its own, in discs: 0 for the best
move. The table shows the mean over %d positions from games between strong programs, by
number of empty cells. The values of all moves come from another program, NTest, at depth
17: they are its judgement, not a proof. The engine used one thread, and one position was
searched at a time. The time limit makes the result depend on the machine. This table
alone, for other time limits:

` + "    go run ./services/strategy/strength -regret 30ms,0.3s" + `

| time for a move | all | 52 to 45 | 44 to 37 | 36 to 28 |
| --- | --- | --- | --- | --- |
`

// regretTimes are the time limits of the table.
var regretTimes = durations{30 * time.Millisecond, 100 * time.Millisecond, 300 * time.Millisecond}

// durations is the value of a flag: durations separated by commas.
type durations []time.Duration

func (d *durations) String() string { return fmt.Sprint(*d) }

func (d *durations) Set(text string) error {
	*d = nil
	for word := range strings.SplitSeq(text, ",") {
		one, err := time.ParseDuration(word)
		if err != nil {
			return err
		}
		*d = append(*d, one)
	}
	return nil
}

// judged is a position with the value of each legal move by its notation.
type judged struct {
	position rules.Position
	empties  int
	best     float64
	values   map[string]float64
}

//go:embed testdata/midgame.tsv
var midgame string

// readMidgame returns the positions of testdata/midgame.tsv, which describes its columns.
func readMidgame() (positions []judged, err error) {
	for line := range strings.Lines(midgame) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		p, err := readJudged(strings.Split(strings.TrimSpace(line), "\t"))
		if err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
		positions = append(positions, p)
	}
	return positions, nil
}

func readJudged(columns []string) (j judged, err error) {
	board, side, moves := columns[0], columns[1], strings.Fields(columns[3])
	var rows []string
	for ; board != ""; board = board[8:] {
		rows = append(rows, board[:8])
	}
	j.position, err = games.Parse("reversi/square:8 " + strings.Join(rows, "/") + " " + side + " 0")
	if err != nil {
		return j, err
	}
	if j.empties, err = strconv.Atoi(columns[2]); err != nil {
		return j, err
	}
	j.values = map[string]float64{}
	for i, move := range moves {
		name, text, _ := strings.Cut(move, ":")
		value, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return j, err
		}
		if j.values[name] = value; i == 0 {
			j.best = value
		}
	}
	return j, nil
}

// phases are the columns of the table: the greatest and the least number of empty cells.
var phases = [...][2]int{{52, 28}, {52, 45}, {44, 37}, {36, 28}}

// regrets holds the sum of the regrets and the number of positions for each phase.
type regrets [len(phases)]struct {
	sum   float64
	count int
}

func (r *regrets) add(empties int, regret float64) {
	for i, phase := range phases {
		if empties <= phase[0] && empties >= phase[1] {
			r[i].sum += regret
			r[i].count++
		}
	}
}

// regret lets a strategy choose a move in each position.
func regret(ctx context.Context, s strategy.Strategy, positions []judged) (r regrets, err error) {
	for _, p := range positions {
		choice, err := strategy.Choose(ctx, s, p.position, 0)
		if err != nil {
			return r, err
		}
		move := p.position.MoveNotation(choice.Chosen.Move)
		value, ok := p.values[move]
		if !ok {
			return r, fmt.Errorf("%s has no value in %s", move, p.position.Notation())
		}
		r.add(p.empties, p.best-value)
	}
	return r, ctx.Err()
}

// writeRegret prints the table with a row for each time limit.
func writeRegret(ctx context.Context, out io.Writer, times []time.Duration) error {
	positions, err := readMidgame()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, regretHead, len(positions))
	engine.Prepare()
	for _, limit := range times {
		r, err := regret(ctx, engine.Search{Limits: limits.Limits{Time: limit}}, positions)
		if err != nil {
			return err
		}
		row := fmt.Sprintf("| %v |", limit)
		for _, phase := range r {
			row += fmt.Sprintf(" %.2f |", phase.sum/float64(phase.count))
		}
		fmt.Fprintln(os.Stderr, row)
		fmt.Fprintln(out, row)
	}
	return nil
}
