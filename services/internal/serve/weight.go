package serve

import (
	"fmt"
	"strings"

	"google.golang.org/genproto/googleapis/api/httpbody"
	"google.golang.org/protobuf/proto"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/internal/wire"
)

// Weight is the cost of a call in units of the call rate. A unit stands for about 100 µs of a
// processor: BenchmarkWeights in package app measures about as much for a small call.
type Weight struct {
	method string
	format gamev1.Format // the row is for RenderGame in this format only
	// call is the weight of a call apart from its answer.
	call int
	// reserve and perItem are further units for the call and for each item that the requested page
	// may have. They are given back when the answer is known.
	reserve, perItem int
	// fixed reports that the size of the answer does not count.
	fixed bool
}

// weights lists the weights of calls with a key. A method without a row has the weight 1.
var weights = []Weight{
	{method: gamev1.GameService_CreateGame_FullMethodName, call: 10},
	{method: gamev1.GameService_ForkGame_FullMethodName, call: 10},
	{method: gamev1.GameService_ListGames_FullMethodName, call: 1, perItem: 5},
	{method: gamev1.GameService_ListEvents_FullMethodName, call: 1, perItem: 1},
	{method: gamev1.GameService_ListLegalMoves_FullMethodName, call: 5, perItem: 1},
	{method: strategyv1.StrategyService_ListPositionMoves_FullMethodName, call: 5, perItem: 1},
	{method: gamev1.GameService_RenderGame_FullMethodName, call: 1},
	{method: gamev1.GameService_RenderGame_FullMethodName,
		format: gamev1.Format_FORMAT_SVG, call: 10, reserve: 300},
	{method: gamev1.GameService_RenderGame_FullMethodName,
		format: gamev1.Format_FORMAT_PNG, call: 500, fixed: true},
}

// WeightOf returns the weight of a call.
func WeightOf(method string, request any) Weight {
	found := Weight{call: 1}
	for _, w := range weights {
		if w.method == method && (w.format == 0 || w.format == formatOf(request)) {
			found = w
		}
	}
	return found
}

func formatOf(request any) gamev1.Format {
	r, _ := request.(*gamev1.RenderGameRequest)
	return r.GetFormat()
}

// Before returns the units to take before the call.
func (w Weight) Before(request any) int {
	items := 0
	if r, ok := request.(interface{ GetPageSize() int32 }); ok && w.perItem > 0 {
		items = wire.PageLimit(r.GetPageSize())
	}
	return w.call + w.reserve + w.perItem*items
}

// Total returns the units of the whole call with its answer, which is nil after an error.
func (w Weight) Total(answer any) int {
	if w.fixed {
		return w.call
	}
	return w.call + answerBytes(answer)>>10
}

// answerBytes returns the size of an answer. For one game it is the size of the notation of its
// position, which all calls of a game have: it takes no time.
func answerBytes(answer any) int {
	switch a := answer.(type) {
	case interface{ GetGame() *gamev1.Game }:
		return len(a.GetGame().GetPosition().GetNotation())
	case *httpbody.HttpBody:
		return len(a.GetData())
	case *gamev1.ListGamesResponse, *gamev1.ListEventsResponse, *gamev1.ListLegalMovesResponse,
		*strategyv1.ListPositionMovesResponse:
		return proto.Size(a.(proto.Message))
	}
	return 0
}

// WeightTable returns the weights as rows of a Markdown table: the call, its weight, and the
// further units while it runs.
func WeightTable() string {
	var table strings.Builder
	row := func(w Weight, name string) {
		size := " + 1 per KiB of the answer"
		if w.fixed {
			size = ""
		}
		running := "none"
		switch {
		case w.reserve > 0:
			running = fmt.Sprint(w.reserve)
		case w.perItem > 0:
			running = fmt.Sprintf("%d per item of the page", w.perItem)
		}
		fmt.Fprintf(&table, "| %s | %d%s | %s |\n", name, w.call, size, running)
	}
	for _, w := range weights {
		name := "`" + w.method[strings.LastIndexByte(w.method, '/')+1:] + "`"
		if w.format != 0 {
			name += " as " + strings.TrimPrefix(w.format.String(), "FORMAT_")
		} else if w.method == gamev1.GameService_RenderGame_FullMethodName {
			name += " as text"
		}
		row(w, name)
	}
	row(Weight{call: 1}, "every other call with a key")
	return table.String()
}
