package conformance

import (
	"context"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	"github.com/flipside-games/flipside/services/app"
)

var (
	clients = flag.String("client", "go",
		"comma-separated clients that run the script: go, python, typescript")
	scaled = flag.Bool("scaled", false,
		"run the script on several processes with PostgreSQL and NATS")
)

func TestMain(m *testing.M) {
	if os.Getenv(serverVariable) == "" {
		os.Exit(m.Run())
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	code := app.Main(ctx, "0.0.0", os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

//go:embed script.json
var source string

// script is the script of all clients.
type script struct {
	Cases []struct {
		Name  string
		REST  bool
		Steps []step
	}
	// Unprovoked explains for each reason of the API that no case provokes why there is none.
	Unprovoked map[string]string
}

// step is one step of a case: see the comment of the package.
type step struct {
	As, Like string
	Key      *string
	Call     string
	Args     json.RawMessage
	Save     map[string]string
	Expect   any
	Reason   string
	Metadata map[string]any

	Open, Next, End string
	Fault           string
}

// text returns the script with the texts that are too long to write down.
func text() string {
	var deck []string
	for i := range 16 {
		deck = append(deck, fmt.Sprintf("card%d 1 2 3 4", i+1))
	}
	long := strings.Repeat("a", 1<<20)
	return strings.NewReplacer("$1MiB", long, "$deck", strings.Join(deck, `\n`)).Replace(source)
}

func read(t *testing.T) script {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text()))
	decoder.DisallowUnknownFields()
	var s script
	if err := decoder.Decode(&s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTheScriptProvokesEveryReasonOrExplains(t *testing.T) {
	t.Parallel()
	s := read(t)
	found := slices.Collect(maps.Keys(s.Unprovoked))
	for _, c := range s.Cases {
		for _, each := range c.Steps {
			if each.Reason != "" && each.Reason != "KEY_REVOKED" { // That is not a reason of the API.
				found = append(found, each.Reason)
			}
		}
	}
	slices.Sort(found)
	var want []string
	for name := range rulesv1.ErrorReason_value {
		if name != "ERROR_REASON_UNSPECIFIED" {
			want = append(want, strings.TrimPrefix(name, "ERROR_REASON_"))
		}
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, slices.Compact(found)); diff != "" {
		t.Errorf("reasons (-API +script):\n%s", diff)
	}
}

func TestClientsFollowTheScript(t *testing.T) {
	t.Parallel()
	for name := range strings.SplitSeq(*clients, ",") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start := startOne
			if *scaled {
				start = startScaled
			}
			s := start(t)
			switch name {
			case "go":
				p := startProxy(t, s.game, true)
				(&runner{t: t, address: p.addr, control: control(t, s, p)}).run(read(t))
			case "python":
				runOther(t, s, filepath.Join("..", "python"), "python", "tests/conformance.py")
			case "typescript":
				runOther(t, s, filepath.Join("..", "typescript"), "npm", "run", "conformance")
			default:
				t.Fatalf("unknown client %q", name)
			}
		})
	}
}

// runOther runs the script with a client in a process of its own.
func runOther(t *testing.T, s *server, folder string, command ...string) {
	t.Helper()
	p := startProxy(t, s.http, false)
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(),
		"FLIPSIDE_URL=http://"+p.addr, "FLIPSIDE_CONTROL="+control(t, s, p))
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Error(err)
	}
}

// control starts the controller and returns its URL: GET /script returns the script, and POST
// /NAME causes the fault with that name.
func control(t *testing.T, s *server, p *proxy) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /script", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, text())
	})
	for name, fault := range map[string]func() error{
		"loseReply": p.loseReply,
		"cut":       p.cut,
		"stall":     p.stallStreams,
		"restart":   func() error { return s.restart(t.Context(), os.Kill) },
		"shutDown":  func() error { return s.restart(t.Context(), syscall.SIGTERM) },
	} {
		mux.HandleFunc("POST /"+name, func(w http.ResponseWriter, _ *http.Request) {
			if err := fault(); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
			}
		})
	}
	controller := httptest.NewServer(mux)
	t.Cleanup(controller.Close)
	return controller.URL
}
