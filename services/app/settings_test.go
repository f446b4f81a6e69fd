package app

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/flipside-games/flipside/services/game/service"
	"github.com/flipside-games/flipside/services/game/shards"
	"github.com/flipside-games/flipside/services/internal/golden"
	"github.com/flipside-games/flipside/services/internal/serve"
)

// load loads settings from arguments and environment variables.
func load(t *testing.T, env map[string]string, args ...string) (Settings, error) {
	t.Helper()
	var s Settings
	flags := pflag.NewFlagSet("flipsided", pflag.ContinueOnError)
	s.AddFlags(flags)
	if err := flags.Parse(args); err != nil {
		t.Fatal(err)
	}
	err := s.Load(flags, func(name string) string { return env[name] })
	return s, err
}

// file writes a file and returns its path.
func file(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestPrecedenceOfFlagsEnvironmentFileAndDefaults(t *testing.T) {
	path := file(t, "http-addr: file:1\ngame-addr: file:2\nstrategy-addr: file:3\nmax-streams: 7\n")
	env := map[string]string{"FLIPSIDE_HTTP_ADDR": "env:1", "FLIPSIDE_GAME_ADDR": "env:2"}
	s, err := load(t, env, "--config", path, "--http-addr", "flag:1")
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(s.HTTPAddr, " ", s.GameAddr, " ", s.StrategyAddr, " ", s.MetricsAddr, " ", s.MaxStreams)
	if want := "flag:1 env:2 file:3 127.0.0.1:9092 7"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestEveryTypeOfSettingLoadsFromEveryOrigin(t *testing.T) {
	path := file(t, "drain-timeout: 3s\nallowed-origin: [https://a.example, https://b.example]\ncall-rate: 2.5\n")
	s, err := load(t, map[string]string{"FLIPSIDE_CONFIG": path, "FLIPSIDE_ROBOT_ATTEMPTS": "5"})
	if err != nil {
		t.Fatal(err)
	}
	if s.DrainTimeout != 3*time.Second || len(s.AllowedOrigins) != 2 || s.CallRate != 2.5 || s.RobotAttempts != 5 {
		t.Errorf("got %+v", s)
	}
}

func TestSecretsLoadFromFilesAndAreHidden(t *testing.T) {
	const key = "a-very-secret-service-key-of-a-product"
	path := file(t, "shop="+key+"\n")
	s, err := load(t, map[string]string{"FLIPSIDE_SERVICE_KEY_FILE": path})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.ServiceKeys) != 1 || s.ServiceKeys[0] != "shop="+key {
		t.Errorf("got %q", s.ServiceKeys)
	}
	var shown bytes.Buffer
	if err := s.write(&shown); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(shown.String(), key) {
		t.Error("`flipsided config` prints the key")
	}
}

func TestErrorsNameTheSettingAndItsOrigin(t *testing.T) {
	unknown := file(t, "http-adr: x\n")
	broken := file(t, "max-streams: many\n")
	tests := []struct {
		name string
		env  map[string]string
		args []string
		want []string
	}{
		{"an unknown key in the file", nil, []string{"--config", unknown}, []string{unknown, "http-adr"}},
		{"a bad value in the file", nil, []string{"--config", broken}, []string{broken, "max-streams"}},
		{"a bad value in the environment", map[string]string{"FLIPSIDE_MAX_STREAMS": "x"}, nil,
			[]string{"FLIPSIDE_MAX_STREAMS: max-streams: invalid value: use a whole number"}},
		{"a time without a unit", map[string]string{"FLIPSIDE_ROBOT_TIME": "5"}, nil,
			[]string{"FLIPSIDE_ROBOT_TIME: robot-time: invalid value: use a time such as 500ms, 10s or 2h"}},
		{"an origin without a scheme", nil, []string{"--allowed-origin", "games.example"},
			[]string{`--allowed-origin: invalid origin "games.example": use one such as https://games.example, or * for all`}},
		{"an origin with a path", nil, []string{"--allowed-origin", "https://Games.example/"},
			[]string{`--allowed-origin: browsers do not send "https://Games.example/": use "https://games.example"`}},
		{"a missing file", nil, []string{"--config", "/no/such/file"}, []string{"/no/such/file"}},
		{"a missing secret file", map[string]string{"FLIPSIDE_SERVICE_KEY_FILE": "/no/such/file"}, nil,
			[]string{"FLIPSIDE_SERVICE_KEY_FILE"}},
		{"a duration of 0", nil, []string{"--robot-lease", "0s"}, []string{"--robot-lease: 0s is too small"}},
		{"a negative duration", nil, []string{"--heartbeat-interval", "-1s"}, []string{"--heartbeat-interval: -1s is too small"}},
		{"a negative duration that may be 0", nil, []string{"--drain-timeout", "-1s"}, []string{"--drain-timeout: -1s is negative"}},
		{"a negative number", nil, []string{"--robot-attempts", "-1"}, []string{"--robot-attempts: -1 is too small"}},
		{"a rate of 0", map[string]string{"FLIPSIDE_CALL_RATE": "0"}, nil, []string{"--call-rate: 0 is too small"}},
		{"a duration above its maximum", nil, []string{"--lag-grace", "11s"}, []string{"--lag-grace: 11s is too long: at most 10s"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := load(t, tt.env, tt.args...)
			for _, want := range tt.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("got %v, want an error with %s", err, want)
				}
			}
		})
	}
}

func TestSomeSettingsMayBeZero(t *testing.T) {
	_, err := load(t, nil, "--lag-grace", "0s", "--drain-timeout", "0s", "--shutdown-delay", "0s",
		"--max-connections", "0", "--max-connection-streams", "0")
	if err != nil {
		t.Error(err)
	}
}

func TestThePasswordOfTheDatabaseIsHidden(t *testing.T) {
	path := file(t, "postgres://flipside:very-secret@db.example/games?sslmode=disable\n")
	s, err := load(t, map[string]string{"FLIPSIDE_DATABASE_URL_FILE": path})
	if err != nil {
		t.Fatal(err)
	}
	if want := "postgres://flipside:very-secret@db.example/games?sslmode=disable"; !slices.Equal(s.databases(), []string{want}) {
		t.Errorf("the databases are %q, want %q", s.databases(), want)
	}
	var shown bytes.Buffer
	if err := s.write(&shown); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(shown.String(), "very-secret") {
		t.Error("`flipsided config` prints the password")
	}
}

func TestSeveralDatabasesLoadFromEveryOrigin(t *testing.T) {
	// Each of the first two databases has two hosts.
	urls := []string{"postgres://a:x@one,two:5433/games", "postgres://a:x@three,four/games", "sqlite:five.db"}
	lines := strings.Join(urls, "\n") + "\n"
	for name, origin := range map[string]struct {
		env  map[string]string
		args []string
	}{
		"flags":           {nil, []string{"--database-url", urls[0], "--database-url", urls[1], "--database-url", urls[2]}},
		"the environment": {map[string]string{"FLIPSIDE_DATABASE_URL": strings.Join(urls, ",")}, nil},
		"a secret file":   {map[string]string{"FLIPSIDE_DATABASE_URL_FILE": file(t, lines)}, nil},
		"a configuration": {nil, []string{"--config", file(t, "database-url:\n- "+strings.Join(urls, "\n- ")+"\n")}},
	} {
		s, err := load(t, origin.env, origin.args...)
		if err != nil || !slices.Equal(s.databases(), urls) {
			t.Errorf("by %s: %q, %v; want %q", name, s.databases(), err, urls)
		}
	}
	many := strings.Repeat("postgres://db.example/games,", shards.MaxShards+1)
	if _, err := load(t, map[string]string{"FLIPSIDE_DATABASE_URL": strings.TrimSuffix(many, ",")}); err == nil {
		t.Errorf("%d databases are accepted", shards.MaxShards+1)
	}
}

func TestOnlyOneStoreMayBeSet(t *testing.T) {
	for name, env := range map[string]map[string]string{
		"by flags":           nil,
		"by the environment": {"FLIPSIDE_DATA": "games.db"},
	} {
		t.Run(name, func(t *testing.T) {
			args := []string{"--database-url", "postgres://db.example/games"}
			if env == nil {
				args = append(args, "--data", "games.db")
			}
			if _, err := load(t, env, args...); err == nil || !strings.Contains(err.Error(), "--data and --database-url") {
				t.Errorf("got %v", err)
			}
		})
	}
	s, err := load(t, nil)
	if err != nil || !slices.Equal(s.databases(), []string{"flipside.db"}) {
		t.Errorf("the default databases are %q, %v", s.databases(), err)
	}
}

// The test generates docs/configuration.md.
func TestTheDocumentationListsEverySetting(t *testing.T) {
	s, err := load(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	var page bytes.Buffer
	fmt.Fprint(&page, "# Settings of flipsided\n\n"+
		"A flag takes precedence over the environment, and the environment over the file that `--config`\n"+
		"(or `FLIPSIDE_CONFIG`) names. The file is YAML; its keys are the flags without the dashes.\n"+
		"`flipsided config` prints the current values.\n\n"+
		"| flag | environment | default | meaning |\n| --- | --- | --- | --- |\n")
	for _, r := range s.table() {
		env := "`" + r.env() + "`"
		if r.secret {
			env += ", `" + r.env() + "_FILE`"
		}
		fmt.Fprintf(&page, "| `--%s` | %s | %s | %s |\n", r.name, env, r.text(), r.help)
	}
	golden.Check(t, "../../../docs/configuration.md", page.Bytes())
}

// The test generates the table of weights in docs/security.md.
func TestTheDocumentationListsEveryWeight(t *testing.T) {
	const page, start, end = "../../docs/security.md", "| call | weight | while it runs |\n", "\n\n"
	content, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(content), start)
	_, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatal("the page has no table of weights")
	}
	table := start + "| --- | --- | --- |\n" + serve.WeightTable() + fmt.Sprintf(
		"| `PreviewGame`, without a key | %d per second and address after a burst of %d | none |\n"+
			"| `CreatePlayer`, without a key | `--player-rate` per minute and address | none |",
		service.PreviewRate, service.PreviewBurst)
	golden.Check(t, "../"+page, []byte(before+table+end+after))
}

// An address has four times the limits of a key, unless its own limits are set.
func TestLimitsOfAddresses(t *testing.T) {
	s := Settings{CallRate: 10, MaxStreams: 5}
	if rate, streams := s.callRates().Address, s.maxAddressStreams(); rate != 40 || streams != 20 {
		t.Errorf("by default %v calls per second and %d streams, want 40 and 20", rate, streams)
	}
	s.AddressCallRate, s.MaxAddressStreams = 7, 3
	if rate, streams := s.callRates().Address, s.maxAddressStreams(); rate != 7 || streams != 3 {
		t.Errorf("%v calls per second and %d streams, want 7 and 3", rate, streams)
	}
}
