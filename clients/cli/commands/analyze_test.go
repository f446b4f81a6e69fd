package commands

import (
	"path/filepath"
	"strings"
	"testing"

	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// analyzing makes the fake answer the calls of analyze with one analysis: c3 with +4.
func (f *fake) analyzing() {
	on(f, func(q *strategyv1.ListPositionMovesRequest) (*strategyv1.ListPositionMovesResponse, error) {
		return &strategyv1.ListPositionMovesResponse{Position: q.GetPosition()}, nil
	})
	f.analyze = []*strategyv1.AnalyzePositionResponse{fromJSON(&strategyv1.AnalyzePositionResponse{},
		`{"analysis":{"depth":5,"score":4,"exact":true,"nodes":"100","time":"2s","principalVariation":["c3"],"final":true}}`)}
}

// On a terminal a bar shows the progress on the standard error.
func TestAnalyzeShowsProgress(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.analyzing()
	board := strings.Repeat("-", 64)
	file := filepath.Join(t.TempDir(), "problems.obf")
	write(t, file, board+" X; c3:+4;\n"+board+" O; d3:+4;\n"+board+" X; c3:+5;\n"+board+" X;\n")
	got := f.runInteractive("analyze", file)
	want := "   1  c3   +4 exact           100 nodes    2.000s  right\n" +
		"   2  c3   +4 exact           100 nodes    2.000s  wrong: d3 +4\n" +
		"   3  c3   +4 exact           100 nodes    2.000s  wrong: c3 +5\n" +
		"   4  c3   +4 exact           100 nodes    2.000s\n" +
		"1 of 3 right, 4 exact; 400 nodes in 8.000s, 50/s\n"
	if got.code != 0 || got.out != want {
		t.Errorf("exit %d:\n%s\nwant\n%s", got.code, got.out, want)
	}
	bar := "\r\x1b[K[#######.......................] 1 of 4 problems"
	if !strings.Contains(got.err, bar) || !strings.HasSuffix(got.err, "\r\x1b[K") {
		t.Errorf("the progress is %q", got.err)
	}
}

// Games have a second for each position unless a flag sets a limit. Problems have no limit.
func TestAnalyzeLimits(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ flags, file, content, want string }{
		{"", "game.txt", "f5", `{"engine":{"maxTime":"1s"}}`},
		{"--threads 2", "game.txt", "f5", `{"engine":{"maxTime":"1s","threads":2}}`},
		{"--depth 8", "game.txt", "f5", `{"engine":{"maxDepth":8}}`},
		{"", "a.obf", strings.Repeat("-", 64) + " X;", `{"engine":{}}`},
	} {
		f := newFake(t)
		f.analyzing()
		file := filepath.Join(t.TempDir(), test.file)
		write(t, file, test.content)
		got := f.run(append([]string{"analyze", file}, strings.Fields(test.flags)...)...)
		requests := requestsOf[*strategyv1.AnalyzePositionRequest](f)
		if len(requests) == 0 {
			t.Fatalf("no analysis: %s", got.err)
		}
		want := fromJSON(&strategyv1.Strategy{}, test.want)
		if engine := requests[0].GetStrategy(); engine.String() != want.String() {
			t.Errorf("%s of %s: %v, want %v", test.flags, test.file, engine, want)
		}
	}
}
