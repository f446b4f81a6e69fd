package app

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// fullDisk is a writer that always fails.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestFailedWritesToStdoutAreErrors(t *testing.T) {
	t.Parallel()
	a, _ := startDaemon(t, All, testSettings(t))
	commands := []string{
		"--help", "--version", "version", "config", "game --help", "help migrate", "completion bash",
		"migrate --data " + filepath.Join(t.TempDir(), "new.db"), "healthcheck --metrics-addr " + a.Addrs["metrics"],
	}
	for _, command := range commands {
		var out, stderr bytes.Buffer
		if code := Main(t.Context(), "1.0.0", strings.Fields(command), &out, &stderr); code != 0 || out.Len() == 0 {
			t.Fatalf("%s: exit code %d, stdout %q, stderr %q", command, code, &out, &stderr)
		}
		code := Main(t.Context(), "1.0.0", strings.Fields(command), fullDisk{}, &stderr)
		const want = "flipsided: cannot write to the standard output: no space left on device\n"
		if code != 1 || stderr.String() != want {
			t.Errorf("%s: exit code %d, stderr %q", command, code, &stderr)
		}
	}
}

// A daemon serves without its log. The exit code shows the loss.
func TestALogThatCannotBeWrittenIsAnError(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithTimeout(t.Context(), time.Second)
	defer stop()
	args := []string{"strategy", "--strategy-addr", "127.0.0.1:0", "--metrics-addr", ""}
	var stderr bytes.Buffer
	code := Main(ctx, "", args, fullDisk{}, &stderr)
	const want = "flipsided: cannot write the log: no space left on device\n"
	if code != 1 || stderr.String() != want || ctx.Err() == nil {
		t.Errorf("exit code %d, stderr %q, context %v", code, &stderr, ctx.Err())
	}
}

func TestMisspelledCommandsHaveSuggestions(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if code := Main(t.Context(), "", []string{"gaem"}, &out, &out); code != 1 || !strings.Contains(out.String(), "\tgame\n") {
		t.Errorf("exit code %d: %s", code, &out)
	}
}

// An unknown command after help is the same error as without help.
func TestHelpForUnknownCommands(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"foo", "gaem", "config foo"} {
		var want, got bytes.Buffer
		Main(t.Context(), "", strings.Fields(command), &want, &want)
		code := Main(t.Context(), "", strings.Fields("help "+command), &got, &got)
		if code != 1 || got.String() != want.String() {
			t.Errorf("help %s: exit code %d: %s, want %s", command, code, &got, &want)
		}
	}
}

// A flag whose value cannot be read states what is allowed.
func TestInvalidValuesOfFlags(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"--heartbeat-interval 5": `--heartbeat-interval: invalid value "5": use a time such as 500ms, 10s or 2h`,
		"--call-rate many":       `--call-rate: invalid value "many": use a number such as 0.5 or 100`,
		"--call-rate Inf":        "--call-rate: +Inf is not a finite number: use a number such as 0.5 or 100",
		"--player-rate=-inf":     "--player-rate: -Inf is not a finite number: use a number such as 0.5 or 100",
		"--wrong-key-rate NaN":   "--wrong-key-rate: NaN is not a finite number: use a number such as 0.5 or 100",
		"--max-streams 1.5":      `--max-streams: invalid value "1.5": use a whole number`,
		"--count-outages=maybe":  `--count-outages: invalid value "maybe": use true or false`,
		"--tls-cert a.pem":       "--tls-cert and --tls-key belong together: set both",
		"--tls-client-key a.pem": "--tls-client-cert and --tls-client-key belong together: set both",
	} {
		var out bytes.Buffer
		if code := Main(t.Context(), "", strings.Fields(args), &out, &out); code != 1 || out.String() != "flipsided: "+want+"\n" {
			t.Errorf("%s: exit code %d: %s", args, code, &out)
		}
	}
}

func TestOpenAPIAndMetricsShowTheVersion(t *testing.T) {
	t.Parallel()
	s := testSettings(t)
	s.Version = "9.8.7"
	a, log := startDaemon(t, All, s)
	page := func(url string) []byte {
		resp, err := http.DefaultTransport.RoundTrip(request(t, url))
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	var document struct{ Info struct{ Version string } }
	if err := json.Unmarshal(page("http://"+a.Addrs["http"]+"/openapi.json"), &document); err != nil || document.Info.Version != s.Version {
		t.Errorf("OpenAPI has version %q, %v", document.Info.Version, err)
	}
	if metrics := page("http://" + a.Addrs["metrics"] + "/metrics"); !bytes.Contains(metrics, []byte(`version="9.8.7"`)) {
		t.Error("no metric has the version")
	}
	if !strings.Contains(log.String(), "version=9.8.7") {
		t.Errorf("the log has no version: %s", log)
	}
}
