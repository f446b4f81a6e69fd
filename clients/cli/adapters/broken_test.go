package adapters_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/flipside-games/flipside/clients/cli/adapters"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// runBroken runs an engine of both protocols. Its name is its answer to genmove or go. It plays badly
// every second time at most: it marks a file, and an engine that finds the mark plays D3.
func runBroken(name string) int {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		words := strings.Fields(lines.Text())
		switch {
		case words[0] == "ping":
			fmt.Fprintln(os.Stdout, "pong "+words[1])
		case words[0] == "go":
			answerBadly(name, "status thinking\n=== ", "")
		case len(words) > 1 && words[1] == "genmove":
			answerBadly(name, "="+words[0]+" ", "\n")
		case len(words) > 1 && words[1] == "list_commands":
			fmt.Fprintf(os.Stdout, "=%s boardsize\nclear_board\nplay\ngenmove\nloadsgf\n\n", words[0])
		case len(words) > 2 && words[1] == "loadsgf":
			file, err := os.ReadFile(words[2])
			fmt.Fprintf(os.Stderr, "%s%v\n", file, err)
			fmt.Fprintf(os.Stdout, "=%s\n\n", words[0])
		case len(words) > 1 && words[0] != "nboard" && words[0] != "set":
			fmt.Fprintf(os.Stdout, "=%s\n\n", words[0])
		}
	}
	return 0
}

func answerBadly(name, before, after string) {
	mark := os.Args[1]
	if _, err := os.Stat(mark); err == nil {
		fmt.Fprint(os.Stdout, before, "D3\n", after)
		return
	}
	if err := os.WriteFile(mark, nil, 0o600); err != nil {
		panic(err)
	}
	switch name {
	case "silent":
	case "dies":
		os.Exit(3)
	case "endless line":
		for {
			if _, err := os.Stdout.WriteString(strings.Repeat("x", 4096)); err != nil {
				os.Exit(0)
			}
		}
	case "endless lines":
		for {
			if _, err := os.Stdout.WriteString("thinking\n"); err != nil {
				os.Exit(0)
			}
		}
	default:
		fmt.Fprint(os.Stdout, before, name, "\n", after)
	}
}

// A fault of an engine fails the call with a reason. The next call succeeds: an engine that is late or
// broken is started again.
func TestFaultsOfEngines(t *testing.T) {
	t.Parallel()
	_, client := strategies(t)
	for _, test := range []struct {
		protocol adapters.Protocol
		engine   string
		code     codes.Code
		message  string
	}{
		{adapters.GTP, "silent", codes.DeadlineExceeded, `the engine did not answer in time after the command "genmove b": its last line is "=3"`},
		{adapters.GTP, "dies", codes.Internal, `the engine ended (exit status 3) after the command "genmove b"`},
		{adapters.GTP, "endless line", codes.Internal, `the engine sent a line of more than 65536 bytes after the command "genmove b"`},
		{adapters.GTP, "endless lines", codes.Internal, `expected a response that starts with "=4" after the command "genmove b": its last line is "thinking"`},
		{adapters.GTP, "A1", codes.Internal, `the engine answered "=4 A1", which is not a legal move: use d3, c4, f5, e6`},
		{adapters.GTP, "nonsense", codes.Internal, `the engine answered "genmove b" with "nonsense": that is no vertex`},
		{adapters.GTP, "resign", codes.Internal, `the engine resigns in answer to "genmove b": it must move`},
		{adapters.NBoard, "silent", codes.DeadlineExceeded, `the engine did not answer in time before the line "===": its last line is "pong 2"`},
		{adapters.NBoard, "dies", codes.Internal, `the engine ended (exit status 3) before the line "==="`},
		{adapters.NBoard, "endless line", codes.Internal, `the engine sent a line of more than 65536 bytes before the line "==="`},
		{adapters.NBoard, "endless lines", codes.DeadlineExceeded, `its last line is "thinking"`},
		{adapters.NBoard, "A1/0/0", codes.Internal, `the engine answered "=== A1/0/0", which is not a legal move`},
		{adapters.NBoard, "pass", codes.Internal, `the engine answered "=== pass", which is not a legal move`},
	} {
		t.Run(string(test.protocol)+" "+test.engine, func(t *testing.T) {
			t.Parallel()
			listener := listen(t)
			provide(t, listener, adapters.ProviderOptions{
				Protocol: test.protocol, Strategies: client, Depth: 1,
				Command: command(test.engine, t.TempDir()+"/mark"),
			})
			provider := strategyv1.NewStrategyServiceClient(dial(t, listener.Addr().String()))
			_, err := choose(t, provider, usualStart, faultTime(test.code))
			if status.Code(err) != test.code || !strings.Contains(err.Error(), test.message) {
				t.Errorf("the fault is %v\nwant %v: %s", err, test.code, test.message)
			}
			if move, err := choose(t, provider, usualStart, waitTimeout); err != nil || move != "d3" {
				t.Errorf("the next call returns %q, %v: want d3", move, err)
			}
		})
	}
}

// An engine that loads files in the Smart Game Format gets positions whose moves are not known.
func TestAPositionAsSGF(t *testing.T) {
	t.Parallel()
	_, client := strategies(t)
	mark := t.TempDir() + "/mark"
	if err := os.WriteFile(mark, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	listener, log := listen(t), &strings.Builder{}
	stop := provide(t, listener, adapters.ProviderOptions{
		Protocol: adapters.GTP, Strategies: client, Command: command("loads files", mark), Log: log,
	})
	provider := strategyv1.NewStrategyServiceClient(dial(t, listener.Addr().String()))
	position := strings.Replace(usualStart, "____", "X___", 1)
	if move, err := choose(t, provider, position, waitTimeout); err != nil || move != "d3" {
		t.Errorf("the move is %q, %v: want d3", move, err)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	want := "(;GM[2]FF[4]SZ[8]AB[aa][ed][de]AW[dd][ee]PL[B])\n<nil>\n"
	if log.String() != want {
		t.Errorf("the engine reads %q: want %q", log, want)
	}
}

// faultTime is the time for a call: short if the call fails by its end.
func faultTime(code codes.Code) time.Duration {
	if code == codes.DeadlineExceeded {
		return time.Second
	}
	return waitTimeout
}

const usualStart = "reversi/square:8 ________/________/________/___OX___/___XO___/________/________/________ X 0"

// choose requests a move.
func choose(
	t *testing.T, client strategyv1.StrategyServiceClient, notation string, limit time.Duration,
) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	answer, err := client.ChooseMove(ctx, &strategyv1.ChooseMoveRequest{
		Position: &rulesv1.Position{Notation: notation},
		Strategy: &strategyv1.Strategy{Kind: &strategyv1.Strategy_Level{Level: strategyv1.Level_LEVEL_EASY}},
	})
	return answer.GetChosen().GetNotation(), err
}

// An engine that does not start ends the provider with a reason.
func TestAnEngineThatDoesNotStart(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		protocol string
		command  []string
		message  string
	}{
		{"gtp", []string{"/no/such/engine"}, "cannot start the engine: fork/exec /no/such/engine: no such file or directory"},
		{"gtp", []string{"true"}, `the engine does not start: the engine ended (normally) after the command "list_commands": it sent no line`},
		{"gtp", []string{"echo", "hello"}, `expected a response that starts with "=1" after the command "list_commands": its last line is "hello"`},
		{"gtp", []string{"echo", "=1 play genmove\n"}, `the engine has no command boardsize: its commands are "play genmove"`},
		{"nboard", []string{"false"}, `the engine ended (exit status 1) before the line "pong 1"`},
	} {
		args := append([]string{"provide", "--listen", "127.0.0.1:0", "--protocol", test.protocol, "--"}, test.command...)
		if code, _, err := run(t, "", args...); code != 1 || !strings.Contains(err, test.message) {
			t.Errorf("%v: exit code %d: %s\nwant %s", test.command, code, err, test.message)
		}
	}
	for _, flag := range []string{"--engines=0", "--depth=65", "--time=-1s", "--protocol=uci"} {
		if code, _, err := run(t, "", "provide", flag, "--", "true"); code != 2 || !strings.Contains(err, "use") {
			t.Errorf("%s: exit code %d: %s", flag, code, err)
		}
	}
}
