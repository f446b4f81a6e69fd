package apitest

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// change is a call that changes something, with what it is about, and another body for the same id.
type change struct {
	call, who string
	on        table
	with      string
	other     string
}

// changes are all calls that take a request id.
var changes = []change{
	{"CreateGame", ann, nil, `{"setup":` + square8 + `}`, `{"setup":` + hexagon2 + `}`},
	{"JoinGame", bob, game(square8, ann, open), `{}`, `{"side":"SIDE_SECOND"}`},
	{"PlayMove", ann, two, `{"notation":"d3"}`, `{"notation":"c4"}`},
	{"Resign", ann, game(square8, ann, ann), `{"side":"SIDE_FIRST"}`, `{"side":"SIDE_SECOND"}`},
	{"AbortGame", cat, two, `{}`, `{"gameId":"another"}`},
	{"ClaimAbandonment", bob, timed(soonAway, ann, bob).away(), `{}`, `{"gameId":"another"}`},
	{"ForkGame", eve, two, `{}`, `{"version":1}`},
	{"SetRobot", ann, game(square8, ann, robot), `{"strategy":{"greedy":{}},"provider":"silent"}`, `{"strategy":{"greedy":{}},"provider":"silent","seed":"1"}`},
}

// once is a call with a request id.
func (s *scene) once(who, call, id, text string) *answer {
	s.Helper()
	in := s.request(call, text)
	in.ProtoReflect().Set(in.ProtoReflect().Descriptor().Fields().ByName("request_id"), protoreflect.ValueOfString(id))
	return s.via.call(s, s.server, rpcNamed(s, call), s.headers(who), in)
}

// replayed reports whether an answer says that it is an earlier one.
func replayed(m proto.Message) bool {
	return m.ProtoReflect().Get(m.ProtoReflect().Descriptor().Fields().ByName("replayed")).Bool()
}

func TestIdempotency(t *testing.T) {
	t.Parallel()
	server := startServer(t, nil)
	for _, via := range transports {
		for _, c := range changes {
			t.Run(via.name()+" "+c.call, func(t *testing.T) {
				t.Parallel()
				c.check(&scene{T: t, server: server, via: via})
			})
		}
	}
}

func (c change) check(s *scene) {
	id := uuid.NewString()
	if c.on != nil {
		s.game = c.on(s)
	}
	first := s.once(c.who, c.call, id, c.with)
	ok.check(s.T, first)
	if replayed(first.message) {
		s.Error("the first answer is one of an earlier call")
	}
	again := func(name string, got *answer) {
		s.Helper()
		ok.check(s.T, got)
		if !replayed(got.message) {
			s.Errorf("%s: it was done again", name)
		}
		sameAnswer(s.T, first.message, got.message)
	}
	again("at once", s.once(c.who, c.call, id, c.with))
	again("in capitals", s.once(c.who, c.call, strings.ToUpper(id), c.with))
	headers := s.headers(c.who)
	headers["idempotency-key"] = id
	again("in a header", s.via.call(s, s.server, rpcNamed(s, c.call), headers, s.request(c.call, c.with)))
	c.goOn(s)
	again("after the game went on", s.once(c.who, c.call, id, c.with))

	if c.call == "AbortGame" || c.call == "ClaimAbandonment" {
		// An abort or a claim is about a game and nothing else, so that another body is about another game.
		aborted := s.game
		s.game = two(s)
		requestIDReused.check(s.T, s.once(c.who, c.call, id, c.with))
		s.game = aborted
	} else {
		requestIDReused.check(s.T, s.once(c.who, c.call, id, c.other))
	}
	requestIDReused.check(s.T, s.once(c.who, "CreateGame", id, `{"setup":`+oneRing+`}`))
	ok.check(s.T, s.once("zed", "CreateGame", id, `{"setup":`+oneRing+`}`))
}

// goOn has more happen in the game that the change was about, if it still goes on.
func (c change) goOn(s *scene) {
	switch c.call {
	case "PlayMove":
		s.must(bob, "PlayMove", `{"notation":"c3"}`)
		s.must(ann, "Resign", `{}`)
	case "JoinGame":
		s.must(ann, "PlayMove", `{"notation":"d3"}`)
	case "SetRobot":
		s.must(ann, "Resign", `{}`)
	}
}

// TestAtTheSameTime sends each change many times at once: it is made once, and all get the same answer.
func TestAtTheSameTime(t *testing.T) {
	t.Parallel()
	server := startServer(t, nil)
	for _, via := range transports {
		for _, c := range changes {
			t.Run(via.name()+" "+c.call, func(t *testing.T) {
				t.Parallel()
				s := &scene{T: t, server: server, via: via}
				if c.on != nil {
					s.game = c.on(s)
				}
				id := uuid.NewString()
				var wait sync.WaitGroup
				answers := make([]*answer, 8)
				for i := range answers {
					wait.Go(func() { answers[i] = s.once(c.who, c.call, id, c.with) })
				}
				wait.Wait()
				made := 0
				for _, got := range answers {
					ok.check(t, got)
					sameAnswer(t, answers[0].message, got.message)
					if !replayed(got.message) {
						made++
					}
				}
				if made != 1 {
					t.Errorf("it was made %d times", made)
				}
			})
		}
	}
}

// TestRequestIDsComeFirst looks at a request id before the version and before the rules.
func TestRequestIDsComeFirst(t *testing.T) {
	t.Parallel()
	server := startServer(t, nil)
	for _, via := range transports {
		t.Run(via.name(), func(t *testing.T) {
			t.Parallel()
			s := &scene{T: t, server: server, via: via}
			s.game = two(s)
			id := uuid.NewString()
			const d3 = `{"notation":"d3","expectedVersion":2}`
			first := s.once(ann, "PlayMove", id, d3)
			ok.check(t, first)

			t.Run("before the version that has passed", func(t *testing.T) {
				sameAnswer(t, first.message, s.once(ann, "PlayMove", id, d3).message)
			})
			t.Run("a new id is held to the version", func(t *testing.T) {
				versionMismatch.with("currentVersion", "3").check(t, s.once(ann, "PlayMove", uuid.NewString(), d3))
			})
			t.Run("another body is refused before the version and the turn", func(t *testing.T) {
				requestIDReused.with("requestId", id).check(t, s.once(ann, "PlayMove", id, `{"notation":"a1","expectedVersion":2}`))
			})
			t.Run("the same move written otherwise is another body", func(t *testing.T) {
				requestIDReused.check(t, s.once(ann, "PlayMove", id, `{"move":{"place":{"cell":{"square":{"row":2,"column":3}}}},"expectedVersion":2}`))
			})
			t.Run("refusals are not remembered", func(t *testing.T) {
				again := uuid.NewString()
				flipsNothing.check(t, s.once(bob, "PlayMove", again, `{"notation":"h8"}`))
				ok.check(t, s.once(bob, "PlayMove", again, `{"notation":"c3"}`))
			})
			t.Run("each user of a service has ids of his own", func(t *testing.T) {
				for _, who := range []string{serviceForJoe, serviceForZoe} {
					got := s.once(who, "CreateGame", id, `{"setup":`+square8+`}`)
					ok.check(t, got)
					if replayed(got.message) {
						t.Errorf("%s got the answer of somebody else", who)
					}
				}
			})
			t.Run("a header that says otherwise is refused", func(t *testing.T) {
				headers := s.headers(ann)
				headers["idempotency-key"] = uuid.NewString()
				in := s.request("PlayMove", `{"notation":"d3","requestId":"`+id+`"}`)
				invalidField.at("requestId").check(t, via.call(t, server, rpcNamed(t, "PlayMove"), headers, in))
			})
			t.Run("a header that is no UUID is refused", func(t *testing.T) {
				headers := s.headers(ann)
				headers["idempotency-key"] = "once"
				got := via.call(t, server, rpcNamed(t, "PlayMove"), headers, s.request("PlayMove", `{"notation":"d3"}`))
				invalidField.at("requestId").check(t, got)
			})
			t.Run("a header on a call that changes nothing means nothing", func(t *testing.T) {
				headers := s.headers(ann)
				headers["idempotency-key"] = "once"
				ok.check(t, via.call(t, server, rpcNamed(t, "GetGame"), headers, s.request("GetGame", `{}`)))
			})
		})
	}
}

// TestEveryChangeIsIdempotent fails for a call with a request id that is not among the changes.
func TestEveryChangeIsIdempotent(t *testing.T) {
	t.Parallel()
	var tested []string
	for _, c := range changes {
		tested = append(tested, c.call)
	}
	for _, r := range rpcs() {
		if r.Input().Fields().ByName("request_id") != nil && !slices.Contains(tested, string(r.Name())) {
			t.Errorf("%s is not tested", r.Name())
		}
	}
}
