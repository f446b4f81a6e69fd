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

// apiCase is a call with the expected result, over gRPC and over REST.
type apiCase struct {
	name   string
	caller string
	call   string  // the method
	on     fixture // the game of the call; nil for none
	with   string  // the request as JSON, without the id of the game
	want   want
}

// suite is a list of cases for one kind of server.
type suite struct {
	name       string
	start      func(*testing.T, changeSettings) *server
	cases      []apiCase
	golden     bool // compare the answers with files in testdata, in a folder with the name of the suite
	perProcess bool // each process counts on its own, so the cases do not hold for a cluster
}

// suites returns all suites.
func suites() []suite {
	plain := startServer
	return []suite{
		{"answers", plain, answers, true, false},
		{"errors", plain, failures, false, false},
		{"order of checks", plain, orderOfChecks, false, false},
		{"setups", plain, setupCases, false, false},
		{"clocks", plain, clockCases, false, false},
		{"call rate limit", startWithCallRate, callRateLimited, false, true},
		{"address call rate limit", startWithAddressCallRate, addressCallRateLimited, false, true},
		{"address stream limit", startWithMaxAddressStreams, addressStreamLimited, false, true},
		{"stream limit", startWithMaxStreams, streamLimited, false, true},
		{"invitation limit", startWithMaxInvitations, invitationLimited, false, false},
		{"player rate limit", startWithPlayerRate, playerRateLimited, false, true},
		{"wrong key rate limit", startWithWrongKeyRate, wrongKeyRateLimited, false, true},
		{"issuer unavailable", startWithoutIssuer, issuerFailures, false, false},
		{"store unavailable", startWithoutStore, storeFailures, false, false},
		{"store contended", startContended, contended, false, false},
	}
}

// TestMain runs more cases in parallel than there are cores, since the cases mostly wait for the
// disk.
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
		"SQLite": sqlite, "PostgreSQL": postgres, "cluster": cluster,
	} {
		for _, suite := range suites() {
			if suite.perProcess && store == "cluster" {
				continue
			}
			t.Run(suite.name+" on "+store, func(t *testing.T) {
				t.Parallel()
				var texts errorTexts
				for _, via := range transports {
					t.Run(via.name(), func(t *testing.T) { suite.run(t, via, use(t), &texts) })
				}
				texts.check(t, strings.ReplaceAll(suite.name, " ", "-")+".txt")
			})
		}
	}
}

// run runs the cases over one transport, in parallel.
func (su suite) run(t *testing.T, via transport, change changeSettings, texts *errorTexts) {
	server := su.start(t, change)
	t.Run("cases", func(t *testing.T) {
		for i, c := range su.cases {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				s := &scene{T: t, server: server, via: via}
				if c.on != nil {
					s.game = c.on(s)
				}
				got := s.call(c.caller, c.call, c.with)
				c.want.part = s.named(c.want.part)
				c.want.check(t, got)
				if c.want.code == codes.OK {
					su.checkAnswer(s, c, got)
				} else if via == (overGRPC{}) {
					texts.add(i, fmt.Sprintf("%s: %s %s\n\t%s\n", c.name, c.call, c.want.reason, s.normalize(got.status.Message())))
				}
			})
		}
	})
}

// checkAnswer checks the JSON of an answer and compares the answer with its golden file.
func (su suite) checkAnswer(s *scene, c apiCase, got *answer) {
	s.Helper()
	if got.json != nil {
		checkShape(s.T, got.json, got.message.ProtoReflect().Descriptor())
	}
	if su.golden {
		golden.Check(s, su.name+"/"+strings.ReplaceAll(c.name, " ", "-")+".txt", s.document(got))
	}
}

// errorTexts are the texts of all errors, for review in a golden file.
type errorTexts struct {
	mu    sync.Mutex
	lines map[int]string
}

func (x *errorTexts) add(i int, line string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.lines == nil {
		x.lines = map[int]string{}
	}
	x.lines[i] = line
}

// check compares the texts with a golden file if all cases ran.
func (x *errorTexts) check(t *testing.T, name string) {
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

// onlyREST maps the reasons that no gRPC call can get to their causes.
var onlyREST = map[string]string{
	"UNKNOWN_FIELD":          "gRPC has neither JSON nor a query",
	"UNKNOWN_PATH":           "gRPC has no paths",
	"METHOD_NOT_ALLOWED":     "gRPC has no HTTP methods",
	"UNSUPPORTED_MEDIA_TYPE": "gRPC has one media type",
	"GAME_UNAVAILABLE":       "a gRPC caller connects to Game directly",
	"STRATEGY_UNAVAILABLE":   "a gRPC caller connects to Strategy directly",
	"DEADLINE_EXCEEDED":      "a gRPC client does not wait for the answer of the server",
}

// elsewhere are the reasons that need more than one call, with the tests that get them.
var elsewhere = map[string]string{
	"TOO_MANY_CONNECTIONS": "TestTooManyConnections",
	"OVERLOADED":           "package faulttest",
	"UNIMPLEMENTED":        "TestUnknownMethods",
	"CANCELLED":            "package gateway: the caller is gone",
	"INTERNAL":             "packages serve and gateway",
}

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
	for _, c := range gatewayCases {
		rest[c.want.reason] = true
	}
	for name := range rulesv1.ErrorReason_value {
		reason := strings.TrimPrefix(name, "ERROR_REASON_")
		why, only := onlyREST[reason]
		switch {
		case reason == "UNSPECIFIED" || everywhere[reason] || elsewhere[reason] != "":
		case !only:
			t.Errorf("no case gets %s", reason)
		case !rest[reason]:
			t.Errorf("no REST case gets %s (%s)", reason, why)
		}
	}
}

func TestEveryCallHasAnAnswer(t *testing.T) {
	t.Parallel()
	for _, r := range rpcs() {
		if !slices.ContainsFunc(answers, func(c apiCase) bool { return c.call == string(r.Name()) && c.want.code == codes.OK }) {
			t.Errorf("no successful case calls %s", r.Name())
		}
	}
}
