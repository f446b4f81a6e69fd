package apitest

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc/codes"

	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	"github.com/flipside-games/flipside/services/internal/golden"
)

// apiCase is one call and what is to come back from it, over gRPC and over REST alike.
type apiCase struct {
	name string
	who  string
	call string
	// on is the game that the call is about; nil for none.
	on table
	// with is the request as JSON, but for the id of the game.
	with string
	want want
}

// suite is cases that take place on one kind of server.
type suite struct {
	name string
	// start starts the server with settings that are changed.
	start func(*testing.T, changeSettings) *server
	cases []apiCase
	// files is whether what the cases answer is kept in testdata, in a folder named like the suite.
	files bool
	// alone is whether the cases are about what each process counts for itself.
	alone bool
}

// suites are the whole list.
func suites() []suite {
	usual := startServer
	return []suite{
		{"answers", usual, answers, true, false},
		{"refusals", usual, refusals, false, false},
		{"order of checks", usual, orderOfChecks, false, false},
		{"setups", usual, setups, false, false},
		{"clocks", usual, clocked, false, false},
		{"few calls", startFewCalls, fewCalls, false, true},
		{"few streams", startFewStreams, fewStreams, false, true},
		{"few players", startFewPlayers, fewPlayers, false, true},
		{"without a store", startWithoutStore, withoutStore, false, false},
		{"contended", startContended, contended, false, false},
	}
}

// TestMain lets more cases run at a time than there are processors, since each waits for the disk most of the time.
func TestMain(m *testing.M) {
	flag.Parse()
	if f := flag.Lookup("test.parallel"); f.Value.String() == f.DefValue {
		_ = f.Value.Set("8")
	}
	os.Exit(m.Run())
}

func TestAPI(t *testing.T) {
	t.Parallel()
	for store, use := range map[string]func(*testing.T) changeSettings{
		"SQLite": sqlite, "PostgreSQL": postgres, "many processes": manyProcesses,
	} {
		for _, suite := range suites() {
			if suite.alone && store == "many processes" {
				continue
			}
			t.Run(suite.name+" on "+store, func(t *testing.T) {
				t.Parallel()
				var said texts
				for _, via := range transports {
					t.Run(via.name(), func(t *testing.T) { suite.run(t, via, use(t), &said) })
				}
				said.check(t, strings.ReplaceAll(suite.name, " ", "-")+".txt")
			})
		}
	}
}

// run runs the cases over one transport, side by side.
func (su suite) run(t *testing.T, via transport, change changeSettings, said *texts) {
	server := su.start(t, change)
	t.Run("cases", func(t *testing.T) {
		for i, c := range su.cases {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				s := &scene{T: t, server: server, via: via}
				if c.on != nil {
					s.game = c.on(s)
				}
				got := s.call(c.who, c.call, c.with)
				c.want.part = s.named(c.want.part)
				c.want.check(t, got)
				if c.want.code == codes.OK {
					su.checkAnswer(s, c, got)
				} else if via == (overGRPC{}) {
					said.add(i, fmt.Sprintf("%s: %s %s\n\t%s\n", c.name, c.call, c.want.reason, s.anonymous(got.status.Message())))
				}
			})
		}
	})
}

// checkAnswer holds an answer to its shape, and to what it was before.
func (su suite) checkAnswer(s *scene, c apiCase, got *answer) {
	s.Helper()
	if got.json != nil {
		checkShape(s.T, got.json, got.message.ProtoReflect().Descriptor())
	}
	if su.files {
		golden.Check(s, su.name+"/"+strings.ReplaceAll(c.name, " ", "-")+".txt", s.document(got))
	}
}

// texts are the messages of refusals, for people to read them.
type texts struct {
	mu    sync.Mutex
	lines map[int]string
}

func (x *texts) add(i int, line string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.lines == nil {
		x.lines = map[int]string{}
	}
	x.lines[i] = line
}

// check compares them with a file, if all cases were run that are in it.
func (x *texts) check(t *testing.T, name string) {
	t.Helper()
	if len(x.lines) == 0 || flag.Lookup("test.run").Value.String() != "" {
		return
	}
	var all strings.Builder
	for _, i := range slices.Sorted(maps.Keys(x.lines)) {
		all.WriteString(x.lines[i])
	}
	golden.Check(t, name, []byte(all.String()))
}

// onlyREST are the reasons that no gRPC caller can meet, and why.
var onlyREST = map[string]string{
	"UNKNOWN_FIELD":          "gRPC has neither JSON nor a query",
	"UNKNOWN_PATH":           "gRPC has no paths",
	"METHOD_NOT_ALLOWED":     "gRPC has no HTTP methods",
	"UNSUPPORTED_MEDIA_TYPE": "gRPC has one media type",
	"STRATEGY_UNAVAILABLE":   "a gRPC caller calls Strategy himself, and what is away says nothing",
}

// TestEveryReasonHasACase fails for a reason that no case gets, over either transport.
func TestEveryReasonHasACase(t *testing.T) {
	t.Parallel()
	everywhere, rest := map[string]bool{}, map[string]bool{}
	for _, suite := range suites() {
		for _, c := range suite.cases {
			everywhere[c.want.reason] = true
		}
	}
	for _, c := range restCases {
		rest[c.want.reason] = true
	}
	for _, c := range gatewayAlone {
		rest[c.want.reason] = true
	}
	for name := range rulesv1.ErrorReason_value {
		reason := strings.TrimPrefix(name, "ERROR_REASON_")
		why, only := onlyREST[reason]
		switch {
		case reason == "UNSPECIFIED" || everywhere[reason]:
		case !only:
			t.Errorf("no case gets %s", reason)
		case !rest[reason]:
			t.Errorf("no REST case gets %s (%s)", reason, why)
		}
	}
}

// TestEveryCallHasAnAnswer fails for a call that no case makes with success.
func TestEveryCallHasAnAnswer(t *testing.T) {
	t.Parallel()
	for _, r := range rpcs() {
		if !slices.ContainsFunc(answers, func(c apiCase) bool { return c.call == string(r.Name()) && c.want.code == codes.OK }) {
			t.Errorf("no case has an answer to %s", r.Name())
		}
	}
}
