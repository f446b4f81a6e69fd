package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

const (
	// sessionAttempts lets a game outlast a restart of the server: half a minute for a call,
	sessionAttempts = 12
	// and somewhat more for the stream, which notices later.
	sessionPatience = 20
)

// session is a game that is played line by line. What it shows are the events of the game, in order, whoever
// caused them; what it does is decided by the game as the server has it.
type session struct {
	cast
	p     *program
	games gamev1.GameServiceClient
	out   *series

	game  *gamev1.Game // as last heard of
	seen  int32        // the version up to which events were shown
	asked int32        // the version at which the user was last asked for a move
	over  bool
	hints map[rulesv1.Side]bool // for whom they are on
}

func newSession(p *program, games gamev1.GameServiceClient, game *gamev1.Game, c cast) *session {
	p.attempts = sessionAttempts
	return &session{cast: c, p: p, games: games, out: &series{p: p}, game: game, hints: map[rulesv1.Side]bool{}}
}

// errInputEnded says that there are no more lines, though the game goes on.
var errInputEnded = errors.New("the input ended in mid-game")

// run plays to the end.
func (s *session) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer s.out.close()
	messages, ended := s.follow(ctx)
	lines := readLines(ctx, s.p.In)
	for !s.over {
		awaited := lines
		if !s.waitsForUser() {
			awaited = nil
		} else if err := s.ask(ctx); err != nil {
			return err
		}
		var err error
		select {
		case m := <-messages:
			err = s.hear(ctx, m)
		case line, ok := <-awaited:
			if !ok {
				return errInputEnded
			}
			err = s.act(ctx, line)
		case err = <-ended:
			return err
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// follow starts to watch the game. What it hands over are events from the first on, and delays.
func (s *session) follow(ctx context.Context) (<-chan *gamev1.WatchGameResponse, <-chan error) {
	messages, ended := make(chan *gamev1.WatchGameResponse), make(chan error, 1)
	watch := &gameWatch{games: s.games, id: s.game.GetId(), after: new(int32), patience: sessionPatience}
	go func() {
		ended <- watch.run(ctx, s.p, func(m *gamev1.WatchGameResponse) error {
			if m.GetEvent() == nil && m.GetRobotDelayed() == nil {
				return nil
			}
			select {
			case messages <- m:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	}()
	return messages, ended
}

// readLines reads lines as they are wanted, and closes the channel at the end of the input.
func readLines(ctx context.Context, in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for scanner := bufio.NewScanner(in); scanner.Scan(); {
			select {
			case lines <- strings.TrimSpace(scanner.Text()):
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}

// waitsForUser tells whether it is the turn of somebody at this terminal who has seen everything that happened.
func (s *session) waitsForUser() bool {
	return s.seen >= s.game.GetVersion() && s.game.GetTurn() != nil && s.human(s.mover())
}

func (s *session) mover() rulesv1.Side { return s.game.GetTurn().GetSide() }

func (s *session) human(side rulesv1.Side) bool {
	for _, seat := range s.game.GetSeats() {
		if seat.GetSide() == side {
			return seat.GetPlayer() != nil
		}
	}
	return false
}

// hear shows what happened and asks the server how things are then.
func (s *session) hear(ctx context.Context, m *gamev1.WatchGameResponse) error {
	if late := m.GetRobotDelayed(); late != nil {
		s.p.note("%s", s.delayed(late))
		return nil
	}
	event := m.GetEvent()
	s.seen = event.GetVersion()
	s.over = event.GetFinished() != nil || event.GetAborted() != nil
	if err := s.show(ctx, event); err != nil || s.over || s.seen < s.game.GetVersion() {
		return err
	}
	return s.refresh(ctx)
}

func (s *session) refresh(ctx context.Context) error {
	got, err := s.games.GetGame(ctx, &gamev1.GetGameRequest{GameId: s.game.GetId()})
	if err == nil {
		s.game = got.GetGame()
	}
	return err
}

// show prints an event and, where it changed the board, the board.
func (s *session) show(ctx context.Context, event *gamev1.Event) error {
	if s.p.flags.output != textFormat {
		return s.out.item(event, "")
	}
	text, board := s.event(event)+"\n", true
	switch {
	case event.GetCreated() != nil:
		text = s.heading()
	case event.GetStarted() != nil:
		return nil
	default:
		board = event.GetMovePlayed().GetMove() != nil && event.GetMovePlayed().GetMove().GetPassTurn() == nil
	}
	if board {
		picture, err := boardOf(ctx, s.games, event.GetGameId(), event.GetVersion())
		if err != nil {
			return err
		}
		text += "\n" + picture + "\n"
	}
	return s.out.item(event, text)
}

func (s *session) heading() string {
	text := fmt.Sprintf("Game %s, %s.", s.game.GetId(), setupName(s.game.GetSetup()))
	for _, seat := range s.game.GetSeats() {
		who := "a human"
		if seat.GetRobot() != nil {
			who = holder(seat)
		}
		text += fmt.Sprintf(" %s is %s.", s.side(seat.GetSide()), who)
	}
	return text + "\n"
}

// ask tells the user that it is his turn, once.
func (s *session) ask(ctx context.Context) error {
	if s.asked != s.seen {
		s.asked = s.seen
		if s.game.GetTurn().GetMustPass() {
			s.p.note("%s has no placement and can only pass.", s.side(s.mover()))
		}
		if clock := s.clock(s.game); clock != "" {
			s.p.note("%s", clock)
		}
		if err := s.showHints(ctx, s.mover()); err != nil {
			return err
		}
	}
	if s.p.interactive {
		fmt.Fprintf(s.p.Err, "%s to move> ", s.side(s.mover()))
	}
	return nil
}

// leave tells where a game stands that the user leaves before its end.
func (s *session) leave(err error) error {
	if errors.Is(err, errInputEnded) {
		return fmt.Errorf("%w; %s in game %s: go on with `flipside game move %s MOVE`",
			err, s.turn(s.game), s.game.GetId(), s.game.GetId())
	}
	s.p.note("Game %s goes on without you; see it with: flipside game show %s", s.game.GetId(), s.game.GetId())
	return err
}
