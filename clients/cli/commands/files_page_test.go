package commands

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flipside-games/flipside/clients/records"
	daemon "github.com/flipside-games/flipside/services/app"
)

// fileUser runs commands against a server in a folder of their own.
type fileUser struct {
	t   *testing.T
	env map[string]string
}

// newFileUser starts a server until the test ends.
func newFileUser(t *testing.T) *fileUser {
	t.Helper()
	settings := daemon.DefaultSettings()
	const free = "127.0.0.1:0"
	settings.HTTPAddr, settings.GameAddr, settings.StrategyAddr, settings.MetricsAddr = free, free, free, ""
	settings.Data = filepath.Join(t.TempDir(), "flipside.db")
	running, err := daemon.Start(context.Background(), daemon.All, settings, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { running.Close() })
	return &fileUser{t: t, env: map[string]string{
		"FLIPSIDE_ADDRESS": running.Addrs["game"], "FLIPSIDE_STRATEGY_ADDRESS": running.Addrs["strategy"],
		"FLIPSIDE_CLIENT_CONFIG": filepath.Join(t.TempDir(), "config.json"),
	}}
}

// run runs a command and returns its output, with "! " before each line of the standard error.
func (u *fileUser) run(args ...string) string {
	var out, err bytes.Buffer
	Run(u.t.Context(), "", args, Streams{In: strings.NewReader(""), Out: &out, Err: &err},
		func(name string) string { return u.env[name] })
	for line := range strings.Lines(err.String()) {
		if !strings.HasPrefix(line, "No key for ") {
			out.WriteString("! " + line)
		}
	}
	return out.String()
}

var (
	pageBlock = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```\n")
	gameID    = regexp.MustCompile(`\b01[0-9a-z]{24}\b`)
	nodes     = regexp.MustCompile(`[0-9]+ nodes`)
	seconds   = regexp.MustCompile(`[0-9.]+s\b`)
	speed     = regexp.MustCompile(`[0-9]+/s`)
	blanks    = regexp.MustCompile(` +`)
)

// The commands of docs/files.md print the output on the page. ID is the latest imported game.
func TestFilesPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "files.md"))
	if err != nil {
		t.Fatal(err)
	}
	u := newFileUser(t)
	t.Chdir(t.TempDir())
	write(t, "wrong.txt", "f5d6c3\nf5d6d8\n")
	got, id, ran := "", "", false
	for _, block := range pageBlock.FindAllStringSubmatch(string(page), -1) {
		switch language, content := block[1], block[2]; language {
		case "txt":
			write(t, "game.txt", content)
		case "obf":
			write(t, "problems.obf", content)
		case "sh":
			got, ran = "", true
			for line := range strings.Lines(content) {
				line, file, redirected := strings.Cut(strings.TrimSpace(line), " > ")
				output := u.run(strings.Fields(strings.ReplaceAll(line, "ID", id))[1:]...)
				if redirected {
					write(t, file, output)
					continue
				}
				if found := gameID.FindString(output); found != "" {
					id = found
				}
				got += output
			}
		case "":
			if !ran {
				continue // an example without a run
			}
			ran = false
			if diff := cmp.Diff(blanks.ReplaceAllString(content, " "), mask(got)); diff != "" {
				t.Errorf("-docs/files.md +output:\n%s\n%s", diff, got)
			}
		}
	}
	for _, file := range []string{"game.svg", "game.json"} {
		if content, err := os.ReadFile(file); err != nil || len(content) < 100 {
			t.Errorf("%s: %q, %v", file, content, err)
		}
	}
}

// mask replaces ids and measurements, and runs of blanks.
func mask(text string) string {
	text = gameID.ReplaceAllString(text, "ID")
	text = nodes.ReplaceAllString(text, "N nodes")
	text = speed.ReplaceAllString(text, "N/s")
	return blanks.ReplaceAllString(seconds.ReplaceAllString(text, "T"), " ")
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Games of every kind and format go to the server and come back equal.
func TestImportedGamesComeBackEqual(t *testing.T) {
	t.Parallel()
	u := newFileUser(t)
	folder := filepath.Join("..", "..", "records", "testdata")
	for _, name := range []string{"games.txt", "games.ggf", "ffo.obf", "games.jsonl"} {
		file := filepath.Join(folder, name)
		imported := u.run("import", file, "-o", "jsonl")
		for want := range readRecords(t, imported) {
			for got := range readRecords(t, u.run("export", want.ID)) {
				if got.Start != want.Start || moves(got) != moves(want) {
					t.Errorf("%s: %s with %s\nis %s with %s", file, want.Start, moves(want), got.Start, moves(got))
				}
				if ending(want) != "" && ending(got) != ending(want) {
					t.Errorf("%s: %s ends with %q, want %q", file, moves(want), ending(got), ending(want))
				}
			}
		}
	}
}

// A WTHOR database has no passes; the replay inserts them. The names come from two other files.
func TestDatabaseAsTranscripts(t *testing.T) {
	t.Parallel()
	u := newFileUser(t)
	folder := filepath.Join("..", "..", "records", "testdata")
	database, players := filepath.Join(folder, "games.wtb"), filepath.Join(folder, "WTHOR.JOU")
	games, err := os.ReadFile(filepath.Join(folder, "games.txt"))
	if err != nil {
		t.Fatal(err)
	}
	got := u.run("export", database, "--format", "transcript")
	if !strings.HasPrefix(string(games), got) || strings.Count(got, "\n") != 2 {
		t.Errorf("the games are\n%s\nwant the first two of\n%s", got, games)
	}
	ggf := u.run("export", database, players, filepath.Join(folder, "WTHOR.TRN"), "--format", "ggf")
	if strings.Count(ggf, "PB[Ann A.]PW[André B.]") != 2 {
		t.Errorf("names are missing in %s", ggf)
	}
}

// readRecords reads JSON records.
func readRecords(t *testing.T, text string) func(func(*records.Record) bool) {
	t.Helper()
	return func(yield func(*records.Record) bool) {
		count := 0
		for r, err := range records.Read("records.jsonl", []byte(text), nil) {
			if err != nil {
				t.Fatalf("%v in %s", err, text)
			}
			if count++; !yield(r) {
				return
			}
		}
		if count == 0 {
			t.Errorf("no records in %q", text)
		}
	}
}

func moves(r *records.Record) string {
	var text []string
	for _, m := range r.Moves {
		text = append(text, m.Side.String()+":"+m.Notation)
	}
	return strings.Join(text, " ")
}

// ending describes how a game ended and who won; "" if the record does not name it.
func ending(r *records.Record) string {
	if r.Result == nil {
		return ""
	}
	return r.Result.Ending.String() + " " + r.Result.Winner.String()
}

// Files that cannot be read or replayed are errors with exit code 1.
func TestRejectedFiles(t *testing.T) {
	t.Parallel()
	u := newFileUser(t)
	folder := t.TempDir()
	for _, test := range []struct{ args, content, want string }{
		{"import FILE", "f5d6\nx", `line 2, column 1: "x" is not a move: use a cell from a1 to h8, or a pass: pass, pa, ps, -- or @@`},
		{"analyze FILE", "f5f5", "line 1, column 3: f5 is not legal: f5 already has a disc [CELL_TAKEN]"},
		{"export FILE", "f5--", "line 1, column 3: pass is not legal: White must place a disc: a pass is legal only without a placement [MUST_PLACE]"},
		{"export FILE", "(;GM[Othello]BO[4 ---- -O*- -*O- ---- *]W[d3];)", "line 1, column 43: second moves, but it is the turn of first"},
		{"export FILE --format ggf", `{"flipsideRecord":1,"setup":{},"start":"reversi/hex:2 ___/_XO_/_O_X_/_XO_/___ X 0"}`,
			"line 1, column 1: the format ggf takes only games of Reversi on squares: use the format json"},
		{"import FILE", "# nothing\n", "the file has no games"},
		{"import FILE", `{"flipsideRecord":1,"setup":{},"start":"chess"}`, "line 1, column 1: the start is not legal: "},
	} {
		file := filepath.Join(folder, "game")
		write(t, file, test.content)
		got := u.run(strings.Fields(strings.Replace(test.args, "FILE", file, 1))...)
		if !strings.HasPrefix(got, "! flipside: "+file+": "+test.want) {
			t.Errorf("%s of %q:\n got %s\nwant %s", test.args, test.content, got, test.want)
		}
	}
}

// A name with a dot or a slash is that of a file: the command does not ask the server for a game.
func TestMissingFiles(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"import", "export", "analyze"} {
		for _, name := range []string{"none.ggf", "folder/none"} {
			f := newFake(t)
			got := f.run(command, name)
			want := "flipside: open " + name + ": no such file or directory\n"
			if got.code != 1 || got.err != want || len(f.calls) > 0 {
				t.Errorf("%s %s: exit %d, %s", command, name, got.code, got.err)
			}
		}
	}
}
