package grpcapi

import (
	"encoding/json"
	"fmt"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/service"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/serve"
	"github.com/flipside-games/flipside/services/internal/wire"
)

var states = wire.NewEnum(map[game.State]gamev1.GameState{
	game.StateWaiting:  gamev1.GameState_GAME_STATE_WAITING,
	game.StateActive:   gamev1.GameState_GAME_STATE_ACTIVE,
	game.StateFinished: gamev1.GameState_GAME_STATE_FINISHED,
	game.StateAborted:  gamev1.GameState_GAME_STATE_ABORTED,
})

var visibilities = wire.NewEnum(map[game.Visibility]gamev1.Visibility{
	game.Public:  gamev1.Visibility_VISIBILITY_PUBLIC,
	game.Link:    gamev1.Visibility_VISIBILITY_LINK,
	game.Private: gamev1.Visibility_VISIBILITY_PRIVATE,
})

var endings = wire.NewEnum(map[game.Ending]gamev1.Ending{
	game.ByScore:       gamev1.Ending_ENDING_SCORE,
	game.ByResignation: gamev1.Ending_ENDING_RESIGNATION,
	game.ByTime:        gamev1.Ending_ENDING_TIME,
	game.ByAbandonment: gamev1.Ending_ENDING_ABANDONMENT,
	game.ByAgreement:   gamev1.Ending_ENDING_AGREEMENT,
})

var substituteReasons = wire.NewEnum(map[game.SubstituteReason]gamev1.SubstituteReason{
	game.NoAnswer:      gamev1.SubstituteReason_SUBSTITUTE_REASON_NO_ANSWER,
	game.Unavailable:   gamev1.SubstituteReason_SUBSTITUTE_REASON_UNAVAILABLE,
	game.Rejected:      gamev1.SubstituteReason_SUBSTITUTE_REASON_REJECTED,
	game.InvalidAnswer: gamev1.SubstituteReason_SUBSTITUTE_REASON_INVALID_ANSWER,
	game.IllegalMove:   gamev1.SubstituteReason_SUBSTITUTE_REASON_ILLEGAL_MOVE,
	game.Suspended:     gamev1.SubstituteReason_SUBSTITUTE_REASON_SUSPENDED,
})

var offerKinds = wire.NewEnum(map[game.OfferKind]gamev1.OfferKind{
	game.OfferTakeback: gamev1.OfferKind_OFFER_KIND_TAKEBACK,
	game.OfferDraw:     gamev1.OfferKind_OFFER_KIND_DRAW,
	game.OfferRematch:  gamev1.OfferKind_OFFER_KIND_REMATCH,
})

// readSeats reads the seats of a new game that starts from a position. Without seats it returns the
// default.
func (s *Server) readSeats(
	in []*gamev1.Seat, by service.Caller, p rules.Position, seats game.Seats,
) (game.Seats, error) {
	if len(in) > 0 {
		seats = game.Seats{}
	}
	for i, seat := range in {
		read, err := s.readSeat(seat, wire.Side(rules.First+rules.Side(i)), by, p)
		if err != nil {
			return seats, fault.At(err, fmt.Sprintf("seats[%d]", i))
		}
		seats[i] = read
	}
	return seats, nil
}

func (s *Server) readSeat(
	seat *gamev1.Seat, side rulesv1.Side, by service.Caller, p rules.Position,
) (game.Seat, error) {
	if given := seat.GetSide(); given != rulesv1.Side_SIDE_UNSPECIFIED && given != side {
		return game.Seat{}, fault.Invalid(
			"this seat is %s, not %s: change the order, or leave the side out", side, given).At("side")
	}
	switch holder := seat.GetHolder().(type) {
	case *gamev1.Seat_Caller_:
		return by.Player.Seat(), nil
	case *gamev1.Seat_Player:
		if holder.Player.GetPlayerId() == "" {
			return game.Seat{}, fault.Invalid("a player id is required").At("player.playerId")
		}
		return game.Seat{Player: holder.Player.GetPlayerId()}, nil
	case *gamev1.Seat_Robot:
		robot, err := s.readRobot(holder.Robot, p)
		return game.Seat{Robot: &robot}, fault.At(err, "robot")
	}
	return game.Seat{}, nil
}

func (s *Server) readRobot(r *gamev1.Robot, p rules.Position) (game.Robot, error) {
	if err := wire.ValidateRobot(r.GetStrategy(), p); err != nil {
		return game.Robot{}, fault.At(err, "strategy")
	}
	if !s.strategies.hasProvider(r.GetProvider()) {
		return game.Robot{}, fault.Invalid("this server has no strategy provider %.64q", r.GetProvider()).
			With("provider", r.GetProvider()).At("provider")
	}
	options, err := readOptions(r.GetOptions())
	if err != nil {
		return game.Robot{}, fault.At(err, "options")
	}
	strategy, err := protojson.Marshal(r.GetStrategy())
	return game.Robot{
		Strategy: strategy, Provider: r.GetProvider(), Seed: r.GetSeed(), Options: options,
	}, err
}

// readOptions returns the options of a robot as a document, nil for none.
func readOptions(options *structpb.Struct) (json.RawMessage, error) {
	if len(options.GetFields()) == 0 {
		return nil, nil
	}
	if err := wire.ValidateOptions(options); err != nil {
		return nil, err
	}
	return protojson.Marshal(options)
}

// storedOptions returns the options in a document, nil for none.
func storedOptions(document json.RawMessage) *structpb.Struct {
	if document == nil {
		return nil
	}
	return readStored(document, &structpb.Struct{})
}

// readStored decodes a document that this package has stored. It leaves the message empty if the
// document is invalid.
func readStored[M proto.Message](document json.RawMessage, into M) M {
	_ = protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(document, into)
	return into
}

func robot(r game.Robot) *gamev1.Robot {
	strategy := readStored(r.Strategy, &strategyv1.Strategy{})
	return &gamev1.Robot{
		Strategy: strategy, Provider: r.Provider, Seed: r.Seed, Options: storedOptions(r.Options),
	}
}

func seat(side rules.Side, s game.Seat) *gamev1.Seat {
	out := &gamev1.Seat{Side: wire.Side(side)}
	switch {
	case s.Robot != nil:
		out.Holder = &gamev1.Seat_Robot{Robot: robot(*s.Robot)}
	case s.Player != "":
		out.Holder = &gamev1.Seat_Player{Player: &gamev1.Seat_SeatedPlayer{
			PlayerId: s.Player, DisplayName: s.Name, Invited: s.Invited,
		}}
	default:
		out.Holder = &gamev1.Seat_Open_{Open: &gamev1.Seat_Open{}}
	}
	return out
}

func seats(s game.Seats) []*gamev1.Seat {
	return []*gamev1.Seat{seat(rules.First, s[0]), seat(rules.Second, s[1])}
}

func outcome(o *game.Outcome) *gamev1.Outcome {
	if o == nil {
		return nil
	}
	return &gamev1.Outcome{
		Winner: wire.Side(o.Winner), Draw: o.Winner == rules.NoSide, Ending: endings.ToWire[o.Ending],
	}
}

// game converts a game. The message is cached and shared.
func (s *Server) game(g game.Game) *gamev1.Game {
	key := messageKey{kind: gameMessage, game: g.ID, version: g.Version}
	if cached, ok := s.messages.Get(key); ok && cached.paused == g.Paused {
		return cached.message.(*gamev1.Game)
	}
	out := &gamev1.Game{
		Id:          g.ID,
		Kind:        wire.Kind(g.Setup.Kind()),
		Setup:       wire.Setup(g.Setup),
		State:       states.ToWire[g.State],
		Seats:       seats(g.Seats),
		Version:     int32(g.Version),
		Position:    s.position(g),
		Score:       wire.Score(g.Position.Score()),
		Outcome:     outcome(g.Outcome),
		CreateTime:  timestamppb.New(g.Created),
		UpdateTime:  timestamppb.New(g.Updated),
		Etag:        etag(g),
		Visibility:  visibilities.ToWire[g.Visibility],
		CreatorId:   g.Creator,
		TimeControl: timeControl(g.TimeControl),
		Clocks:      clocks(g),
		Rematch:     g.Rematch,
		RematchOf:   g.RematchOf,
	}
	for _, o := range g.OpenOffers() {
		out.Offers = append(out.Offers, &gamev1.Offer{
			Side: wire.Side(o.Side), Kind: offerKinds.ToWire[o.Kind],
		})
	}
	if turn := g.Turn(); turn != rules.NoSide {
		out.Turn = &gamev1.Turn{
			Side: wire.Side(turn), MustPass: rules.MustPass(g.Position),
			Deadline: timestamp(g.Deadline()), ClaimTime: timestamp(g.ClaimTime()),
		}
	}
	if g.LastCell != nil {
		out.LastCell = wire.Cell(*g.LastCell)
	}
	answer := serve.NewEncodedMessage(&gamev1.GetGameResponse{Game: out})
	s.messages.Put(key, cachedMessage{
		message: out, bytes: gameBytes(g), encoded: answer, paused: g.Paused,
	})
	return out
}

// etag returns a tag that differs for every content of the message of a game. An outage moves its
// deadlines without a new version.
func etag(g game.Game) string {
	if g.Paused > 0 {
		return fmt.Sprintf("%s-%d-%d", g.ID, g.Version, g.Paused)
	}
	return fmt.Sprintf("%s-%d", g.ID, g.Version)
}

// position converts the position of a game. After a move it is the position in the event.
func (s *Server) position(g game.Game) *rulesv1.Position {
	key := messageKey{kind: eventMessage, game: g.ID, version: g.Version}
	if cached, ok := s.messages.Get(key); ok {
		if moved := cached.message.(*gamev1.Event).GetMovePlayed(); moved != nil {
			return moved.GetPosition()
		}
	}
	return wire.Position(g.Position)
}

// event converts an event. The message is cached and shared.
func (s *Server) event(e *game.Event) (*gamev1.Event, error) {
	key := messageKey{kind: eventMessage, game: e.GameID, version: e.Version}
	if cached, ok := s.messages.Get(key); ok {
		return cached.message.(*gamev1.Event), nil
	}
	out := &gamev1.Event{GameId: e.GameID, Version: int32(e.Version), Time: timestamppb.New(e.Time)}
	if e.Paused > 0 {
		out.Paused = durationpb.New(e.Paused)
	}
	if err := fillEvent(out, e); err != nil {
		return nil, fmt.Errorf("event %d of game %s: %w", e.Version, e.GameID, err)
	}
	s.messages.Put(key, cachedMessage{message: out, bytes: eventBytes(e)})
	return out, nil
}

func fillEvent(out *gamev1.Event, e *game.Event) error {
	switch {
	case e.Created != nil:
		created, err := created(e.Created)
		out.Kind = &gamev1.Event_Created{Created: created}
		return err
	case e.SeatTaken != nil:
		taken := &gamev1.SeatTaken{Seat: seat(e.SeatTaken.Side, e.SeatTaken.Seat)}
		out.Kind = &gamev1.Event_SeatTaken{SeatTaken: taken}
	case e.Started != nil:
		out.Kind = &gamev1.Event_Started{Started: &gamev1.GameStarted{Turn: wire.Side(e.Started.Turn)}}
	case e.MovePlayed != nil:
		played, err := movePlayed(e.MovePlayed)
		out.Kind = &gamev1.Event_MovePlayed{MovePlayed: played}
		return err
	case e.RobotChanged != nil:
		out.Kind = &gamev1.Event_RobotChanged{RobotChanged: robotChanged(e.RobotChanged)}
	case e.OfferMade != nil:
		out.Kind = &gamev1.Event_OfferMade{OfferMade: &gamev1.OfferMade{
			Side: wire.Side(e.OfferMade.Side), Kind: offerKinds.ToWire[e.OfferMade.Kind],
		}}
	case e.OfferDeclined != nil:
		out.Kind = &gamev1.Event_OfferDeclined{OfferDeclined: &gamev1.OfferDeclined{
			Side: wire.Side(e.OfferDeclined.Side), Kind: offerKinds.ToWire[e.OfferDeclined.Kind],
		}}
	case e.MovesTakenBack != nil:
		position, err := e.MovesTakenBack.DecodePosition()
		if err != nil {
			return err
		}
		out.Kind = &gamev1.Event_MovesTakenBack{MovesTakenBack: &gamev1.MovesTakenBack{
			Side: wire.Side(e.MovesTakenBack.Side), ToVersion: int32(e.MovesTakenBack.Version),
			Position: wire.Position(position), Score: wire.Score(e.MovesTakenBack.Score),
		}}
	case e.RematchCreated != nil:
		out.Kind = &gamev1.Event_RematchCreated{
			RematchCreated: &gamev1.RematchCreated{GameId: e.RematchCreated.GameID},
		}
	case e.Finished != nil:
		out.Kind = &gamev1.Event_Finished{Finished: &gamev1.GameFinished{
			Outcome: outcome(&e.Finished.Outcome), Score: wire.Score(e.Finished.Score),
		}}
	case e.Aborted != nil:
		out.Kind = &gamev1.Event_Aborted{Aborted: &gamev1.GameAborted{Side: wire.Side(e.Aborted.Side)}}
	}
	return nil
}

func created(c *game.Created) (*gamev1.GameCreated, error) {
	_, start, err := c.Setup.Resolve()
	if err != nil {
		return nil, err
	}
	out := &gamev1.GameCreated{
		Seats: seats(c.Seats), Position: wire.Position(start), TimeControl: timeControl(c.TimeControl),
	}
	if from := c.ForkedFrom; from != nil {
		out.ForkedFrom = &gamev1.GameCreated_ForkedFrom{GameId: from.GameID, Version: int32(from.Version)}
	}
	return out, nil
}

func robotChanged(r *game.RobotChanged) *gamev1.RobotChanged {
	out := &gamev1.RobotChanged{Side: wire.Side(r.Side), Robot: robot(r.Robot)}
	if r.Replaced != nil {
		out.Replaced = seat(r.Side, *r.Replaced)
	}
	return out
}

func movePlayed(m *game.MovePlayed) (*gamev1.MovePlayed, error) {
	after, err := m.DecodePosition()
	if err != nil {
		return nil, err
	}
	out := &gamev1.MovePlayed{
		Side:      wire.Side(m.Side),
		Move:      wire.Move(m.Move),
		Notation:  m.Notation,
		Flips:     wire.Flips(after, m.Flips),
		Position:  wire.Position(after),
		Score:     wire.Score(m.Score),
		Automatic: m.Automatic,
	}
	if m.Substitute != nil {
		out.Substitute = &gamev1.Substitute{
			Provider: m.Substitute.Provider, Reason: substituteReasons.ToWire[m.Substitute.Reason],
		}
	}
	if m.Analysis != nil {
		out.Analysis = readStored(m.Analysis, &strategyv1.Analysis{})
	}
	return out, nil
}
