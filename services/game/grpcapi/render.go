package grpcapi

import (
	"context"
	"strconv"

	"google.golang.org/genproto/googleapis/api/httpbody"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/svg"
)

// RenderGame implements gamev1.GameServiceServer.
func (s *Server) RenderGame(
	ctx context.Context, req *gamev1.RenderGameRequest,
) (*httpbody.HttpBody, error) {
	g, err := s.service.GameAt(ctx, caller(ctx), req.GetGameId(), int(req.GetVersion()))
	if err != nil {
		return nil, err
	}
	selected, err := readSelected(g.Position, req.GetSelected())
	if err != nil {
		return nil, fault.At(err, "selected")
	}
	var hints map[rules.Cell]string
	if req.GetHints() {
		hints = flipHints(g)
	}
	shown := rules.TextOptions{Selected: selected, Labels: req.GetLabels(), Hints: hints}
	if req.GetFormat() != gamev1.Format_FORMAT_SVG {
		text := []byte(g.Position.Text(shown) + "\n")
		return &httpbody.HttpBody{ContentType: "text/plain; charset=utf-8", Data: text}, nil
	}
	flips, err := s.service.LastFlips(ctx, g)
	if err != nil {
		return nil, err
	}
	options := svg.Options{TextOptions: shown, Last: g.LastCell, Flips: flips, Status: caption(g)}
	if req.GetTheme() == gamev1.Theme_THEME_DARK {
		options.Theme = svg.Dark
	}
	return &httpbody.HttpBody{ContentType: "image/svg+xml", Data: svg.Draw(g.Position, options)}, nil
}

// caption returns the caption of a game whose state does not follow from the position, else "".
func caption(g game.Game) string {
	switch {
	case g.State == game.StateWaiting:
		return "waiting for a player"
	case g.State == game.StateAborted:
		return "aborted"
	case g.Outcome == nil || g.Outcome.Ending == game.ByScore:
		return ""
	case g.Outcome.Winner == rules.NoSide:
		return "draw"
	}
	return g.Setup.Kind().SideName(g.Outcome.Winner.Other()) + " " + losses[g.Outcome.Ending]
}

// losses are the captions for the loser of a game.
var losses = map[game.Ending]string{
	game.ByResignation: "resigned",
	game.ByTime:        "ran out of time",
	game.ByAbandonment: "left",
	game.ByAgreement:   "lost by agreement",
}

// readSelected reads the selected cell, nil for none. The cell must be on the board.
func readSelected(p rules.Position, notation string) (*rules.Cell, error) {
	if notation == "" {
		return nil, nil
	}
	c, err := p.ParseCell(notation)
	if err != nil {
		return nil, err
	}
	if !p.Contains(c) {
		return nil, fault.New(fault.OffBoard, "%s is not on the board", p.CellNotation(c)).
			With("cell", p.CellNotation(c))
	}
	return &c, nil
}

// flipHints returns for every cell how many pieces the side to move can flip there, with the best
// card.
func flipHints(g game.Game) map[rules.Cell]string {
	most := map[rules.Cell]int{}
	for _, m := range g.Position.Legal() {
		if m.Kind == rules.PassTurn {
			continue
		}
		if _, flips, err := g.Position.Play(m); err == nil {
			most[m.Cell] = max(most[m.Cell], len(flips))
		}
	}
	hints := make(map[rules.Cell]string, len(most))
	for c, n := range most {
		hints[c] = strconv.Itoa(n)
	}
	return hints
}
