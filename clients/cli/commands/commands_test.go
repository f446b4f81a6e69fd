package commands

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// The golden files show the output of each command in each format.
func TestOutput(t *testing.T) {
	t.Parallel()
	for name, commands := range map[string][]string{
		"create":   {"game create hex"},
		"list":     {"game list", "game list --all"},
		"show":     {"game show 01hex", "game show 01trios", "game show 01done", "game show 01timed", "game show 01away"},
		"join":     {"game join 01hex"},
		"move":     {"game move 01hex -1,2"},
		"legal":    {"game legal 01hex"},
		"resign":   {"game resign 01done"},
		"claim":    {"game claim 01away"},
		"offer":    {"game offer 01hex draw", "game decline 01hex draw"},
		"abort":    {"game abort 01trios"},
		"fork":     {"game fork 01hex"},
		"robot":    {"game robot 01hex hard"},
		"board":    {"game board 01hex"},
		"watch":    {"game watch 01hex", "game watch 01hex --after 0"},
		"turns":    {"turns"},
		"strategy": {"strategy list", "strategy choose greedy x", "strategy analyze alphabeta x"},
		"player":   {"player new", "player show", "player rotate-key"},
		"webhook":  {"webhook set https://hooks.example/flipside", "webhook show", "webhook delete"},
		"context":  {"context show", "context show --reveal", "context list"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFake(t)
			f.answerAll()
			var text strings.Builder
			for _, command := range commands {
				for _, format := range []string{"", " -o json", " -o jsonl"} {
					text.WriteString(f.transcript(strings.Fields(command + format)...))
				}
			}
			golden(t, name, text.String())
		})
	}
}

// The arguments on the left send the request on the right.
func TestRequests(t *testing.T) {
	t.Parallel()
	grid := filepath.Join(t.TempDir(), "grid")
	if err := os.WriteFile(grid, []byte("1 1\nC\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args string
		want string // JSON, without the request id
	}{
		{"game create hex",
			`{"setup":{"reversi":{"hexagon":{}}},"seats":[{"caller":{}},{"open":{}}]}`},
		{"game create hex open me 3",
			`{"setup":{"reversi":{"hexagon":{"rings":3}}},"seats":[{"open":{}},{"caller":{}}]}`},
		{"game create hex human easy",
			`{"setup":{"reversi":{"hexagon":{}}},"seats":[{"caller":{}},{"robot":{"strategy":{"level":"LEVEL_EASY"}}}]}`},
		{"game create hex player:01b expert --visibility private --pass-rule forced --min-flips 2 --auto-pass --empties-to-winner",
			`{"setup":{"reversi":{"hexagon":{},"passRule":"PASS_RULE_FORCED","minFlips":2,"autoPass":true,"emptiesToWinner":true}},
			"seats":[{"player":{"playerId":"01b"}},{"robot":{"strategy":{"level":"LEVEL_EXPERT"}}}],"visibility":"VISIBILITY_PRIVATE"}`},
		{"game create hex --empties-to-winner=false",
			`{"setup":{"reversi":{"hexagon":{},"emptiesToWinner":false}},"seats":[{"caller":{}},{"open":{}}]}`},
		{"game create square greedy alphabeta 6 --mirrored --depth 3 --time 200ms --seed -5 --provider club",
			`{"setup":{"reversi":{"square":{"side":6,"start":"START_MIRRORED"}}},"seats":[
			{"robot":{"strategy":{"greedy":{}},"seed":"-5","provider":"club"}},
			{"robot":{"strategy":{"alphaBeta":{"maxDepth":3,"maxTime":"0.200s"}},"seed":"-5","provider":"club"}}]}`},
		{`game create square easy --provider club --options {"style":"bold"}`,
			`{"setup":{"reversi":{"square":{}}},"seats":[
			{"robot":{"strategy":{"level":"LEVEL_EASY"},"provider":"club","options":{"style":"bold"}}},{"open":{}}]}`},
		{`game robot 01hex hard --provider club --options {"style":"calm"}`,
			`{"gameId":"01hex","strategy":{"level":"LEVEL_HARD"},"provider":"club","options":{"style":"calm"}}`},
		{"game create square --start-from reversi/square:4",
			`{"setup":{"reversi":{"square":{},"startFrom":"reversi/square:4"}},"seats":[{"caller":{}},{"open":{}}]}`},
		{"game create trios strategy1 engine reverse same --nodes 9 --threads 2 --count-own-cards --shuffle-seed -7 --grid " + grid,
			`{"setup":{"threeTrios":{"grid":"1 1\nC\n","rules":["RULE_REVERSE","RULE_SAME"],
			"countOwnCards":true,"shuffleSeed":"-7"}},"seats":[{"robot":{"strategy":{"corners":{}}}},
			{"robot":{"strategy":{"engine":{"maxNodes":"9","threads":2}}}}]}`},
		{"game create trios me easy reverse fallen-ace same plus",
			`{"setup":{"threeTrios":{"rules":["RULE_REVERSE","RULE_FALLEN_ACE","RULE_SAME","RULE_PLUS"]}},
			"seats":[{"caller":{}},{"robot":{"strategy":{"level":"LEVEL_EASY"}}}]}`},
		{`game create hex me {"minimax":{"assumed":{"greedy":{}}}}`, `{"setup":{"reversi":{"hexagon":{}}},"seats":[{"caller":{}},{"robot":{"strategy":{"minimax":{"assumed":{"greedy":{}}}}}}]}`},
		{"game list --state active --kind trios --player me --page-size 5 --page-token t",
			`{"state":"GAME_STATE_ACTIVE","kind":"GAME_KIND_THREE_TRIOS","playerId":"me","pageSize":5,"pageToken":"t"}`},
		{"game join 01hex --side White",
			`{"gameId":"01hex","side":"SIDE_SECOND"}`},
		{"game move 01hex -1,2",
			`{"gameId":"01hex","notation":"-1,2"}`},
		{"game move 01hex --expected-version 4 -1,2 -o json",
			`{"gameId":"01hex","notation":"-1,2","expectedVersion":4}`},
		{"-o json game move -- 01hex -1,2",
			`{"gameId":"01hex","notation":"-1,2"}`},
		{"game legal 01hex --side first --card k1",
			`{"gameId":"01hex","side":"SIDE_FIRST","card":"k1","pageSize":1000}`},
		{"game resign 01hex --side blue",
			`{"gameId":"01hex","side":"SIDE_SECOND"}`},
		{"game offer 01hex rematch --side white",
			`{"gameId":"01hex","kind":"OFFER_KIND_REMATCH","side":"SIDE_SECOND"}`},
		{"game decline 01hex takeback",
			`{"gameId":"01hex","kind":"OFFER_KIND_TAKEBACK"}`},
		{"game create hex --clock 30s/move",
			`{"setup":{"reversi":{"hexagon":{}}},"seats":[{"caller":{}},{"open":{}}],"timeControl":{"perMove":"30s"}}`},
		{"game create hex --clock 5m+3s --claim-after 2d --absent draw",
			`{"setup":{"reversi":{"hexagon":{}}},"seats":[{"caller":{}},{"open":{}}],
			"timeControl":{"fischer":{"initial":"300s","increment":"3s"},"claimAfter":"172800s","onAbsence":{"draw":{}}}}`},
		{"game create square me alphabeta --clock 3d/move --absent engine --time 1s --seed 4",
			`{"setup":{"reversi":{"square":{}}},"seats":[{"caller":{}},{"robot":{"strategy":{"alphaBeta":{"maxTime":"1s"}},"seed":"4"}}],
			"timeControl":{"days":3,"onAbsence":{"robot":{"strategy":{"engine":{"maxTime":"1s"}},"seed":"4"}}}}`},
		{"game create trios --claim-after 90s --absent strategy1",
			`{"setup":{"threeTrios":{}},"seats":[{"caller":{}},{"open":{}}],
			"timeControl":{"claimAfter":"90s","onAbsence":{"robot":{"strategy":{"corners":{}}}}}}`},
		{"game fork 01hex --clock 10m",
			`{"gameId":"01hex","seats":[{"caller":{}},{"open":{}}],"timeControl":{"fischer":{"initial":"600s","increment":"0s"}}}`},
		{"webhook set https://a.example --new-secret", `{"url":"https://a.example","newSecret":true}`},
		{"game claim 01away", `{"gameId":"01away"}`},
		{"game abort 01hex",
			`{"gameId":"01hex"}`},
		{"game fork 01hex --version 0",
			`{"gameId":"01hex","version":0,"seats":[{"caller":{}},{"open":{}}]}`},
		{"game fork 01hex strategy4 me",
			`{"gameId":"01hex","seats":[{"robot":{"strategy":{"smallestReply":{}}}},{"caller":{}}]}`},
		{"game robot 01hex alphabeta --depth 5 --side second --seed 3",
			`{"gameId":"01hex","side":"SIDE_SECOND","strategy":{"alphaBeta":{"maxDepth":5}},"seed":"3"}`},
		{"game board 01hex --selected -1,2 --version 2 --labels --hints --format svg --theme dark",
			`{"gameId":"01hex","selected":"-1,2","version":2,"labels":true,"hints":true,"format":"FORMAT_SVG","theme":"THEME_DARK"}`},
		{"game board 01trios --card bell --format png", `{"gameId":"01trios","card":"bell","format":"FORMAT_PNG"}`},
		{"game watch 01hex", `{"gameId":"01hex"}`},
		{"game watch 01hex --after 0", `{"gameId":"01hex","afterVersion":0}`},
		{"player new --name Ada", `{"displayName":"Ada"}`},
		{"strategy choose hard reversi/hex:2 ___ - 0 --seed 4",
			`{"position":{"notation":"reversi/hex:2 ___ - 0"},"strategy":{"level":"LEVEL_HARD"},"seed":"4"}`},
		{"strategy choose greedy --game 01hex",
			`{"position":{"notation":"reversi/hex:2 __X/_XX_/_O_X_/_XO_/___ O 0"},"strategy":{"greedy":{}}}`},
		{"strategy analyze engine reversi/hex:2 ___ - 0 --time 2s --lines 3",
			`{"position":{"notation":"reversi/hex:2 ___ - 0"},"strategy":{"engine":{"maxTime":"2s"}},"multiPv":3}`},
	} {
		t.Run(test.args, func(t *testing.T) {
			t.Parallel()
			f := newFake(t)
			f.answerAll()
			if got := f.run(strings.Fields(test.args)...); got.code != 0 {
				t.Fatalf("exit %d: %s", got.code, got.err)
			}
			got := withoutID(t, f.calls[len(f.calls)-1].request)
			want := fromJSON(got.ProtoReflect().New().Interface(), test.want)
			if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
				t.Errorf("request (-want +got):\n%s", diff)
			}
		})
	}
}

// withoutID removes the request id of a request, if it has one, and checks that it is a UUID.
func withoutID(t *testing.T, request proto.Message) proto.Message {
	t.Helper()
	m := request.ProtoReflect()
	field := m.Descriptor().Fields().ByName("request_id")
	if field == nil {
		return request
	}
	if id := m.Get(field).String(); uuid.Validate(id) != nil {
		t.Errorf("request id %q is not a UUID", id)
	}
	m.Clear(field)
	return request
}

// A usage error is one line that names what is allowed. The command makes no call.
func TestUsageErrors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ args, want string }{
		{"frob", `unknown command "frob"`},
		{"gmae", "game"},
		{"game frob", `unknown command "frob"`},
		{"game move 01hex", "flipside game move ID MOVE"},
		{"game move 01hex a b", "flipside game move ID MOVE"},
		{"turns now", "flipside turns"},
		{"game list --frob", "unknown flag: --frob"},
		{"-o xml version", "use text, json or jsonl"},
		{"game create hex --mirrored", "unknown flag: --mirrored"},
		{"game create hex me easy 0", "use a whole number from 1"},
		{"game create hex --pass-rule never", "use voluntary or forced"},
		{"game create hex you", `unknown player "you": use me, human, open, player:ID, easy`},
		{"game create hex player:", "use me, human, open, player:ID"},
		{"game create hex strategy1", `unknown player "strategy1"`},
		{"game create trios greedy", "strategy1, strategy2, strategy3, strategy4"},
		{"game create hex me {frob}", "not the JSON of a strategy"},
		{"game create hex me easy --depth 3", "--depth is for alphabeta and engine"},
		{"game create hex me alphabeta --nodes 3", "--nodes is for engine"},
		{"game create hex me open --seed 3", "--seed is for robots"},
		{"play hex human human --provider club", "--provider is for robots"},
		{"game create hex me easy --options {}", "--options is for a provider: name it with --provider"},
		{"game robot 01hex hard --options {}", "--options is for a provider: name it with --provider"},
		{"arena easy hard --second-options {}", "--second-options is for a provider: name it with --second-provider"},
		{"arena easy hard --rule same", "--rule is for --on trios"},
		{"arena easy hard --on square --grid grid.txt", "--grid is for --on trios"},
		{"arena easy hard --on square --deck deck.txt", "--deck is for --on trios"},
		{"arena easy hard --count-own-cards", "--count-own-cards is for --on trios"},
		{"arena easy hard --shuffle-seed 3", "--shuffle-seed is for --on trios"},
		{"arena easy hard --on trios --size 4", "--size is for --on hex and --on square: a file for --grid sets the size of a grid"},
		{"game create trios me open frob", `unknown rule "frob"`},
		{"game robot 01hex hard --options bold", `--options: not a JSON object`},
		{"game robot 01hex frob", `unknown strategy "frob": use easy`},
		{"game resign 01hex --side green", "use first, second, black, white, red or blue"},
		{"strategy choose hard", "either a notation after the strategy, or --game"},
		{"strategy choose hard reversi/hex:2 --game 01hex", "either a notation after the strategy, or --game"},
		{"provide", "use flipside provide [flags] -- COMMAND [ARG...] (see"},
		{"play frob", `unknown command "frob"`},
		{"play hex easy easy 3 4", "flipside play hex [p1 [p2 [rings]]]"},
		{"play hex 3", `unknown player "3": the size of a board follows both players (see`},
		{"game create square 6", `unknown player "6": the size of a board follows both players (see`},
		{"play trios human 3", `unknown player "3": use human, `},
		{"play hex frob", `unknown player "frob": use human, human=NAME, easy, medium, hard, expert, skill, greedy, alphabeta or engine`},
		{"play hex skill:21", `unknown skill "skill:21": use skill:1 to skill:20`},
		{"play hex human skill 3", `unknown skill "skill": use skill:1 to skill:20`},
		{"play hex human strategy1", `unknown player "strategy1": use human`},
		{"play hex human Easy", `unknown player "Easy"`},
		{"play hex human me", `unknown player "me"`},
		{"play hex human easy five", `"five" is not a number of rings: use a whole number from 1`},
		{"play hex human easy 0", `"0" is not a number of rings`},
		{"play hex human easy -3", `"-3" is not a number of rings`},
		{"play square human easy 8.5", `"8.5" is not a length of a side`},
		{"game create hex --clock soon", "use 30s/move, 3d/move, 5m or 5m+3s"},
		{"game create hex --clock -5m", "use 30s/move, 3d/move, 5m or 5m+3s"},
		{"game create hex --clock 30s+1s/move", "use 30s/move, 3d/move, 5m or 5m+3s"},
		{"game create hex --clock 5m+", "use 30s/move, 3d/move, 5m or 5m+3s"},
		{"game create hex --claim-after 0d", "use a duration such as 90s, 10m or 3d"},
		{"game create hex --absent draw", "--absent is for games with --clock or --claim-after"},
		{"game create hex --clock 5m --absent frob", `--absent "frob": use forfeit, draw, easy,`},
		{"play hex human human 3 --clock 5m --absent strategy1", `--absent "strategy1": use forfeit, draw, easy,`},
		{"play trios", "name the players of Red and Blue"},
		{"play trios human", "name the players of Red and Blue"},
		{"play trios human greedy", "strategy1, strategy2, strategy3, strategy4"},
		{"play trios human human frob", `unknown rule "frob": use default, reverse, fallen-ace, same or plus`},
		{"play trios human human same frob", `unknown rule "frob"`},
		{"play trios human human reverse fallen-ace same plus frob", `unknown rule "frob"`},
		{"play trios human human default reverse", "default and reverse contradict each other"},
		{"play trios human human reverse default", "default and reverse contradict each other"},
		{"play trios human human reverse ''", "default and reverse contradict each other"},
		{"--address games.example game list", `"games.example" is not an address of a Game service: use host:port`},
		{"--strategy-address http://127.0.0.1:8080 strategy list", "is not an address of a Strategy service: use host:port"},
		{"context use nowhere", `there is no context "nowhere"`},
		{"context set ''", "the name of a context is empty: give one, such as club"},
		{"context set club --address games.example", `"games.example" is not an address of a Game service: use host:port`},
		{"context set club --strategy-address games.example", `"games.example" is not an address of a Strategy service: use host:port`},
		{"--address '' game list", `invalid argument "" for "--address" flag: it is empty: give a value or leave out the flag`},
		{"--strategy-address '' strategy list", `"--strategy-address" flag: it is empty`},
		{"--key '' player show", `"--key" flag: it is empty`},
		{"--context '' player show", `"--context" flag: it is empty`},
		{"--ca '' player show", `"--ca" flag: it is empty`},
		{"--client-cert '' player show", `"--client-cert" flag: it is empty`},
		{"--client-key '' player show", `"--client-key" flag: it is empty`},
		{"game list --page-size ten", `invalid argument "ten" for "--page-size" flag: use a whole number of at most 2147483647`},
		{"game list --page-size 9999999999", "use a whole number of at most 2147483647"},
		{"arena easy hard --seed 1.5", `"--seed" flag: use a whole number`},
		{"provide --engines two -- engine", `"--engines" flag: use a whole number`},
		{"botcheck --deadline 5 127.0.0.1:7000", `"--deadline" flag: use a time such as 200ms, 10s or 2m`},
		{"game list --all=maybe", `"--all" flag: use true or false`},
		{"game list --tls=maybe", `"--tls" flag: use true or false`},
		{"play --join ''", `"--join" flag: it is empty`},
		{"strategy choose hard --game ''", `"--game" flag: it is empty`},
		{"game create hex --clock 5m --absent ''", `"--absent" flag: it is empty`},
		{"game create hex easy --provider ''", `"--provider" flag: it is empty`},
		{"game list --player ''", `"--player" flag: it is empty`},
		{"game board 01hex --selected ''", `"--selected" flag: it is empty`},
		{"game legal 01trios --card ''", `"--card" flag: it is empty`},
		{"help frob", `unknown command "frob" for "flipside": use analyze, arena, `},
		{"help game frob", `unknown command "frob" for "flipside game": use abort, `},
		{"help game list frob", `unknown command "frob": "flipside game list" has no subcommands`},
		{"help completion bahs", `did you mean bash? (see: flipside completion --help)`},
		{"arena easy hard --sprt 0,Inf", `--sprt "0,Inf": use two numbers such as 0,10`},
		{"arena easy hard --sprt NaN,10", `--sprt "NaN,10": use two numbers such as 0,10`},
		{"arena easy hard --sprt ''", `"--sprt" flag: it is empty`},
		{"provide --listen '' -- engine", `"--listen" flag: it is empty`},
		{"completion bahs", `unknown command "bahs" for "flipside completion": did you mean bash?`},
		{"context delete nowhere", `there is no context "nowhere"`},
		{"--context nowhere player show", `there is no context "nowhere"`},
	} {
		t.Run(test.args, func(t *testing.T) {
			t.Parallel()
			f := newFake(t)
			f.answerAll()
			args := strings.Fields(test.args)
			for i := range args {
				args[i] = strings.Trim(args[i], "'")
			}
			got := f.run(args...)
			if got.code != exitUsage || !strings.Contains(got.err, test.want) || strings.Count(got.err, "\n") != 1 {
				t.Errorf("exit %d, %q; want exit 2 and one line with %q", got.code, got.err, test.want)
			}
			if got.out != "" || len(f.methods()) > 0 {
				t.Errorf("printed %q and called %q", got.out, f.methods())
			}
		})
	}
}

// A PNG would garble the terminal.
func TestAPNGIsNotForATerminal(t *testing.T) {
	t.Parallel()
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no pseudo terminal: %v", err)
	}
	defer terminal.Close()
	f := newFake(t)
	f.answerAll()
	var stderr bytes.Buffer
	p := newProgram(Streams{In: strings.NewReader(""), Out: terminal, Err: &stderr}, f.getenv)
	code := p.run(t.Context(), []string{"game", "board", "01hex", "--format", "png"})
	if want := "flipside: a PNG is not text for a terminal: write it to a file with > board.png"; code != exitUsage ||
		!strings.HasPrefix(stderr.String(), want) {
		t.Errorf("exit %d, %q, want %q", code, stderr.String(), want)
	}
}

// A script can retry a command with its own request id.
func TestRequestIDFlag(t *testing.T) {
	t.Parallel()
	for _, command := range []string{
		"game create hex", "game join 01hex", "game move 01hex d3", "game resign 01hex", "game offer 01hex draw", "game decline 01hex draw", "game claim 01away", "game abort 01hex", "game fork 01hex",
		"game robot 01hex hard",
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			f := newFake(t)
			f.answerAll()
			id := uuid.NewString()
			f.run(append(strings.Fields(command), "--request-id", id)...)
			m := f.calls[0].request.ProtoReflect()
			if got := m.Get(m.Descriptor().Fields().ByName("request_id")).String(); got != id {
				t.Errorf("sent %q, want %q", got, id)
			}
		})
	}
}

func TestNegativeArgumentsAreNotFlags(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ args, want string }{
		{"game move 01hex d3 -o json", "game move 01hex d3 -o json"},
		{"game move 01hex -1,2", "game move 01hex -- -1,2"},
		{"game move 01hex -1,2 -o json", "game move 01hex -o json -- -1,2"},
		{"game move --expected-version 3 01hex -1,2", "game move --expected-version 3 01hex -- -1,2"},
		{"game move 01hex --expected-version=3 -1,2", "game move 01hex --expected-version=3 -- -1,2"},
		{"game move 01hex -- -1,2", "game move 01hex -- -1,2"},
		{"game board 01hex --selected -1,2 --labels", "game board 01hex --selected -1,2 --labels"},
		{"game board 01hex --labels -1,2", "game board 01hex --labels -- -1,2"},
		{"game create hex --seed -5", "game create hex --seed -5"},
	} {
		got := strings.Join(negativesLast((&program{}).root(), strings.Fields(test.args)), " ")
		if got != test.want {
			t.Errorf("%s became %s, want %s", test.args, got, test.want)
		}
	}
}

func TestHelpListsEveryCommand(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	for args, commands := range map[string][]string{
		"--help": {"play", "game", "turns", "strategy", "player", "context", "doctor", "completion", "version"},
		"game":   {"create", "list", "show", "join", "move", "legal", "offer", "decline", "resign", "claim", "abort", "fork", "robot", "board", "watch"},
		"play":   {"hex", "square", "trios"},
	} {
		got := f.run(args)
		for _, command := range commands {
			if got.code != 0 || !strings.Contains(got.out, "\n  "+command+" ") {
				t.Errorf("%s --help does not list %s:\n%s", args, command, got.out)
			}
		}
	}
}

// The API takes "" for a default, which an empty file or value does not mean.
func TestEmptyValuesAreRejected(t *testing.T) {
	t.Parallel()
	empty := filepath.Join(t.TempDir(), "empty.txt")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"game create trios", "play trios easy easy", "arena easy hard --on trios"} {
		for _, flag := range []string{"grid", "deck"} {
			for _, test := range []struct{ value, want string }{
				{empty, "flipside: --" + flag + ": the file " + empty + " is empty: it must contain a " + flag},
				{empty + "x", "flipside: --" + flag + ": open " + empty + "x: no such file or directory"},
				{"", `invalid argument "" for "--` + flag + `" flag: it is empty`},
			} {
				f := newFake(t)
				f.answerAll()
				got := f.run(append(strings.Fields(command), "--"+flag, test.value)...)
				if got.code == 0 || !strings.Contains(got.err, test.want) || len(f.methods()) > 0 {
					t.Errorf("%s --%s %q: exit code %d, %q after calls %q", command, flag, test.value, got.code, got.err, f.methods())
				}
			}
		}
	}
	for _, command := range []string{
		"game create hex --start-from", "game create square --start-from", "arena easy hard --start-from", "game move 01hex d3 --request-id",
	} {
		f := newFake(t)
		f.answerAll()
		if got := f.run(append(strings.Fields(command), "")...); got.code != exitUsage || len(f.methods()) > 0 {
			t.Errorf("%s '': exit code %d, %q", command, got.code, got.err)
		}
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	if got := f.run("version"); !strings.HasPrefix(got.out, "flipside ") || got.code != 0 {
		t.Errorf("exit %d, %q", got.code, got.out)
	}
	if got := f.run("version", "-o", "jsonl"); !strings.HasPrefix(got.out, `{"version":"`) {
		t.Errorf("%q", got.out)
	}
}

func TestLegalReadsAllPages(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	on(f, func(q *gamev1.ListLegalMovesRequest) (*gamev1.ListLegalMovesResponse, error) {
		next := map[string]string{"": "b", "b": "c", "c": ""}[q.GetPageToken()]
		move := fmt.Sprintf(`{"moves":[{"notation":"after-%s"}],"nextPageToken":"%s"}`, q.GetPageToken(), next)
		return fromJSON(&gamev1.ListLegalMovesResponse{}, move), nil
	})
	got := f.run("game", "legal", "01hex")
	want := "MOVE     FLIPS  CELLS\nafter-   0\nafter-b  0\nafter-c  0\n"
	if got.out != want || got.err != "" {
		t.Errorf("printed %q and %q", got.out, got.err)
	}
}
