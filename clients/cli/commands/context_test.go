package commands

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flipside-games/flipside/clients/cli/settings"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// newcomer is a fake for a user who has nothing yet.
func newcomer(t *testing.T) *fake {
	t.Helper()
	f := newFake(t)
	f.sample()
	delete(f.env, "FLIPSIDE_KEY")
	return f
}

// keys lists with which key each method was called.
func (f *fake) keys() []string {
	var all []string
	for _, c := range f.calls {
		all = append(all, c.method+" "+c.key)
	}
	return all
}

func TestKeyIsMadeOnFirstNeedAndSaved(t *testing.T) {
	t.Parallel()
	f := newcomer(t)
	first, second := f.run("player", "show"), f.run("player", "show")
	if want := "You are now Ada (01ada) at SERVER; the key is saved in context \"SERVER\".\n"; first.err != want {
		t.Errorf("told %q, want %q", first.err, want)
	}
	if second.err != "" || first.out != second.out {
		t.Errorf("told %q and printed %q, after %q", second.err, second.out, first.out)
	}
	want := []string{"CreatePlayer ", "GetMe fresh-key", "GetMe fresh-key"}
	if diff := cmp.Diff(want, f.keys()); diff != "" {
		t.Error(diff)
	}
	if info, err := os.Stat(f.config); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(f.config), "*")); len(left) != 1 {
		t.Errorf("left %q", left)
	}
}

func TestNoKeyIsMadeWithoutNeed(t *testing.T) {
	t.Parallel()
	f := newcomer(t)
	for _, args := range []string{"strategy list", "context list", "version", "player new -o json --help", "game move 01hex"} {
		f.run(strings.Fields(args)...)
	}
	if diff := cmp.Diff([]string{"ListStrategies "}, f.keys()); diff != "" {
		t.Error(diff)
	}
}

// As in a container whose user has no home.
func TestKeyThatCannotBeSavedIsUsedAllTheSame(t *testing.T) {
	f := newcomer(t)
	f.env["FLIPSIDE_CLIENT_CONFIG"] = ""
	t.Setenv("HOME", "")
	t.Setenv("XDG_CONFIG_HOME", "")
	got := f.run("player", "show")
	if got.code != 0 || !strings.Contains(got.err, "for this run only: cannot save the key") {
		t.Errorf("exit %d, %q", got.code, got.err)
	}
	if diff := cmp.Diff([]string{"CreatePlayer ", "GetMe fresh-key"}, f.keys()); diff != "" {
		t.Error(diff)
	}
}

func TestConfigurationIsInTheUsersFolder(t *testing.T) {
	f := newcomer(t)
	f.env["FLIPSIDE_CLIENT_CONFIG"] = ""
	folder := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", folder)
	f.run("player", "show")
	if _, err := os.Stat(filepath.Join(folder, "flipside", "config.json")); err != nil {
		t.Error(err)
	}
}

func TestWhichKeyIsSent(t *testing.T) {
	t.Parallel()
	keyFile := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(keyFile, []byte("key-in-file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		args string
		env  map[string]string
		want string
	}{
		{"the saved one", "", nil, "saved-key"},
		{"that of a file", "", map[string]string{"FLIPSIDE_KEY_FILE": keyFile}, "key-in-file"},
		{"that of the environment", "", map[string]string{"FLIPSIDE_KEY": "env-key", "FLIPSIDE_KEY_FILE": keyFile}, "env-key"},
		{"that of a context one asks for", "--context club", map[string]string{"FLIPSIDE_KEY": "env-key"}, "club-key"},
		{"that of a flag", "--context club --key flag-key", map[string]string{"FLIPSIDE_KEY": "env-key"}, "flag-key"},
		{"never that of another address", "--context elsewhere --address SERVER", nil, "saved-key"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := newcomer(t)
			f.saved(t, settings.Config{Contexts: map[string]settings.Context{
				"home":      {Address: f.address, Key: "saved-key"},
				"club":      {Address: "dns:///" + f.address, Key: "club-key"},
				"elsewhere": {Address: "127.0.0.1:1", Key: "secret"},
			}})
			maps.Copy(f.env, test.env)
			args := strings.Fields(strings.ReplaceAll(test.args, "SERVER", f.address) + " player show")
			if got := f.run(args...); got.code != 0 {
				t.Fatalf("exit %d: %s", got.code, got.err)
			}
			if diff := cmp.Diff([]string{"GetMe " + test.want}, f.keys()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// saved puts a configuration in place.
func (f *fake) saved(t *testing.T, c settings.Config) {
	t.Helper()
	if err := settings.UpdateConfig(f.getenv, func(saved *settings.Config) { *saved = c }); err != nil {
		t.Fatal(err)
	}
}

func TestWhichAddressIsCalled(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, args, env, current, want string
	}{
		{"the usual one", "", "", "", settings.DefaultAddress},
		{"that of the current context", "", "", "club", "club:1"},
		{"that of the environment", "", "env:1", "club", "env:1"},
		{"that of a context one asks for", "--context home", "env:1", "club", "home:1"},
		{"that of a flag", "--context home --address flag:1", "env:1", "club", "flag:1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := newcomer(t)
			f.env["FLIPSIDE_ADDRESS"] = test.env
			f.saved(t, settings.Config{Current: test.current, Contexts: map[string]settings.Context{
				"club": {Address: "club:1"}, "home": {Address: "home:1"},
			}})
			got := f.run(strings.Fields(test.args + " context show")...)
			if !strings.Contains(got.out, "\ngame      "+test.want+"\n") {
				t.Errorf("want %s:\n%s", test.want, got.out)
			}
		})
	}
}

// The life of contexts, as a user sees it.
func TestContexts(t *testing.T) {
	t.Parallel()
	f := newcomer(t)
	delete(f.env, "FLIPSIDE_ADDRESS")
	delete(f.env, "FLIPSIDE_STRATEGY_ADDRESS")
	var text strings.Builder
	for _, command := range []string{
		"context show",
		"context set club --address games.example:9090 --key secret",
		"context set local --strategy-address 127.0.0.1:7071",
		"context list",
		"context use club",
		"context show",
		"context list",
		"context list -o jsonl",
		"context set club --strategy-address games.example:9091",
		"context show",
		"context set club --address other.example:9090",
		"context show",
		"--context local context show",
		"context delete club",
		"context list -o json",
	} {
		text.WriteString(f.transcript(strings.Fields(command)...))
	}
	golden(t, "contexts", text.String())
}

// What `player new` and `player rotate-key` save.
func TestKeysAreSaved(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		has, env string
		args     string
		want     string
	}{
		{"the first", "", "", "player new", "fresh-key"},
		{"not in the place of another", "old-key", "", "player new", "old-key"},
		{"in the place of another when told so", "old-key", "", "player new --save", "fresh-key"},
		{"not while the environment says who one is", "", "env-key", "player new", ""},
		{"the new one after a change", "old-key", "", "player rotate-key", "next-key"},
		{"not when the old one was not", "", "env-key", "player rotate-key", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := newcomer(t)
			f.env["FLIPSIDE_KEY"] = test.env
			f.saved(t, settings.Config{Contexts: map[string]settings.Context{"home": {Address: f.address, Key: test.has}}})
			if got := f.run(strings.Fields(test.args)...); got.code != 0 || !strings.Contains(got.out, "-key\n") {
				t.Fatalf("exit %d: %s%s", got.code, got.out, got.err)
			}
			c, err := settings.LoadConfig(f.getenv)
			if err != nil || c.Contexts["home"].Key != test.want {
				t.Errorf("saved %q, %v; want %q", c.Contexts["home"].Key, err, test.want)
			}
		})
	}
}

func TestConfigurationThatDoesNotRead(t *testing.T) {
	t.Parallel()
	f := newcomer(t)
	f.saved(t, settings.Config{})
	if err := os.WriteFile(f.config, []byte("current: club\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := f.run("player", "show")
	if got.code != exitOther || !strings.Contains(got.err, "cannot read the config file CONFIG") || !strings.Contains(got.err, "correct or remove it") {
		t.Errorf("exit %d, %q", got.code, got.err)
	}
}

func TestAnotherRunsKeyStays(t *testing.T) {
	t.Parallel()
	f := newcomer(t)
	on(f, func(*gamev1.CreatePlayerRequest) (*gamev1.CreatePlayerResponse, error) {
		f.saved(t, settings.Config{Contexts: map[string]settings.Context{f.address: {Address: f.address, Key: "faster-key"}}})
		return &gamev1.CreatePlayerResponse{Player: &gamev1.Player{Id: "01late"}, Key: "late-key"}, nil
	})
	got := f.run("player", "show")
	if diff := cmp.Diff([]string{"CreatePlayer ", "GetMe faster-key"}, f.keys()); diff != "" || got.err != "" {
		t.Errorf("%s%s", diff, got.err)
	}
}

func TestDoctor(t *testing.T) {
	t.Parallel()
	f := newcomer(t)
	text := f.transcript("doctor")
	f.saved(t, settings.Config{Contexts: map[string]settings.Context{"home": {Address: f.address, Key: "k"}}})
	text += f.transcript("doctor")
	f.health.SetServingStatus("flipside.strategy.v1.StrategyService", serving)
	f.health.SetServingStatus("flipside.game.v1.GameService", serving)
	text += f.transcript("doctor") + f.transcript("doctor", "-o", "jsonl")
	on(f, func(*gamev1.GetMeRequest) (*gamev1.GetMeResponse, error) {
		return nil, refusal(16, "INVALID_KEY", "no such key")
	})
	f.health.Shutdown()
	f.health.Resume()
	f.health.SetServingStatus("flipside.strategy.v1.StrategyService", notServing)
	text += f.transcript("doctor")
	if err := os.Chmod(f.config, 0o644); err != nil {
		t.Fatal(err)
	}
	f.env["FLIPSIDE_ADDRESS"] = "127.0.0.1:1"
	text += f.transcript("doctor")
	golden(t, "doctor", strings.ReplaceAll(text, thisBuild().String(), "flipside VERSION"))
}
