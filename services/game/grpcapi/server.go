// Package grpcapi is the Game service on the wire: GameService and PlayerService over package game. It reads requests
// and writes answers; it decides nothing.
package grpcapi

import (
	"context"
	"crypto/sha256"
	"strconv"

	"github.com/google/uuid"
	"github.com/oklog/ulid/v2"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/service"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/serve"
	"github.com/flipside-games/flipside/services/internal/wire"
)

// idempotencyHeader carries the request id of a caller who cannot or will not put it into the request.
const idempotencyHeader = "idempotency-key"

// Server serves GameService and PlayerService. It may be used from many goroutines.
type Server struct {
	gamev1.UnimplementedGameServiceServer
	gamev1.UnimplementedPlayerServiceServer

	service   *service.Service
	providers map[string]bool
	proxies   Proxies
	// games, events and told hold what was written last, since many callers read the same. It is never changed.
	games  *held[string, heldGame]
	events *held[eventKey, *gamev1.Event]
	told   *held[toldKey, heldMessage]
}

// heldGame is a game as it is written, and the answer of GetGame.
type heldGame struct {
	message *gamev1.Game
	answer  *serve.EncodedMessage
}

type eventKey struct {
	game    string
	version int
}

// How many games, events and messages about them are held as they go over the wire: games that are looked at again and
// again, events for as long as it takes to tell them to all who watch.
const (
	heldGames  = 4096
	heldEvents = 1024
)

// NewServer returns a server of a service. providers are the names of the Strategy services that robots may be
// asked of, beside the one that comes with the server; proxies are believed where a call comes from.
func NewServer(games *service.Service, providers []string, proxies Proxies) *Server {
	s := &Server{
		service: games, providers: map[string]bool{"": true}, proxies: proxies,
		games: newHeld[string, heldGame](heldGames), events: newHeld[eventKey, *gamev1.Event](heldEvents),
		told: newHeld[toldKey, heldMessage](heldEvents),
	}
	for _, name := range providers {
		s.providers[name] = true
	}
	return s
}

// Register adds both services to a gRPC server or channel.
func (s *Server) Register(r grpc.ServiceRegistrar) {
	gamev1.RegisterGameServiceServer(r, s)
	gamev1.RegisterPlayerServiceServer(r, s)
}

// change returns who asks for a change, and what makes it safe to ask for again.
func change(ctx context.Context, req interface {
	proto.Message
	GetRequestId() string
}) (service.Call, error) {
	who, err := player(ctx)
	if err != nil {
		return service.Call{}, err
	}
	call := service.Call{Caller: who, RequestID: req.GetRequestId()}
	if header := serve.Header(ctx, idempotencyHeader); header != "" {
		if call.RequestID != "" && call.RequestID != header {
			return call, fault.New(fault.InvalidField, "the request id and the header idempotency-key differ").At("requestId")
		}
		call.RequestID = header
	}
	if call.RequestID == "" {
		return call, nil
	}
	id, err := uuid.Parse(call.RequestID)
	if err != nil {
		return call, fault.New(fault.InvalidField, "a request id is a UUID").At("requestId")
	}
	call.RequestID = id.String()
	call.Fingerprint, err = fingerprint(req)
	return call, err
}

// fingerprint returns a hash of what a request asks for, apart from its id.
func fingerprint(req proto.Message) ([32]byte, error) {
	m := proto.Clone(req).ProtoReflect()
	m.Clear(m.Descriptor().Fields().ByName("request_id"))
	content, err := proto.MarshalOptions{Deterministic: true}.Marshal(m.Interface())
	if err != nil {
		return [32]byte{}, err
	}
	return sha256.Sum256(append([]byte(m.Descriptor().FullName()), content...)), nil
}

// CreateGame implements gamev1.GameServiceServer.
func (s *Server) CreateGame(ctx context.Context, req *gamev1.CreateGameRequest) (*gamev1.CreateGameResponse, error) {
	call, err := change(ctx, req)
	if err != nil {
		return nil, err
	}
	setup := wire.ReadSetup(req.GetSetup())
	_, start, err := setup.Resolve()
	if err != nil {
		return nil, fault.At(err, "setup")
	}
	seats, err := s.readSeats(req.GetSeats(), call.Caller, start)
	if err != nil {
		return nil, err
	}
	control, err := s.readTimeControl(req.GetTimeControl(), start)
	if err != nil {
		return nil, err
	}
	wish := service.NewGame{
		Setup: setup, TimeControl: control, Seats: seats, Visibility: visibilities.FromWire[req.GetVisibility()],
	}
	done, err := s.service.CreateGame(ctx, call, wish)
	if err != nil {
		return nil, err
	}
	return &gamev1.CreateGameResponse{Game: s.game(done.Game), Replayed: done.Replayed}, nil
}

// ForkGame implements gamev1.GameServiceServer.
func (s *Server) ForkGame(ctx context.Context, req *gamev1.ForkGameRequest) (*gamev1.ForkGameResponse, error) {
	call, err := change(ctx, req)
	if err != nil {
		return nil, err
	}
	origin, err := s.service.Game(ctx, call.Caller, req.GetGameId())
	if err != nil {
		return nil, err
	}
	seats, err := s.readSeats(req.GetSeats(), call.Caller, origin.Position)
	if err != nil {
		return nil, err
	}
	control, err := s.readTimeControl(req.GetTimeControl(), origin.Position)
	if err != nil {
		return nil, err
	}
	wish := service.NewGame{TimeControl: control, Seats: seats, Visibility: visibilities.FromWire[req.GetVisibility()]}
	done, err := s.service.ForkGame(ctx, call, req.GetGameId(), int(req.GetVersion()), wish)
	if err != nil {
		return nil, err
	}
	return &gamev1.ForkGameResponse{Game: s.game(done.Game), Replayed: done.Replayed}, nil
}

// JoinGame implements gamev1.GameServiceServer.
func (s *Server) JoinGame(ctx context.Context, req *gamev1.JoinGameRequest) (*gamev1.JoinGameResponse, error) {
	call, err := change(ctx, req)
	if err != nil {
		return nil, err
	}
	done, err := s.service.JoinGame(ctx, call, req.GetGameId(), wire.ReadSide(req.GetSide()))
	if err != nil {
		return nil, err
	}
	return &gamev1.JoinGameResponse{Game: s.game(done.Game), Replayed: done.Replayed}, nil
}

// PlayMove implements gamev1.GameServiceServer.
func (s *Server) PlayMove(ctx context.Context, req *gamev1.PlayMoveRequest) (*gamev1.PlayMoveResponse, error) {
	call, err := change(ctx, req)
	if err != nil {
		return nil, err
	}
	read := func(p rules.Position) (rules.Move, error) { return wire.ReadMove(p, req.GetMove(), req.GetNotation()) }
	done, err := s.service.PlayMove(ctx, call, req.GetGameId(), read, int(req.GetExpectedVersion()))
	if fault.ReasonOf(err) == fault.OffBoard {
		return nil, fault.At(err, moveField(req))
	}
	if err != nil {
		return nil, err
	}
	event, err := s.event(done.Event)
	if err != nil {
		return nil, err
	}
	return &gamev1.PlayMoveResponse{Event: event, Game: s.game(done.Game), Replayed: done.Replayed}, nil
}

// moveField is the field that holds the move.
func moveField(req *gamev1.PlayMoveRequest) string {
	if req.GetNotation() != "" {
		return "notation"
	}
	return "move"
}

// Resign implements gamev1.GameServiceServer.
func (s *Server) Resign(ctx context.Context, req *gamev1.ResignRequest) (*gamev1.ResignResponse, error) {
	call, err := change(ctx, req)
	if err != nil {
		return nil, err
	}
	done, err := s.service.Resign(ctx, call, req.GetGameId(), wire.ReadSide(req.GetSide()))
	if err != nil {
		return nil, err
	}
	return &gamev1.ResignResponse{Game: s.game(done.Game), Replayed: done.Replayed}, nil
}

// AbortGame implements gamev1.GameServiceServer.
func (s *Server) AbortGame(ctx context.Context, req *gamev1.AbortGameRequest) (*gamev1.AbortGameResponse, error) {
	call, err := change(ctx, req)
	if err != nil {
		return nil, err
	}
	done, err := s.service.AbortGame(ctx, call, req.GetGameId())
	if err != nil {
		return nil, err
	}
	return &gamev1.AbortGameResponse{Game: s.game(done.Game), Replayed: done.Replayed}, nil
}

// ClaimAbandonment implements gamev1.GameServiceServer.
func (s *Server) ClaimAbandonment(
	ctx context.Context, req *gamev1.ClaimAbandonmentRequest,
) (*gamev1.ClaimAbandonmentResponse, error) {
	call, err := change(ctx, req)
	if err != nil {
		return nil, err
	}
	done, err := s.service.ClaimAbandonment(ctx, call, req.GetGameId())
	if err != nil {
		return nil, err
	}
	return &gamev1.ClaimAbandonmentResponse{Game: s.game(done.Game), Replayed: done.Replayed}, nil
}

// SetRobot implements gamev1.GameServiceServer.
func (s *Server) SetRobot(ctx context.Context, req *gamev1.SetRobotRequest) (*gamev1.SetRobotResponse, error) {
	call, err := change(ctx, req)
	if err != nil {
		return nil, err
	}
	robot := func(p rules.Position) (game.Robot, error) {
		return s.readRobot(&gamev1.Robot{Strategy: req.GetStrategy(), Provider: req.GetProvider(), Seed: req.GetSeed()}, p)
	}
	done, err := s.service.SetRobot(ctx, call, req.GetGameId(), wire.ReadSide(req.GetSide()), robot)
	if err != nil {
		return nil, err
	}
	return &gamev1.SetRobotResponse{Game: s.game(done.Game), Replayed: done.Replayed}, nil
}

// GetGame implements gamev1.GameServiceServer.
func (s *Server) GetGame(ctx context.Context, req *gamev1.GetGameRequest) (*gamev1.GetGameResponse, error) {
	g, err := s.service.Game(ctx, caller(ctx), req.GetGameId())
	if err != nil {
		return nil, err
	}
	return &gamev1.GetGameResponse{Game: s.game(g)}, nil
}

// ListGames implements gamev1.GameServiceServer. The token of a page is the id of the last game before it.
func (s *Server) ListGames(ctx context.Context, req *gamev1.ListGamesRequest) (*gamev1.ListGamesResponse, error) {
	who := caller(ctx)
	page := wire.Page{Size: req.GetPageSize(), Token: req.GetPageToken()}
	filter := game.Filter{
		State:  states.FromWire[req.GetState()],
		Kind:   wire.ReadKind(req.GetKind()),
		Player: req.GetPlayerId(),
		Before: page.Token,
		Limit:  page.Limit() + 1,
	}
	if filter.Player == "me" {
		if _, err := player(ctx); err != nil {
			return nil, err
		}
		filter.Player = who.Player.ID
	}
	if _, err := ulid.ParseStrict(page.Token); page.Token != "" && err != nil {
		return nil, wire.InvalidPageToken()
	}
	found, err := s.service.Games(ctx, who, filter)
	if err != nil {
		return nil, err
	}
	resp := &gamev1.ListGamesResponse{}
	if len(found) > page.Limit() {
		found = found[:page.Limit()]
		resp.NextPageToken = found[len(found)-1].ID
	}
	for _, g := range found {
		resp.Games = append(resp.Games, s.game(g))
	}
	return resp, nil
}

// ListEvents implements gamev1.GameServiceServer. The token of a page is the version before it.
func (s *Server) ListEvents(ctx context.Context, req *gamev1.ListEventsRequest) (*gamev1.ListEventsResponse, error) {
	page := wire.Page{Size: req.GetPageSize(), Token: req.GetPageToken()}
	after := int(req.GetAfterVersion())
	if page.Token != "" {
		n, err := strconv.ParseInt(page.Token, 10, 32)
		if err != nil || n < 0 {
			return nil, wire.InvalidPageToken()
		}
		after = int(n)
	}
	events, err := s.service.Events(ctx, caller(ctx), req.GetGameId(), after, page.Limit()+1, req.GetWait().AsDuration())
	if err != nil {
		return nil, err
	}
	resp := &gamev1.ListEventsResponse{}
	if len(events) > page.Limit() {
		events = events[:page.Limit()]
		resp.NextPageToken = strconv.Itoa(events[len(events)-1].Version)
	}
	for _, e := range events {
		event, err := s.event(e)
		if err != nil {
			return nil, err
		}
		resp.Events = append(resp.Events, event)
	}
	return resp, nil
}

// ListLegalMoves implements gamev1.GameServiceServer.
func (s *Server) ListLegalMoves(ctx context.Context, req *gamev1.ListLegalMovesRequest) (*gamev1.ListLegalMovesResponse, error) {
	g, err := s.service.Game(ctx, caller(ctx), req.GetGameId())
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
	page := wire.Page{Size: req.GetPageSize(), Token: req.GetPageToken()}
	resp.Moves, resp.NextPageToken, err = wire.LegalMoves(position, req.GetCard(), page)
	return resp, err
}
