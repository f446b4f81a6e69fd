package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/flipside-games/flipside/clients/cli/render"
)

// Text returns the report as a table with a summary of each side.
func (r *Report) Text() string {
	rows := []string{render.Row("MOVE", "SIDE", "PLAYED", "VALUE", "BEST", "BEST VALUE", "LOSS", "")}
	for _, m := range r.Moves {
		rows = append(rows, render.Row(fmt.Sprint(m.Number), r.describe.Colour(m.index), m.Notation,
			fmt.Sprintf("%+d", m.Value), m.Best, fmt.Sprintf("%+d", m.BestValue), m.loss(), m.note()))
	}
	var text strings.Builder
	text.WriteString(r.Name + "\n\n" + render.Table(rows...) + "\n")
	for i, side := range r.Sides {
		fmt.Fprintf(&text, "%s: %d of %d moves without loss, lost %d %s, turning points: %d\n",
			r.name(i), side.Best, side.Moves, side.Loss, r.unit(), side.TurningPoints)
	}
	return text.String()
}

func (m Move) loss() string {
	if m.Loss == 0 {
		return "-"
	}
	return fmt.Sprint(m.Loss)
}

func (m Move) note() string {
	var notes []string
	if m.Exact {
		notes = append(notes, "exact")
	}
	if m.TurningPoint {
		notes = append(notes, "turning point")
	}
	return strings.Join(notes, ", ")
}

// name names a side by its colour and its player.
func (r *Report) name(index int) string {
	name := r.describe.Colour(index)
	if player := r.Players[index]; player != "" {
		name += " (" + player + ")"
	}
	return name
}

// unit is the unit of values.
func (r *Report) unit() string {
	if r.describe.Kind == render.Trios {
		return "cards"
	}
	return "discs"
}

// Problem is the solution of a position of a problem set.
type Problem struct {
	Number   int      `json:"number"` // from 1
	Comment  string   `json:"comment,omitempty"`
	Move     string   `json:"move"`
	Value    int      `json:"value"`
	Exact    bool     `json:"exact"`
	Depth    int      `json:"depth"`
	Nodes    int64    `json:"nodes"`
	Seconds  float64  `json:"seconds"`
	Expected []string `json:"expected,omitempty"` // the best moves that the file names
	// ExpectedValue is the value of the best moves, and Right reports whether the solution agrees.
	ExpectedValue int  `json:"expectedValue"`
	Right         bool `json:"right"`
}

// Check compares the solution with the best moves of the file and their value. An estimate is right
// if the move is.
func (p *Problem) Check(best []string, value int) {
	p.Expected, p.ExpectedValue = best, value
	p.Right = slices.Contains(best, p.Move) && (!p.Exact || p.Value == value)
}

// Text describes the solution in one line.
func (p *Problem) Text() string {
	verdict := ""
	switch {
	case p.Right:
		verdict = "right"
	case len(p.Expected) > 0:
		verdict = fmt.Sprintf("wrong: %s %+d", strings.Join(p.Expected, ","), p.ExpectedValue)
	}
	line := fmt.Sprintf("%4d  %-4s %-10s  %10d nodes  %7.3fs  %s", p.Number, p.Move,
		render.SearchScore(int32(p.Value), p.Exact, 0), p.Nodes, p.Seconds, verdict)
	return strings.TrimRight(line, " ") + "\n"
}

// Summary is the result of a problem set.
type Summary struct {
	Problems int     `json:"problems"`
	Checked  int     `json:"checked"` // problems for which the file names the best moves
	Right    int     `json:"right"`
	Exact    int     `json:"exact"`
	Nodes    int64   `json:"nodes"`
	Seconds  float64 `json:"seconds"`
}

// Add counts a problem.
func (s *Summary) Add(p *Problem) {
	s.Problems++
	s.Nodes += p.Nodes
	s.Seconds += p.Seconds
	if len(p.Expected) > 0 {
		s.Checked++
	}
	if p.Right {
		s.Right++
	}
	if p.Exact {
		s.Exact++
	}
}

// Text describes the result in one line.
func (s *Summary) Text() string {
	perSecond := float64(s.Nodes) / cmp.Or(s.Seconds, 1)
	return fmt.Sprintf("%d of %d right, %d exact; %d nodes in %.3fs, %.0f/s\n",
		s.Right, s.Checked, s.Exact, s.Nodes, s.Seconds, perSecond)
}
