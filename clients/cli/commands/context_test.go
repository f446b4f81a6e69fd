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

// newUser returns a fake for a user without a key.
func newUser(t *testing.T) *fake {
	t.Helper()
	f := newFake(t)
	f.answerAll()
	delete(f.env, "FLIPSIDE_KEY")
	return f
}

// keys lists the methods that were called, each with its key.
func (f *fake) keys() []string {
	var all []string
	for _, c := range f.calls {
		all = append(all, c.method+" "+c.key)
	}
	return all
}

func TestFirstKeyIsCreatedAndSaved(t *testing.T) {
	t.Parallel()
	f := newUser(t)
	first, second := f.run("player", "show"), f.run("player", "show")
	if want := "No key for SERVER: created the player Ada (01ada) for you; the key is saved in context \"SERVER\" (CONFIG). " +
		"If you have a player there, use its key with --key or FLIPSIDE_KEY instead.\n"; first.err != want {
		t.Errorf("stderr %q, want %q", first.err, want)
	}
	if second.err != "" || first.out != second.out {
		t.Errorf("the second run: stderr %q, stdout %q; the first: stdout %q", second.err, second.out, first.out)
	}
	want := []string{"CreatePlayer ", "GetMe fresh-key", "GetMe fresh-key"}
	if diff := cmp.Diff(want, f.keys()); diff != "" {
		t.Error(diff)
	}
	if info, err := os.Stat(f.config); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(f.config), "*")); len(left) != 1 {
		t.Errorf("temporary files remain: %q", left)
	}
}

// Servers show games only to players. A user who watches without a key learns which player they are
// now, and in every format the stream stays alone on the standard output.
func TestWatchingWithoutAKeyNamesTheNewPlayer(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"game watch 01hex", "game watch 01hex -o json", "game show 01hex", "game list -o jsonl", "turns"} {
		f := newUser(t)
		got := f.run(strings.Fields(command)...)
		if want := "created the player Ada (01ada) for you; the key is saved in context"; !strings.Contains(got.err, want) {
			t.Errorf("%s: stderr %q, want %q", command, got.err, want)
		}
		if strings.Contains(got.out, "created the player") {
			t.Errorf("%s: stdout has the note: %q", command, got.out)
		}
	}
}

func TestNoKeyIsCreatedWithoutNeed(t *testing.T) {
	t.Parallel()
	f := newUser(t)
	for _, args := range []string{"strategy list", "context list", "version", "player new -o json --help", "game move 01hex"} {
		f.run(strings.Fields(args)...)
	}
	if diff := cmp.Diff([]string{"ListStrategies "}, f.keys()); diff != "" {
		t.Error(diff)
	}
}

// A user in a container may have no home directory.
func TestKeyIsUsedIfItCannotBeSaved(t *testing.T) {
	f := newUser(t)
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

func TestConfigFileIsInTheUsersFolder(t *testing.T) {
	f := newUser(t)
	f.env["FLIPSIDE_CLIENT_CONFIG"] = ""
	folder := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", folder)
	f.run("player", "show")
	if _, err := os.Stat(filepath.Join(folder, "flipside", "config.json")); err != nil {
		t.Error(err)
	}
}

func TestKeySources(t *testing.T) {
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
		{"saved key", "", nil, "saved-key"},
		{"file", "", map[string]string{"FLIPSIDE_KEY_FILE": keyFile}, "key-in-file"},
		{"environment", "", map[string]string{"FLIPSIDE_KEY": "env-key", "FLIPSIDE_KEY_FILE": keyFile}, "env-key"},
		{"--context", "--context club", map[string]string{"FLIPSIDE_KEY": "env-key"}, "club-key"},
		{"--key", "--context club --key flag-key", map[string]string{"FLIPSIDE_KEY": "env-key"}, "flag-key"},
		{"not the key of another address", "--context elsewhere --address SERVER", nil, "saved-key"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := newUser(t)
			f.saveConfig(t, settings.Config{Contexts: map[string]settings.Context{
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

// saveConfig writes the config file.
func (f *fake) saveConfig(t *testing.T, c settings.Config) {
	t.Helper()
	if err := settings.UpdateConfig(f.getenv, func(saved *settings.Config) { *saved = c }); err != nil {
		t.Fatal(err)
	}
}

func TestAddressSources(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, args, env, current, want string
	}{
		{"default", "", "", "", settings.DefaultAddress},
		{"current context", "", "", "club", "club:1"},
		{"environment", "", "env:1", "club", "env:1"},
		{"--context", "--context home", "env:1", "club", "home:1"},
		{"--address", "--context home --address flag:1", "env:1", "club", "flag:1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := newUser(t)
			f.env["FLIPSIDE_ADDRESS"] = test.env
			f.saveConfig(t, settings.Config{Current: test.current, Contexts: map[string]settings.Context{
				"club": {Address: "club:1"}, "home": {Address: "home:1"},
			}})
			got := f.run(strings.Fields(test.args + " context show")...)
			if !strings.Contains(got.out, "\ngame      "+test.want+"\n") {
				t.Errorf("want %s:\n%s", test.want, got.out)
			}
		})
	}
}

func TestContexts(t *testing.T) {
	t.Parallel()
	f := newUser(t)
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

func TestAnUnknownContextNamesTheOthers(t *testing.T) {
	t.Parallel()
	f := newUser(t)
	saved := map[string]settings.Context{"club": {}, "home": {}, "work": {}}
	f.saveConfig(t, settings.Config{Contexts: saved})
	want := `there is no context "none": use club, home or work (see`
	if got := f.run("context", "use", "none"); got.code != 2 || !strings.Contains(got.err, want) {
		t.Errorf("exit %d: %s, want %s", got.code, got.err, want)
	}
}

func TestKeysAreSaved(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		has, env string
		args     string
		want     string
	}{
		{"the first key", "", "", "player new", "fresh-key"},
		{"not in place of another key", "old-key", "", "player new", "old-key"},
		{"in place of another key with --save", "old-key", "", "player new --save", "fresh-key"},
		{"not if the environment has a key", "", "env-key", "player new", ""},
		{"a rotated key", "old-key", "", "player rotate-key", "next-key"},
		{"not a rotated key of the environment", "", "env-key", "player rotate-key", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := newUser(t)
			f.env["FLIPSIDE_KEY"] = test.env
			f.saveConfig(t, settings.Config{Contexts: map[string]settings.Context{"home": {Address: f.address, Key: test.has}}})
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

func TestInvalidConfigFile(t *testing.T) {
	t.Parallel()
	f := newUser(t)
	f.saveConfig(t, settings.Config{})
	if err := os.WriteFile(f.config, []byte("current: club\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := f.run("player", "show")
	if got.code != exitOther || !strings.Contains(got.err, "cannot read the config file CONFIG") || !strings.Contains(got.err, "correct or remove it") {
		t.Errorf("exit %d, %q", got.code, got.err)
	}
}

func TestKeyOfAnotherProcessStays(t *testing.T) {
	t.Parallel()
	f := newUser(t)
	on(f, func(*gamev1.CreatePlayerRequest) (*gamev1.CreatePlayerResponse, error) {
		f.saveConfig(t, settings.Config{Contexts: map[string]settings.Context{f.address: {Address: f.address, Key: "faster-key"}}})
		return &gamev1.CreatePlayerResponse{Player: &gamev1.Player{Id: "01late"}, Key: "late-key"}, nil
	})
	got := f.run("player", "show")
	if diff := cmp.Diff([]string{"CreatePlayer ", "GetMe faster-key"}, f.keys()); diff != "" || !strings.Contains(got.err, "another command has just saved a key") {
		t.Errorf("%s%s", diff, got.err)
	}
}

func TestDoctor(t *testing.T) {
	t.Parallel()
	f := newUser(t)
	text := f.transcript("doctor")
	f.saveConfig(t, settings.Config{Contexts: map[string]settings.Context{"home": {Address: f.address, Key: "k"}}})
	text += f.transcript("doctor")
	f.health.SetServingStatus("flipside.strategy.v1.StrategyService", serving)
	f.health.SetServingStatus("flipside.game.v1.GameService", serving)
	text += f.transcript("doctor") + f.transcript("doctor", "-o", "jsonl")
	on(f, func(*gamev1.GetMeRequest) (*gamev1.GetMeResponse, error) {
		return nil, serverError(16, "INVALID_KEY", "no such key")
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
	golden(t, "doctor", strings.ReplaceAll(text, thisBuild("").String(), "flipside VERSION"))
}
