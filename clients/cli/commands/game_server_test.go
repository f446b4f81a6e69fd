package commands

import (
	"fmt"
	"sync"
	"time"

	"google.golang.org/genproto/googleapis/api/httpbody"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// gameServer is a server with one game and no rules: any move but "bad", "nonsense", "fatal" and
// "late" is legal, and the game is over after a number of moves.
type gameServer struct {
	mu      sync.Mutex
	game    *gamev1.Game
	log     []*gamev1.Event
	changed chan struct{} // closed at the next event
	robots  []string      // the moves of robots, in order
	length  int           // of the game, in moves
	cut     int           // number of events after which every stream is cut; 0 cuts none
}

// serve makes a fake answer calls about the game.
func (g *gameServer) serve(f *fake) {
	f.answerAll()
	g.changed = make(chan struct{})
	on(f, g.create)
	on(f, g.play)
	on(f, g.resign)
	on(f, g.offer)
	on(f, g.decline)
	on(f, func(*gamev1.GetGameRequest) (*gamev1.GetGameResponse, error) {
		return &gamev1.GetGameResponse{Game: g.now()}, nil
	})
	on(f, func(q *gamev1.RenderGameRequest) (*httpbody.HttpBody, error) {
		return &httpbody.HttpBody{Data: fmt.Appendf(nil, "<board at %d>", q.GetVersion())}, nil
	})
	on(f, func(q *gamev1.ListLegalMovesRequest) (*gamev1.ListLegalMovesResponse, error) {
		if q.GetSide() == rulesv1.Side_SIDE_FIRST {
			return fromJSON(&gamev1.ListLegalMovesResponse{}, `{"moves":[
				{"notation":"d3","flipCount":1,"move":{"place":{}}},{"notation":"c4","flipCount":2,"move":{"place":{}}},
				{"notation":"pass","move":{"passTurn":{}}}]}`), nil
		}
		return fromJSON(&gamev1.ListLegalMovesResponse{}, `{"moves":[
			{"notation":"a@0,0","flipCount":3,"move":{"playCard":{"card":"a"}}},{"notation":"b@0,0","move":{"playCard":{"card":"b"}}},
			{"notation":"a@0,1","flipCount":1,"move":{"playCard":{"card":"a"}}}]}`), nil
	})
	f.watchGame = g.watch
}

func (g *gameServer) now() *gamev1.Game {
	g.mu.Lock()
	defer g.mu.Unlock()
	return proto.CloneOf(g.game)
}

func (g *gameServer) create(q *gamev1.CreateGameRequest) (*gamev1.CreateGameResponse, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.game = &gamev1.Game{Id: "01new", Kind: rulesv1.GameKind_GAME_KIND_REVERSI, Setup: q.GetSetup(), Seats: q.GetSeats()}
	if q.GetSetup().GetThreeTrios() != nil {
		g.game.Kind = rulesv1.GameKind_GAME_KIND_THREE_TRIOS
	}
	for i, seat := range g.game.GetSeats() {
		seat.Side = rulesv1.Side(i + 1)
		if seat.GetCaller() != nil {
			seat.Holder = &gamev1.Seat_Player{Player: &gamev1.Seat_SeatedPlayer{PlayerId: "01ada", DisplayName: "Ada"}}
		}
	}
	g.game.State = gamev1.GameState_GAME_STATE_ACTIVE
	g.game.TimeControl = q.GetTimeControl()
	g.turn(rulesv1.Side_SIDE_FIRST)
	g.game.Score = &rulesv1.Score{First: 3, Second: 3}
	g.append(&gamev1.Event{Kind: &gamev1.Event_Created{Created: &gamev1.GameCreated{Seats: g.game.GetSeats()}}})
	g.append(&gamev1.Event{Kind: &gamev1.Event_Started{Started: &gamev1.GameStarted{Turn: rulesv1.Side_SIDE_FIRST}}})
	created := proto.CloneOf(g.game)
	g.letRobotsMove()
	return &gamev1.CreateGameResponse{Game: created}, nil
}

// turn gives a side the turn and, if the game has a time control, a deadline.
func (g *gameServer) turn(side rulesv1.Side) {
	g.game.Turn = &gamev1.Turn{Side: side}
	if g.game.GetTimeControl() != nil {
		g.game.Turn.Deadline = timestamppb.New(time.Date(2026, 11, 27, 10, 5, 0, 0, time.UTC))
		g.game.Clocks = fromJSON(&gamev1.Clocks{}, `{"first":"300s","second":"272.340s"}`)
	}
}

// replace gives the seat of the side to move to a robot.
func (g *gameServer) replace() {
	side, robot := g.game.GetTurn().GetSide(), g.game.GetTimeControl().GetOnAbsence().GetRobot()
	changed := &gamev1.RobotChanged{Side: side, Robot: robot, Replaced: g.game.GetSeats()[side-1]}
	g.game.Seats[side-1] = &gamev1.Seat{Side: side, Holder: &gamev1.Seat_Robot{Robot: robot}}
	g.append(&gamev1.Event{Kind: &gamev1.Event_RobotChanged{RobotChanged: changed}})
	g.letRobotsMove()
}

func (g *gameServer) append(event *gamev1.Event) *gamev1.Event {
	g.game.Version++
	event.GameId, event.Version = g.game.GetId(), g.game.GetVersion()
	g.log = append(g.log, event)
	close(g.changed)
	g.changed = make(chan struct{})
	return event
}

func (g *gameServer) play(q *gamev1.PlayMoveRequest) (*gamev1.PlayMoveResponse, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case q.GetExpectedVersion() != g.game.GetVersion():
		return nil, serverError(codes.Aborted, "VERSION_MISMATCH", "the game has moved on")
	case q.GetNotation() == "bad":
		return nil, serverError(codes.FailedPrecondition, "CELL_TAKEN", "bad holds a disc already")
	case q.GetNotation() == "nonsense":
		return nil, serverError(codes.InvalidArgument, "INVALID_NOTATION", "nonsense is no move")
	case q.GetNotation() == "fatal":
		return nil, status.Error(codes.Internal, "sorry")
	case q.GetNotation() == "late":
		g.replace()
		return nil, serverError(codes.PermissionDenied, "NOT_YOUR_SEAT", "you have no seat in this game")
	}
	event := g.move(q.GetNotation())
	played := &gamev1.PlayMoveResponse{Event: event, Game: proto.CloneOf(g.game)}
	g.letRobotsMove()
	return played, nil
}

// move plays a move for the side to move.
func (g *gameServer) move(notation string) *gamev1.Event {
	side := g.game.GetTurn().GetSide()
	played := &gamev1.MovePlayed{Side: side, Notation: notation, Move: &rulesv1.Move{}, Score: g.game.GetScore()}
	if notation == "pass" {
		played.Move.Kind = &rulesv1.Move_PassTurn_{PassTurn: &rulesv1.Move_PassTurn{}}
	}
	event := g.append(&gamev1.Event{Kind: &gamev1.Event_MovePlayed{MovePlayed: played}})
	g.turn(3 - side)
	g.game.Turn.MustPass = notation == "forcing"
	if g.length--; g.length == 0 {
		g.end(&gamev1.Outcome{Draw: true, Ending: gamev1.Ending_ENDING_SCORE})
	}
	return event
}

func (g *gameServer) letRobotsMove() {
	for g.game.GetTurn() != nil && g.game.GetSeats()[g.game.GetTurn().GetSide()-1].GetRobot() != nil && len(g.robots) > 0 {
		g.move(g.robots[0])
		g.robots = g.robots[1:]
	}
}

func (g *gameServer) offer(q *gamev1.OfferRequest) (*gamev1.OfferResponse, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.game.Offers = append(g.game.Offers, &gamev1.Offer{Side: q.GetSide(), Kind: q.GetKind()})
	g.append(&gamev1.Event{Kind: &gamev1.Event_OfferMade{OfferMade: &gamev1.OfferMade{Side: q.GetSide(), Kind: q.GetKind()}}})
	return &gamev1.OfferResponse{Game: proto.CloneOf(g.game)}, nil
}

func (g *gameServer) decline(q *gamev1.DeclineOfferRequest) (*gamev1.DeclineOfferResponse, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	declined := &gamev1.OfferDeclined{Side: q.GetSide(), Kind: q.GetKind()}
	g.append(&gamev1.Event{Kind: &gamev1.Event_OfferDeclined{OfferDeclined: declined}})
	return &gamev1.DeclineOfferResponse{Game: proto.CloneOf(g.game)}, nil
}

func (g *gameServer) resign(q *gamev1.ResignRequest) (*gamev1.ResignResponse, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.end(&gamev1.Outcome{Winner: 3 - q.GetSide(), Ending: gamev1.Ending_ENDING_RESIGNATION})
	return &gamev1.ResignResponse{Game: proto.CloneOf(g.game)}, nil
}

func (g *gameServer) end(outcome *gamev1.Outcome) {
	g.game.State, g.game.Outcome, g.game.Turn = gamev1.GameState_GAME_STATE_FINISHED, outcome, nil
	g.append(&gamev1.Event{Kind: &gamev1.Event_Finished{Finished: &gamev1.GameFinished{Outcome: outcome, Score: g.game.GetScore()}}})
}

func (g *gameServer) watch(q *gamev1.WatchGameRequest, s grpc.ServerStreamingServer[gamev1.WatchGameResponse]) error {
	for sent := q.GetAfterVersion(); ; {
		g.mu.Lock()
		log, changed, over := g.log, g.changed, g.game.GetOutcome() != nil
		g.mu.Unlock()
		for _, event := range log[sent:] {
			if g.cut > 0 && sent-q.GetAfterVersion() == int32(g.cut) {
				return status.Error(codes.Unavailable, "cut")
			}
			sent++
			if err := s.Send(&gamev1.WatchGameResponse{Version: sent, Message: &gamev1.WatchGameResponse_Event{Event: event}}); err != nil {
				return err
			}
		}
		if over {
			end := &gamev1.End{Reason: gamev1.EndReason_END_REASON_GAME_OVER}
			return s.Send(&gamev1.WatchGameResponse{Version: sent, Message: &gamev1.WatchGameResponse_End{End: end}})
		}
		select {
		case <-changed:
		case <-s.Context().Done():
			return s.Context().Err()
		}
	}
}
