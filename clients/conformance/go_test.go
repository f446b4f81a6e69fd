package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	flipside "github.com/flipside-games/flipside/clients/go"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// runner runs the script with the Go client.
type runner struct {
	t                *testing.T
	address, control string
}

func (r *runner) run(s script) {
	for _, c := range s.Cases {
		if c.REST {
			continue
		}
		p := &play{
			runner: r, clients: map[string]*flipside.Client{}, streams: map[string]*stream{},
			saved: map[string]string{},
		}
		for i, each := range c.Steps {
			if err := p.step(each); err != nil {
				r.t.Errorf("%s: step %d: %v", c.Name, i+1, err)
				break
			}
		}
		p.close()
	}
}

// play is the state of one case.
type play struct {
	*runner
	clients map[string]*flipside.Client
	streams map[string]*stream
	saved   map[string]string
}

// stream is an open stream.
type stream struct {
	next func() (any, error, bool)
	stop func()
}

func (p *play) close() {
	for _, s := range p.streams {
		s.stop()
	}
	for _, c := range p.clients {
		_ = c.Close()
	}
}

func (p *play) step(s step) error {
	switch {
	case s.Fault != "":
		return p.fault(s.Fault)
	case s.Next != "":
		m, err, _ := p.streams[s.Next].next()
		return p.check(s, m, err)
	case s.End != "":
		if m, err, more := p.streams[s.End].next(); more {
			return fmt.Errorf("the stream goes on: %v, %w", m, err)
		}
		return nil
	}
	c, err := p.client(s)
	if err != nil {
		return err
	}
	args := p.replace(s.Args)
	if s.Open != "" {
		p.streams[s.Open], err = open(p.t.Context(), c, s.Call, args)
		return err
	}
	answer, err := calls[s.Call](p.t.Context(), c, args)
	if err != nil {
		return p.check(s, nil, err)
	}
	return p.check(s, asJSON(answer), nil)
}

func (p *play) fault(name string) error {
	request, err := http.NewRequestWithContext(p.t.Context(), http.MethodPost, p.control+"/"+name, nil)
	if err != nil {
		return err
	}
	reply, err := new(http.Client).Do(request)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		return fmt.Errorf("the fault failed: %s", reply.Status)
	}
	return nil
}

// client returns the client of a player, who is new in each case.
func (p *play) client(s step) (*flipside.Client, error) {
	if c := p.clients[s.As]; c != nil {
		return c, nil
	}
	c, err := flipside.New(flipside.Options{Address: p.address, StrategyAddress: p.address})
	if err != nil {
		return nil, err
	}
	p.clients[s.As] = c
	switch {
	case s.Key != nil:
		c.SetKey(*s.Key)
	case s.Like != "":
		c.SetKey(p.clients[s.Like].Key())
	default:
		_, err = c.CreatePlayer(p.t.Context(), s.As)
	}
	return c, err
}

// replace replaces the names of saved values by the values.
func (p *play) replace(text []byte) []byte {
	for name, value := range p.saved {
		text = bytes.ReplaceAll(text, []byte(`"$`+name+`"`), []byte(`"`+value+`"`))
	}
	return text
}

// check compares the answer of a call, or a message of a stream, with the step.
func (p *play) check(s step, answer any, err error) error {
	if s.Reason != "" {
		failed, ok := errors.AsType[*flipside.Error](err)
		if !ok || failed.Reason != s.Reason {
			return fmt.Errorf("got %v, %w, want the reason %s", answer, err, s.Reason)
		}
		for name, want := range s.Metadata {
			if failed.Metadata[name] != want {
				return fmt.Errorf("metadata %v, want %v", failed.Metadata, s.Metadata)
			}
		}
		return nil
	}
	if err != nil {
		return err
	}
	for name, field := range s.Save {
		p.saved[name] = fmt.Sprint(answer.(map[string]any)[field])
	}
	text, err := json.Marshal(s.Expect)
	if err != nil {
		return err
	}
	var want any
	if err := json.Unmarshal(p.replace(text), &want); err != nil {
		return err
	}
	if !contains(answer, want) {
		return fmt.Errorf("got %v, want %v", answer, want)
	}
	return nil
}

// contains reports whether an answer has all expected fields and the first elements of all expected
// lists.
func contains(got, want any) bool {
	switch want := want.(type) {
	case nil:
		return true
	case map[string]any:
		fields, ok := got.(map[string]any)
		for name := range want {
			ok = ok && contains(fields[name], want[name])
		}
		return ok
	case []any:
		elements, ok := got.([]any)
		for i := range want {
			ok = ok && i < len(elements) && contains(elements[i], want[i])
		}
		return ok
	default:
		return got == want
	}
}

// caller makes a call with arguments in JSON.
type caller func(ctx context.Context, c *flipside.Client, args []byte) (proto.Message, error)

// calls are the calls of the script.
var calls = map[string]caller{
	"createGame":   unary(gamev1.GameServiceClient.CreateGame),
	"game":         unary(gamev1.GameServiceClient.GetGame),
	"join":         unary(gamev1.GameServiceClient.JoinGame),
	"play":         unary(gamev1.GameServiceClient.PlayMove),
	"legalMoves":   unary(gamev1.GameServiceClient.ListLegalMoves),
	"resign":       unary(gamev1.GameServiceClient.Resign),
	"abort":        unary(gamev1.GameServiceClient.AbortGame),
	"claim":        unary(gamev1.GameServiceClient.ClaimAbandonment),
	"offer":        unary(gamev1.GameServiceClient.Offer),
	"declineOffer": unary(gamev1.GameServiceClient.DeclineOffer),
	"me": func(ctx context.Context, c *flipside.Client, _ []byte) (proto.Message, error) {
		return c.Players.GetMe(ctx, &gamev1.GetMeRequest{})
	},
	"rotateKey": func(ctx context.Context, c *flipside.Client, _ []byte) (proto.Message, error) {
		key, err := c.RotateKey(ctx)
		return &gamev1.RotateKeyResponse{Key: key}, err
	},
}

// unary returns the caller of a method.
func unary[Q, R proto.Message](
	method func(gamev1.GameServiceClient, context.Context, Q, ...grpc.CallOption) (R, error),
) caller {
	return func(ctx context.Context, c *flipside.Client, args []byte) (proto.Message, error) {
		var none Q
		request := none.ProtoReflect().New().Interface().(Q)
		if err := protojson.Unmarshal(args, request); err != nil {
			return nil, err
		}
		return method(c.Games, ctx, request)
	}
}

// open opens a stream. It connects with the first message.
func open(ctx context.Context, c *flipside.Client, name string, args []byte) (*stream, error) {
	switch name {
	case "watch":
		request := &gamev1.WatchGameRequest{}
		err := protojson.Unmarshal(args, request)
		return pull(c.Watch(ctx, request)), err
	case "turns":
		return pull(c.Turns(ctx, &gamev1.WatchTurnsRequest{})), nil
	}
	return nil, fmt.Errorf("unknown stream %q", name)
}

func pull[M proto.Message](messages iter.Seq2[M, error]) *stream {
	next, stop := iter.Pull2(messages)
	return &stream{
		next: func() (any, error, bool) {
			m, err, more := next()
			if err != nil || !more {
				return nil, err, more
			}
			return asJSON(m), nil, true
		},
		stop: stop,
	}
}

// asJSON returns a message as the other clients see it: without the envelope of a game or a player.
func asJSON(m proto.Message) any {
	text, err := protojson.MarshalOptions{EmitDefaultValues: true}.Marshal(m)
	if err != nil {
		panic(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		panic(err)
	}
	for _, name := range []string{"game", "player"} {
		if inner, ok := fields[name]; ok && fields["event"] == nil {
			return inner
		}
	}
	return fields
}
