// Package grpcapi serves GameService and PlayerService over package service. It reads requests and
// writes answers; the decisions are in package game. It also calls Strategy services for the moves
// of robots.
package grpcapi

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"runtime"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/service"
	"github.com/flipside-games/flipside/services/internal/cache"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/serve"
	"github.com/flipside-games/flipside/services/internal/wire"
)

// idempotencyHeader is an alternative to the field request_id.
const idempotencyHeader = "idempotency-key"

// Server serves GameService and PlayerService. It is safe for concurrent use.
type Server struct {
	gamev1.UnimplementedGameServiceServer
	gamev1.UnimplementedPlayerServiceServer

	service    *service.Service
	strategies *Strategies
	proxies    serve.Proxies
	messages   *cache.Cache[messageKey, cachedMessage]
	encoders   chan struct{} // holds one value for each PNG that is being encoded
}

// NewServer returns a server. Robots can use the providers of strategies. The cache of messages draws
// on the budget, which may be nil.
func NewServer(
	games *service.Service, strategies *Strategies, proxies serve.Proxies, caches *cache.Budget,
) *Server {
	return &Server{
		service: games, strategies: strategies, proxies: proxies,
		messages: cache.New(caches, "messages", messagesWeight, messageBytes),
		// Other calls keep at least half of the processors.
		encoders: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)),
	}
}

// Register registers both services.
func (s *Server) Register(r grpc.ServiceRegistrar) {
	gamev1.RegisterGameServiceServer(r, s)
	gamev1.RegisterPlayerServiceServer(r, s)
}

// changeRequest is a request that changes something.
type changeRequest interface {
	proto.Message
	GetRequestId() string
}

// readCall returns the caller and the idempotency key of a request.
func readCall(ctx context.Context, req changeRequest) (service.Call, error) {
	by, err := player(ctx)
	if err != nil {
		return service.Call{}, err
	}
	call := service.Call{Caller: by, RequestID: req.GetRequestId()}
	if header := serve.Header(ctx, idempotencyHeader); header != "" {
		if call.RequestID != "" && call.RequestID != header {
			return call, fault.Invalid(
				"requestId and the header idempotency-key differ: set one").At("requestId")
		}
		call.RequestID = header
	}
	if call.RequestID == "" {
		return call, nil
	}
	id, err := uuid.Parse(call.RequestID)
	if err != nil {
		return call, fault.Invalid("a request id is a UUID").At("requestId")
	}
	call.RequestID = id.String()
	call.Fingerprint, err = fingerprint(req)
	return call, err
}

// fingerprint returns a hash of a request without its id.
func fingerprint(req proto.Message) ([32]byte, error) {
	m := proto.Clone(req).ProtoReflect()
	m.Clear(m.Descriptor().Fields().ByName("request_id"))
	content, err := proto.MarshalOptions{Deterministic: true}.Marshal(m.Interface())
	if err != nil {
		return [32]byte{}, err
	}
	return sha256.Sum256(append([]byte(m.Descriptor().FullName()), content...)), nil
}

// newGameRequest is a request that creates a game.
type newGameRequest interface {
	GetSeats() []*gamev1.Seat
	GetTimeControl() *gamev1.TimeControl
	GetVisibility() gamev1.Visibility
}

// readNewGame reads a game to create, without its setup. start is the position that it starts from,
// seats the default.
func (s *Server) readNewGame(
	req newGameRequest, by service.Caller, start rules.Position, seats game.Seats,
) (n service.NewGame, err error) {
	n.Visibility = visibilities.FromWire[req.GetVisibility()]
	if n.Seats, err = s.readSeats(req.GetSeats(), by, start, seats); err != nil {
		return n, err
	}
	n.TimeControl, err = s.readTimeControl(req.GetTimeControl(), start)
	return n, err
}

// origin returns the origin of a game that the caller creates.
func (s *Server) origin(ctx context.Context, by service.Caller) game.Origin {
	origin := game.Origin{Service: by.Product()}
	if address := s.proxies.ClientAddress(ctx); address != "" {
		hash := sha256.Sum256([]byte(address))
		origin.Address = max(1, binary.BigEndian.Uint16(hash[:]))
	}
	return origin
}

// CreateGame implements gamev1.GameServiceServer.
func (s *Server) CreateGame(
	ctx context.Context, req *gamev1.CreateGameRequest,
) (*gamev1.CreateGameResponse, error) {
	call, err := readCall(ctx, req)
	if err != nil {
		return nil, err
	}
	setup := wire.ReadSetup(req.GetSetup())
	_, start, err := setup.Resolve()
	if err != nil {
		return nil, fault.At(err, "setup")
	}
	n, err := s.readNewGame(req, call.Caller, start, game.Seats{{Player: call.Caller.Player.ID}})
	if err != nil {
		return nil, err
	}
	n.Setup, n.Origin = setup, s.origin(ctx, call.Caller)
	result, err := s.service.CreateGame(ctx, call, n)
	if err != nil {
		return nil, err
	}
	return &gamev1.CreateGameResponse{Game: s.game(result.Game), Replayed: result.Replayed}, nil
}

// ForkGame implements gamev1.GameServiceServer.
func (s *Server) ForkGame(
	ctx context.Context, req *gamev1.ForkGameRequest,
) (*gamev1.ForkGameResponse, error) {
	call, err := readCall(ctx, req)
	if err != nil {
		return nil, err
	}
	describe := func(forked game.Game) (service.NewGame, error) {
		seats := forkedSeats(forked.Seats, call.Caller.Player.ID)
		n, err := s.readNewGame(req, call.Caller, forked.Position, seats)
		n.Origin = s.origin(ctx, call.Caller)
		return n, err
	}
	result, err := s.service.ForkGame(ctx, call, req.GetGameId(), int(req.GetVersion()), describe)
	if err != nil {
		return nil, err
	}
	return &gamev1.ForkGameResponse{Game: s.game(result.Game), Replayed: result.Replayed}, nil
}

// forkedSeats returns the default seats of a fork: those of the forked game. A caller without a
// seat takes that of the first player.
func forkedSeats(seats game.Seats, caller string) game.Seats {
	taken := seats[0].Player == caller || seats[1].Player == caller
	for i := range seats {
		seats[i].Invited = false
		if !taken && seats[i].Robot == nil {
			seats[i], taken = game.Seat{Player: caller}, true
		}
	}
	return seats
}

// gameRequest is a request that changes a game.
type gameRequest interface {
	changeRequest
	GetGameId() string
}

// change runs a command on the game of a request.
func (s *Server) change(
	ctx context.Context, req gameRequest, command service.Command,
) (service.Result, error) {
	call, err := readCall(ctx, req)
	if err != nil {
		return service.Result{}, err
	}
	return s.service.Change(ctx, call, req.GetGameId(), command)
}

// changeGame runs a command on the game of a request and returns the game to answer with.
func (s *Server) changeGame(
	ctx context.Context, req gameRequest, command service.Command,
) (g *gamev1.Game, replayed bool, err error) {
	return s.changed(s.change(ctx, req, command))
}

// changed returns the game to answer with after a change.
func (s *Server) changed(
	result service.Result, err error,
) (g *gamev1.Game, replayed bool, _ error) {
	if err != nil {
		return nil, false, err
	}
	return s.game(result.Game), result.Replayed, nil
}

// JoinGame implements gamev1.GameServiceServer.
func (s *Server) JoinGame(
	ctx context.Context, req *gamev1.JoinGameRequest,
) (*gamev1.JoinGameResponse, error) {
	g, replayed, err := s.changeGame(ctx, req,
		func(g game.Game, by game.Player, now time.Time) (game.Decision, error) {
			return g.Join(by.Seat(), wire.ReadSide(req.GetSide()), now)
		})
	return &gamev1.JoinGameResponse{Game: g, Replayed: replayed}, err
}

// PlayMove implements gamev1.GameServiceServer.
func (s *Server) PlayMove(
	ctx context.Context, req *gamev1.PlayMoveRequest,
) (*gamev1.PlayMoveResponse, error) {
	result, err := s.change(ctx, req,
		func(g game.Game, by game.Player, now time.Time) (game.Decision, error) {
			move, err := wire.ReadMove(g.Position, req.GetMove(), req.GetNotation())
			if err != nil {
				return game.Decision{}, err
			}
			return g.Play(by.ID, move, int(req.GetExpectedVersion()), now)
		})
	if fault.ReasonOf(err) == fault.OffBoard {
		return nil, fault.At(err, moveField(req))
	}
	if err != nil {
		return nil, err
	}
	event, err := s.event(&result.Event)
	if err != nil {
		return nil, err
	}
	return &gamev1.PlayMoveResponse{
		Event: event, Game: s.game(result.Game), Replayed: result.Replayed,
	}, nil
}

// moveField returns the field with the move.
func moveField(req *gamev1.PlayMoveRequest) string {
	if req.GetNotation() != "" {
		return "notation"
	}
	return "move"
}

// Resign implements gamev1.GameServiceServer.
func (s *Server) Resign(
	ctx context.Context, req *gamev1.ResignRequest,
) (*gamev1.ResignResponse, error) {
	g, replayed, err := s.changeGame(ctx, req,
		func(g game.Game, by game.Player, now time.Time) (game.Decision, error) {
			return g.Resign(by.ID, wire.ReadSide(req.GetSide()), now)
		})
	return &gamev1.ResignResponse{Game: g, Replayed: replayed}, err
}

// AbortGame implements gamev1.GameServiceServer.
func (s *Server) AbortGame(
	ctx context.Context, req *gamev1.AbortGameRequest,
) (*gamev1.AbortGameResponse, error) {
	g, replayed, err := s.changeGame(ctx, req,
		func(g game.Game, by game.Player, now time.Time) (game.Decision, error) {
			return g.Abort(by.ID, now)
		})
	return &gamev1.AbortGameResponse{Game: g, Replayed: replayed}, err
}

// Offer implements gamev1.GameServiceServer.
func (s *Server) Offer(
	ctx context.Context, req *gamev1.OfferRequest,
) (*gamev1.OfferResponse, error) {
	call, err := readCall(ctx, req)
	if err != nil {
		return nil, err
	}
	g, replayed, err := s.changed(s.service.Offer(ctx, call, req.GetGameId(), service.Offer{
		Side: wire.ReadSide(req.GetSide()), Kind: offerKinds.FromWire[req.GetKind()],
		AcceptDraw: acceptDraw,
	}))
	return &gamev1.OfferResponse{Game: g, Replayed: replayed}, err
}

// DeclineOffer implements gamev1.GameServiceServer.
func (s *Server) DeclineOffer(
	ctx context.Context, req *gamev1.DeclineOfferRequest,
) (*gamev1.DeclineOfferResponse, error) {
	decline := func(g game.Game, by game.Player, now time.Time) (game.Decision, error) {
		side, kind := wire.ReadSide(req.GetSide()), offerKinds.FromWire[req.GetKind()]
		return g.DeclineOffer(by.ID, side, kind, now)
	}
	g, replayed, err := s.changeGame(ctx, req, decline)
	return &gamev1.DeclineOfferResponse{Game: g, Replayed: replayed}, err
}

// ClaimAbandonment implements gamev1.GameServiceServer.
func (s *Server) ClaimAbandonment(
	ctx context.Context, req *gamev1.ClaimAbandonmentRequest,
) (*gamev1.ClaimAbandonmentResponse, error) {
	g, replayed, err := s.changeGame(ctx, req,
		func(g game.Game, by game.Player, now time.Time) (game.Decision, error) {
			return g.ClaimAbandonment(by.ID, now)
		})
	return &gamev1.ClaimAbandonmentResponse{Game: g, Replayed: replayed}, err
}

// SetRobot implements gamev1.GameServiceServer.
func (s *Server) SetRobot(
	ctx context.Context, req *gamev1.SetRobotRequest,
) (*gamev1.SetRobotResponse, error) {
	g, replayed, err := s.changeGame(ctx, req,
		func(g game.Game, by game.Player, now time.Time) (game.Decision, error) {
			robot, err := s.readRobot(&gamev1.Robot{
				Strategy: req.GetStrategy(), Provider: req.GetProvider(), Seed: req.GetSeed(),
				Options: req.GetOptions(),
			}, g.Position)
			if err != nil {
				return game.Decision{}, err
			}
			return g.SetRobot(by.ID, wire.ReadSide(req.GetSide()), robot, now)
		})
	return &gamev1.SetRobotResponse{Game: g, Replayed: replayed}, err
}

// GetGame implements gamev1.GameServiceServer.
func (s *Server) GetGame(
	ctx context.Context, req *gamev1.GetGameRequest,
) (*gamev1.GetGameResponse, error) {
	g, err := s.service.Game(ctx, caller(ctx), req.GetGameId())
	if err != nil {
		return nil, err
	}
	return &gamev1.GetGameResponse{Game: s.game(g)}, nil
}

// ListLegalMoves implements gamev1.GameServiceServer.
func (s *Server) ListLegalMoves(
	ctx context.Context, req *gamev1.ListLegalMovesRequest,
) (*gamev1.ListLegalMovesResponse, error) {
	g, err := s.service.Game(ctx, caller(ctx), req.GetGameId())
	if err != nil {
		return nil, err
	}
	page, err := wire.ReadPage(req, g.Version)
	if err != nil {
		return nil, err
	}
	resp := &gamev1.ListLegalMovesResponse{Version: int32(g.Version)}
	if g.State.Over() {
		return resp, nil
	}
	position := g.Position
	if side := wire.ReadSide(req.GetSide()); side != rules.NoSide {
		position = position.WithTurn(side)
	}
	resp.Moves, resp.NextPageToken, err = wire.LegalMoves(position, req.GetCard(), page)
	return resp, err
}
