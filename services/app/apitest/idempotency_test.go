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

// change is a call that changes something, and another body for the same request id.
type change struct {
	call, caller string
	on           fixture
	with         string
	other        string
}

// changes are all methods with a request id.
var changes = []change{
	{"CreateGame", ann, nil, `{"setup":` + square8 + `}`, `{"setup":` + hexagon2 + `}`},
	{"JoinGame", bob, game(square8, ann, open), `{}`, `{"side":"SIDE_SECOND"}`},
	{"PlayMove", ann, two, `{"notation":"d3"}`, `{"notation":"c4"}`},
	{"Resign", ann, game(square8, ann, ann), `{"side":"SIDE_FIRST"}`, `{"side":"SIDE_SECOND"}`},
	{"AbortGame", cat, two, `{}`, `{"gameId":"another"}`},
	{"ClaimAbandonment", bob, timed(soonAway, ann, bob).away(), `{}`, `{"gameId":"another"}`},
	{"Offer", ann, two, `{"kind":"OFFER_KIND_DRAW"}`, `{"kind":"OFFER_KIND_TAKEBACK"}`},
	{"DeclineOffer", bob, two.then(ann, "Offer", `{"kind":"OFFER_KIND_DRAW"}`), `{"kind":"OFFER_KIND_DRAW"}`, `{"kind":"OFFER_KIND_TAKEBACK"}`},
	{"ForkGame", eve, two, `{}`, `{"version":1}`},
	{"SetRobot", ann, game(square8, ann, robot), `{"strategy":{"greedy":{}},"provider":"silent"}`, `{"strategy":{"greedy":{}},"provider":"silent","seed":"1"}`},
}

// callWithID makes a call with a request id.
func (s *scene) callWithID(caller, call, id, text string) *answer {
	s.Helper()
	in := s.request(call, text)
	in.ProtoReflect().Set(in.ProtoReflect().Descriptor().Fields().ByName("request_id"), protoreflect.ValueOfString(id))
	return s.via.call(s, s.server, rpcNamed(s, call), s.headers(caller), in)
}

// replayed reports whether an answer repeats an earlier one.
func replayed(m proto.Message) bool {
	return m.ProtoReflect().Get(m.ProtoReflect().Descriptor().Fields().ByName("replayed")).Bool()
}

func TestIdempotency(t *testing.T) {
	t.Parallel()
	overTransports(t, startServer(t, nil), func(_ *testing.T, s *scene) {
		for _, c := range changes {
			s.parallel(c.call, func(_ *testing.T, s *scene) { c.check(s) })
		}
	})
}

func (c change) check(s *scene) {
	id := uuid.NewString()
	if c.on != nil {
		s.game = c.on(s)
	}
	first := s.callWithID(c.caller, c.call, id, c.with)
	ok.check(s.T, first)
	if replayed(first.message) {
		s.Error("the first answer is a replay")
	}
	checkReplay := func(name string, got *answer) {
		s.Helper()
		ok.check(s.T, got)
		if !replayed(got.message) {
			s.Errorf("%s: the answer is not a replay", name)
		}
		checkSameAnswer(s.T, first.message, got.message)
	}
	checkReplay("at once", s.callWithID(c.caller, c.call, id, c.with))
	checkReplay("with an uppercase id", s.callWithID(c.caller, c.call, strings.ToUpper(id), c.with))
	headers := s.headers(c.caller)
	headers["idempotency-key"] = id
	checkReplay("with the id in a header", s.via.call(s, s.server, rpcNamed(s, c.call), headers, s.request(c.call, c.with)))
	c.continueGame(s)
	checkReplay("after further moves", s.callWithID(c.caller, c.call, id, c.with))

	if c.call == "AbortGame" || c.call == "ClaimAbandonment" {
		// The only field of an abort or a claim is the game, so another body has another game.
		aborted := s.game
		s.game = two(s)
		requestIDReused.check(s.T, s.callWithID(c.caller, c.call, id, c.with))
		s.game = aborted
	} else {
		requestIDReused.check(s.T, s.callWithID(c.caller, c.call, id, c.other))
	}
	requestIDReused.check(s.T, s.callWithID(c.caller, "CreateGame", id, `{"setup":`+oneRing+`}`))
	ok.check(s.T, s.callWithID("zed", "CreateGame", id, `{"setup":`+oneRing+`}`))
}

// continueGame changes the game further, if it has not ended.
func (c change) continueGame(s *scene) {
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

// The test sends each change many times at once. The server makes it once, and all calls get the
// same answer.
func TestConcurrentRetries(t *testing.T) {
	t.Parallel()
	overTransports(t, startServer(t, nil), func(_ *testing.T, s *scene) {
		for _, c := range changes {
			s.parallel(c.call, func(t *testing.T, s *scene) {
				if c.on != nil {
					s.game = c.on(s)
				}
				id := uuid.NewString()
				var wait sync.WaitGroup
				answers := make([]*answer, 8)
				for i := range answers {
					wait.Go(func() { answers[i] = s.callWithID(c.caller, c.call, id, c.with) })
				}
				wait.Wait()
				executed := 0
				for _, got := range answers {
					ok.check(t, got)
					checkSameAnswer(t, answers[0].message, got.message)
					if !replayed(got.message) {
						executed++
					}
				}
				if executed != 1 {
					t.Errorf("the change was made %d times", executed)
				}
			})
		}
	})
}

// The server checks the request id before the version and the rules.
func TestRequestIDsAreCheckedFirst(t *testing.T) {
	t.Parallel()
	overTransports(t, startServer(t, nil), func(t *testing.T, s *scene) {
		s.game = two(s)
		id := uuid.NewString()
		const d3 = `{"notation":"d3","expectedVersion":2}`
		first := s.callWithID(ann, "PlayMove", id, d3)
		ok.check(t, first)

		t.Run("a replay ignores the version", func(t *testing.T) {
			checkSameAnswer(t, first.message, s.callWithID(ann, "PlayMove", id, d3).message)
		})
		t.Run("a new id does not", func(t *testing.T) {
			versionMismatch.with("currentVersion", "3").check(t, s.callWithID(ann, "PlayMove", uuid.NewString(), d3))
		})
		t.Run("another body fails before the version and the turn", func(t *testing.T) {
			requestIDReused.with("requestId", id).check(t, s.callWithID(ann, "PlayMove", id, `{"notation":"a1","expectedVersion":2}`))
		})
		t.Run("the same move in another form is another body", func(t *testing.T) {
			requestIDReused.check(t, s.callWithID(ann, "PlayMove", id, `{"move":{"place":{"cell":{"square":{"row":2,"column":3}}}},"expectedVersion":2}`))
		})
		t.Run("a failed call can be repeated with its id", func(t *testing.T) {
			retried := uuid.NewString()
			flipsNothing.check(t, s.callWithID(bob, "PlayMove", retried, `{"notation":"h8"}`))
			ok.check(t, s.callWithID(bob, "PlayMove", retried, `{"notation":"c3"}`))
		})
		t.Run("each user of a service has ids of their own", func(t *testing.T) {
			for _, caller := range []string{serviceForJoe, serviceForZoe} {
				got := s.callWithID(caller, "CreateGame", id, `{"setup":`+square8+`}`)
				ok.check(t, got)
				if replayed(got.message) {
					t.Errorf("%s got the answer to another user", caller)
				}
			}
		})
		t.Run("another id in the header is rejected", func(t *testing.T) {
			headers := s.headers(ann)
			headers["idempotency-key"] = uuid.NewString()
			in := s.request("PlayMove", `{"notation":"d3","requestId":"`+id+`"}`)
			invalidField.at("requestId").check(t, s.via.call(t, s.server, rpcNamed(t, "PlayMove"), headers, in))
		})
		t.Run("a header that is not a UUID is rejected", func(t *testing.T) {
			headers := s.headers(ann)
			headers["idempotency-key"] = "once"
			got := s.via.call(t, s.server, rpcNamed(t, "PlayMove"), headers, s.request("PlayMove", `{"notation":"d3"}`))
			invalidField.at("requestId").check(t, got)
		})
		t.Run("a read ignores the header", func(t *testing.T) {
			headers := s.headers(ann)
			headers["idempotency-key"] = "once"
			ok.check(t, s.via.call(t, s.server, rpcNamed(t, "GetGame"), headers, s.request("GetGame", `{}`)))
		})
	})
}

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
