package mcptools

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/flipside-games/flipside/clients/cli/render"
	flipside "github.com/flipside-games/flipside/clients/go"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// Limits of the inputs. Clients give up on a tool after 60 s by default.
const (
	mostGames     = 100
	defaultGames  = 20
	longestWait   = 50
	defaultWait   = 25
	longestSearch = 30
	defaultSearch = 1
	shortest      = 0.1
	eachWait      = 10 * time.Second // below the time limit of a call
)

// addLists adds the tools that change nothing.
func (t *tools) addLists(server *mcp.Server) {
	add(server, t, &mcp.Tool{
		Name:        "list_games",
		Description: "List your games, or all public games, the newest first.",
		Annotations: readOnly(),
	}, func(p properties) {
		p.describe("all", "true lists all public games, false (the default) lists your games")
		p.describe("state", "list only games in this state (default: any)")
		p.oneOf("state", render.GameStates.Names()...)
		p.describe("limit", "the largest number of games, 1 to 100 (default 20)")
		p.between("limit", 1, mostGames)
	}, listGames)
	add(server, t, &mcp.Tool{
		Name: "get_game",
		Description: "Get the state of a game: the board, the players, the score, the side to move and " +
			"your sides, as text and as JSON of the API.",
		Annotations: readOnly(),
	}, describeGame, getGame)
	add(server, t, &mcp.Tool{
		Name: "list_legal_moves",
		Description: "List the legal moves of the side to move, with the cells that each flips. " +
			"A finished game has none.",
		Annotations: readOnly(),
	}, describeGame, listLegalMoves)
	add(server, t, &mcp.Tool{
		Name: "wait_for_turn",
		Description: "Wait until it is your turn, the game is over or the time is up. Returns the events " +
			"and the state of the game. Call it again if the time is up.",
		Annotations: readOnly(),
	}, func(p properties) {
		describeGame(p)
		p.describe("seconds", "the longest time to wait, 0.1 to 50 (default 25)")
		p.between("seconds", shortest, longestWait)
		p.describe("afterVersion", "the version of the game that you know, from 1; the answer describes "+
			"the events after it (default: the current version)")
		p.between("afterVersion", 1, math.MaxInt32)
	}, waitForTurn)
	add(server, t, &mcp.Tool{
		Name: "ask_engine",
		Description: "Let the engine of the server search the current position of a game for the best " +
			"move of the side to move. It plays nothing.",
		Annotations: readOnly(),
	}, func(p properties) {
		describeGame(p)
		p.describe("seconds", "the longest time of the search, 0.1 to 30 (default 1)")
		p.between("seconds", shortest, longestSearch)
	}, askEngine)
}

type listInput struct {
	All   bool   `json:"all,omitempty"`
	State string `json:"state,omitempty"`
	Limit int32  `json:"limit,omitempty"`
}

func listGames(ctx context.Context, s *Services, in listInput) (answer, error) {
	request := &gamev1.ListGamesRequest{PageSize: defaultGames, PlayerId: "me"}
	if in.Limit > 0 {
		request.PageSize = in.Limit
	}
	if in.All {
		request.PlayerId = ""
	}
	request.State, _ = render.GameStates.Value(in.State)
	list, err := s.Games.ListGames(ctx, request)
	if err != nil {
		return answer{}, err
	}
	if len(list.GetGames()) == 0 {
		return answer{"There are no such games: call create_game.\n", encoded{list}}, nil
	}
	for i, game := range list.GetGames() {
		list.Games[i] = withoutDeck(game)
	}
	return answer{render.Games(list.GetGames()), encoded{list}}, nil
}

// encoded is a message whose JSON is that of the API.
type encoded struct{ proto.Message }

// MarshalJSON encodes the message as over REST.
func (e encoded) MarshalJSON() ([]byte, error) { return render.Encode(e.Message) }

var _ json.Marshaler = encoded{}

func getGame(ctx context.Context, s *Services, in gameInput) (answer, error) {
	game, err := s.getGame(ctx, in.GameID)
	if err != nil {
		return answer{}, err
	}
	return s.state(ctx, "", game)
}

func listLegalMoves(ctx context.Context, s *Services, in gameInput) (answer, error) {
	legal, err := flipside.LegalMoves(ctx, s.Games, &gamev1.ListLegalMovesRequest{GameId: in.GameID})
	if err != nil {
		return answer{}, err
	}
	text := render.LegalMoves(legal.GetMoves())
	if len(legal.GetMoves()) == 0 {
		text = "There are no legal moves: the game is over. Call get_game for the result.\n"
	}
	return answer{text, encoded{legal}}, nil
}

type waitInput struct {
	gameInput
	Seconds      float64 `json:"seconds,omitempty"`
	AfterVersion int32   `json:"afterVersion,omitempty"`
}

func waitForTurn(ctx context.Context, s *Services, in waitInput) (answer, error) {
	deadline := time.Now().Add(seconds(in.Seconds, defaultWait))
	game, err := s.getGame(ctx, in.GameID)
	if err != nil {
		return answer{}, err
	}
	seen := cmp.Or(in.AfterVersion, game.GetVersion())
	var happened strings.Builder
	for seen < game.GetVersion() || !s.toMove(game) && !over(game) {
		left := time.Until(deadline)
		if left <= 0 {
			happened.WriteString("The time is up.\n")
			break
		}
		list, err := s.Games.ListEvents(ctx, &gamev1.ListEventsRequest{
			GameId: in.GameID, AfterVersion: seen, Wait: durationpb.New(min(left, eachWait)),
		})
		if err != nil {
			return answer{}, err
		}
		if len(list.GetEvents()) == 0 {
			continue
		}
		for _, event := range list.GetEvents() {
			seen = event.GetVersion()
			happened.WriteString(render.DescriberOf(game).Event(event) + "\n")
		}
		if game, err = s.getGame(ctx, in.GameID); err != nil {
			return answer{}, err
		}
	}
	if happened.Len() > 0 {
		happened.WriteString("\n")
	}
	return s.state(ctx, happened.String(), game)
}

// seconds returns a number of seconds as a duration, or the default for 0.
func seconds(n, otherwise float64) time.Duration {
	if n == 0 {
		n = otherwise
	}
	return time.Duration(n * float64(time.Second))
}

type askInput struct {
	gameInput
	Seconds float64 `json:"seconds,omitempty"`
}

func askEngine(ctx context.Context, s *Services, in askInput) (answer, error) {
	game, err := s.getGame(ctx, in.GameID)
	if err != nil {
		return answer{}, err
	}
	engine := &strategyv1.Engine{MaxTime: durationpb.New(seconds(in.Seconds, defaultSearch))}
	choice, err := s.Strategies.ChooseMove(ctx, &strategyv1.ChooseMoveRequest{
		Position: &rulesv1.Position{Notation: game.GetPosition().GetNotation()},
		Strategy: &strategyv1.Strategy{Kind: &strategyv1.Strategy_Engine{Engine: engine}},
	})
	if err != nil {
		return answer{}, err
	}
	return answer{render.Choice(choice), encoded{choice}}, nil
}
