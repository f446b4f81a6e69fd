package grpcapi

import (
	"context"
	"strconv"

	"google.golang.org/genproto/googleapis/api/httpbody"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/drawing"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/internal/wire"
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
	hints, err := readHints(g, req)
	if err != nil {
		return nil, err
	}
	shown := rules.TextOptions{Selected: selected, Labels: req.GetLabels(), Hints: hints}
	format := req.GetFormat()
	if format != gamev1.Format_FORMAT_SVG && format != gamev1.Format_FORMAT_PNG {
		text := []byte(g.Position.Text(shown) + "\n")
		return &httpbody.HttpBody{ContentType: "text/plain; charset=utf-8", Data: text}, nil
	}
	options := drawing.Options{TextOptions: shown, Card: req.GetCard()}
	if req.GetTheme() == gamev1.Theme_THEME_DARK {
		options.Theme = drawing.Dark
	}
	drawn, err := s.draw(ctx, g, options)
	if err != nil {
		return nil, err
	}
	if format == gamev1.Format_FORMAT_SVG {
		return &httpbody.HttpBody{ContentType: "image/svg+xml", Data: drawn.SVG()}, nil
	}
	content, err := s.encode(ctx, drawn.PNG)
	return &httpbody.HttpBody{ContentType: "image/png", Data: content}, err
}

// draw draws a game with its last move, its legal moves and its status.
func (s *Server) draw(
	ctx context.Context, g game.Game, o drawing.Options,
) (*drawing.Drawing, error) {
	flips, err := s.service.LastFlips(ctx, g)
	if err != nil {
		return nil, err
	}
	o.Last, o.Flips, o.Status, o.Legal = g.LastCell, flips, caption(g), g.State == game.StateActive
	return drawing.New(g.Position, o), nil
}

// encode returns a PNG. It waits for a slot, since encoding takes tens of milliseconds.
func (s *Server) encode(ctx context.Context, encode func() ([]byte, error)) ([]byte, error) {
	select {
	case s.encoders <- struct{}{}:
		defer func() { <-s.encoders }()
		return encode()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// PreviewGame implements gamev1.GameServiceServer.
func (s *Server) PreviewGame(
	ctx context.Context, req *gamev1.PreviewGameRequest,
) (*gamev1.PreviewGameResponse, error) {
	g, err := s.service.Preview(ctx, req.GetGameId(), s.proxies.ClientAddress(ctx))
	if err != nil {
		return nil, err
	}
	drawn, err := s.draw(ctx, g, drawing.Options{})
	if err != nil {
		return nil, err
	}
	resp := &gamev1.PreviewGameResponse{Title: drawn.Title(), Description: invitations[g.State]}
	if req.GetPicture() {
		resp.Picture, err = s.encode(ctx, drawn.Preview)
	}
	return resp, err
}

// invitations describe what a visitor can do with a game.
var invitations = map[game.State]string{
	game.StateWaiting:  "Join this game.",
	game.StateActive:   "Watch this game live.",
	game.StateFinished: "Replay this game.",
	game.StateAborted:  "This game was aborted.",
}

// caption returns the status of a game whose state does not follow from the position, else "".
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

// losses are the captions about the loser of a game.
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

// readHints returns the hints that a request asks for. A game that is over has none.
func readHints(g game.Game, req *gamev1.RenderGameRequest) (map[rules.Cell]string, error) {
	var counts map[rules.Cell]int
	p, cards := g.Position.(*threetrios.Position)
	switch {
	case req.GetCard() != "":
		err := wire.CheckCard(g.Position, req.GetCard())
		if err != nil {
			return nil, err
		}
		if counts, err = flipsOfCard(p, req.GetCard()); err != nil {
			return nil, err
		}
	case req.GetHints() && cards:
		counts = flipsOfBestCard(p)
	case req.GetHints():
		counts = flipsOfDiscs(g.Position)
	}
	if g.State.Over() {
		return nil, nil
	}
	hints := make(map[rules.Cell]string, len(counts))
	for c, n := range counts {
		hints[c] = strconv.Itoa(n)
	}
	return hints, nil
}

// flipsOfDiscs returns the number of discs that each legal move flips.
func flipsOfDiscs(p rules.Position) map[rules.Cell]int {
	counts := map[rules.Cell]int{}
	for _, m := range p.Legal() {
		if _, flips, err := p.Play(m); err == nil && m.Kind != rules.PassTurn {
			counts[m.Cell] = len(flips)
		}
	}
	return counts
}

// flipsOfBestCard returns for each empty cell how many cards the side to move can flip there.
func flipsOfBestCard(p *threetrios.Position) map[rules.Cell]int {
	counts, hand := map[rules.Cell]int{}, len(p.Hand(p.Turn()))
	for _, c := range p.EmptyCells() {
		for i := range hand {
			counts[c] = max(counts[c], p.FlipCount(i, c))
		}
	}
	return counts
}

// flipsOfCard returns for each empty cell how many cards a card in either hand would flip there.
func flipsOfCard(p *threetrios.Position, name string) (map[rules.Cell]int, error) {
	for _, side := range []rules.Side{rules.First, rules.Second} {
		for i, card := range p.Hand(side) {
			if card.Name != name {
				continue
			}
			owner, _ := p.WithTurn(side).(*threetrios.Position)
			counts := map[rules.Cell]int{}
			for _, c := range p.EmptyCells() {
				counts[c] = owner.FlipCount(i, c)
			}
			return counts, nil
		}
	}
	return nil, fault.New(fault.CardNotInHand, "no hand has a card %.40q", name).With("card", name)
}
