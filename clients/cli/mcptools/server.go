// Package mcptools offers games to language models as tools of the Model Context Protocol. A tool
// answers with text for the model and with JSON of the API. The package keeps no state of games:
// each tool reads it from the server.
package mcptools

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// Services are the services that the tools call, as a player.
type Services struct {
	Games      gamev1.GameServiceClient
	Strategies strategyv1.StrategyServiceClient
	Player     *gamev1.Player
}

// Options configure the tools.
type Options struct {
	Version string // of the program
	// Connect connects to the services. It is called at the first call of a tool, and again after it
	// failed; never by two goroutines at once.
	Connect func(context.Context) (*Services, error)
	// Explain describes an error in one line. Several goroutines call it after Connect succeeded.
	Explain func(context.Context, error) string
}

// Serve answers the requests of one client, in until its end, on out. It returns nil at the end of
// in, and an error if ctx ends before or a message is malformed.
func Serve(ctx context.Context, in io.Reader, out io.Writer, o Options) error {
	transport := &mcp.IOTransport{Reader: io.NopCloser(in), Writer: unclosed{out}}
	return newServer(o).Run(ctx, transport)
}

// unclosed is a writer that the transport cannot close.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

const instructions = `Flipside is a server for board games: Reversi on hexagons and squares, and the
card game Three Trios. To play, create_game or join_game, then repeat until the game is over:
wait_for_turn, list_legal_moves, play_move. Moves are written as on the board: d3 on squares, q,r
such as 1,-2 on hexagons, card@row,column with cards, or pass.`

func newServer(o Options) *mcp.Server {
	about := &mcp.Implementation{Name: "flipside", Title: "Flipside", Version: o.Version}
	server := mcp.NewServer(about, &mcp.ServerOptions{
		Instructions: instructions, Capabilities: &mcp.ServerCapabilities{},
	})
	t := &tools{Options: o}
	t.addLists(server)
	t.addChanges(server)
	return server
}

// tools are the tools of one client.
type tools struct {
	Options
	mu        sync.Mutex
	connected *Services
}

func (t *tools) services(ctx context.Context) (*Services, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.connected == nil {
		connected, err := t.Connect(ctx)
		if err != nil {
			return nil, errors.New(t.Explain(ctx, err))
		}
		t.connected = connected
	}
	return t.connected, nil
}

// answer is the answer of a tool: text for the model, and a value that is encoded as JSON.
type answer struct {
	text string
	json any
}

// add adds a tool with the input In to a server. describe adds descriptions, ranges and allowed
// values to the schema of the input, which has the types of the fields of In.
func add[In any](
	server *mcp.Server, t *tools, tool *mcp.Tool, describe func(properties),
	run func(ctx context.Context, s *Services, in In) (answer, error),
) {
	schema, err := jsonschema.For[In](nil)
	if err != nil {
		panic(err) // In is a fixed type of this package
	}
	describe(schema.Properties)
	tool.InputSchema = schema
	mcp.AddTool(server, tool, func(
		ctx context.Context, _ *mcp.CallToolRequest, in In,
	) (*mcp.CallToolResult, any, error) {
		s, err := t.services(ctx)
		var a answer
		if err == nil {
			a, err = run(ctx, s, in)
		}
		if err != nil {
			return nil, nil, errors.New(advise(err, t.Explain(ctx, err)))
		}
		text := &mcp.TextContent{Text: a.text}
		return &mcp.CallToolResult{Content: []mcp.Content{text}}, a.json, nil
	})
}

// properties are the fields of an input.
type properties map[string]*jsonschema.Schema

// describe sets the description of a field.
func (p properties) describe(name, description string) { p[name].Description = description }

// between limits a number, including both bounds.
func (p properties) between(name string, least, most float64) {
	p[name].Minimum, p[name].Maximum = &least, &most
}

// oneOf limits a text to some values.
func (p properties) oneOf(name string, values ...string) {
	for _, value := range values {
		p[name].Enum = append(p[name].Enum, value)
	}
}

// readOnly are the annotations of a tool that changes nothing.
func readOnly() *mcp.ToolAnnotations { return &mcp.ToolAnnotations{ReadOnlyHint: true} }

// changing are the annotations of a tool that changes a game. destructive marks a change that a
// player can regret.
func changing(destructive bool) *mcp.ToolAnnotations {
	return &mcp.ToolAnnotations{DestructiveHint: &destructive}
}
