package commands

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/flipside-games/flipside/clients/cli/settings"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// The exit code is 64 plus the gRPC code. The line has the reason and what to do.
func TestServerErrors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		err  error
		code int
		want string
	}{
		{serverError(codes.InvalidArgument, "OFF_BOARD", "9,9 is off the board"), 67, "flipside: 9,9 is off the board [OFF_BOARD]"},
		{serverError(codes.NotFound, "GAME_NOT_FOUND", "there is no\ngame"), 69, "flipside: there is no game [GAME_NOT_FOUND]"},
		{serverError(codes.AlreadyExists, "REQUEST_ID_REUSED", "used"), 70, "flipside: used [REQUEST_ID_REUSED]"},
		{serverError(codes.PermissionDenied, "NOT_YOUR_SEAT", "not yours"), 71, "flipside: not yours [NOT_YOUR_SEAT]"},
		{serverError(codes.ResourceExhausted, "RATE_LIMITED", "too many"), 72, "flipside: too many [RATE_LIMITED]"},
		{withDelay(serverError(codes.ResourceExhausted, "RATE_LIMITED", "too many calls")), 72,
			"flipside: too many calls [RATE_LIMITED]; try again in 1.5s"},
		{serverError(codes.FailedPrecondition, "CELL_TAKEN", "taken"), 73, "flipside: taken [CELL_TAKEN]"},
		{serverError(codes.Aborted, "VERSION_MISMATCH", "moved on"), 74, "flipside: moved on [VERSION_MISMATCH]"},
		{serverError(codes.Unauthenticated, "INVALID_KEY", "no valid key"), 80,
			"flipside: no valid key [INVALID_KEY]; this server does not know the key; get a new one with: flipside player new --save"},
		{serverError(codes.Unavailable, "STORE_UNAVAILABLE", "no store"), 78,
			"flipside: no store [STORE_UNAVAILABLE]; a change may have been saved or not; check, then try again later"},
		{withDelay(serverError(codes.Unavailable, "STORE_UNAVAILABLE", "no store")), 78,
			"flipside: no store [STORE_UNAVAILABLE]; a change may have been saved or not; check, then try again in 1.5s"},
		{withDelay(notSent("no store")), 78,
			"flipside: no store [STORE_UNAVAILABLE]; nothing changed; try again in 1.5s"},
		{status.Error(codes.Internal, "sorry"), 77, "flipside: sorry [INTERNAL]"},
		{status.Error(codes.Unimplemented, "unknown method"), 76, "flipside: unknown method [UNIMPLEMENTED]; " +
			"the server has another version or is another service; check with: flipside doctor"},
	} {
		t.Run(test.want, func(t *testing.T) {
			t.Parallel()
			f := newFake(t)
			on(f, func(*gamev1.PlayMoveRequest) (*gamev1.PlayMoveResponse, error) { return nil, test.err })
			got := f.run("game", "move", "01hex", "d3")
			if got.code != test.code || got.err != test.want+"\n" || got.out != "" {
				t.Errorf("exit %d, %q, want %d, %q", got.code, got.err, test.code, test.want)
			}
		})
	}
}

// The line names the invalid field unless the message does.
func TestInvalidFieldIsNamed(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	on(f, func(*gamev1.CreateGameRequest) (*gamev1.CreateGameResponse, error) {
		return nil, withField(serverError(codes.InvalidArgument, "INVALID_FIELD", "must be at most 12"), "setup.reversi.hexagon.rings")
	})
	want := "flipside: setup.reversi.hexagon.rings: must be at most 12 [INVALID_FIELD]\n"
	if got := f.run("game", "create", "hex", "me", "open", "13"); got.err != want {
		t.Errorf("stderr %q, want %q", got.err, want)
	}
}

// An error of a field that a flag has set names the flag.
func TestInvalidFieldNamesItsFlag(t *testing.T) {
	t.Parallel()
	for field, args := range map[string]string{
		"timeControl.days": "--clock 100d/move", "timeControl.perMove": "--clock 1ms/move",
		"timeControl.fischer.initial": "--clock 99d", "timeControl.fischer.increment": "--clock 5m+99h",
		"timeControl.claimAfter": "--claim-after 99d", "setup.reversi.minFlips": "--min-flips 99",
		"seats[1].robot.strategy.alphaBeta.maxDepth": "--depth 99",
	} {
		f := newFake(t)
		on(f, func(*gamev1.CreateGameRequest) (*gamev1.CreateGameResponse, error) {
			err := serverError(codes.InvalidArgument, "INVALID_FIELD", field+": must be at most 30")
			return nil, withField(err, field)
		})
		flag, _, _ := strings.Cut(args, " ")
		want := "flipside: " + flag + ": must be at most 30 [INVALID_FIELD]\n"
		got := f.run(append([]string{"game", "create", "hex", "me", "alphabeta"}, strings.Fields(args)...)...)
		if got.err != want {
			t.Errorf("%s: stderr %q, want %q", args, got.err, want)
		}
	}
}

func TestUnreachableServer(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.env["FLIPSIDE_ADDRESS"] = "127.0.0.1:1"
	got := f.run("game", "list")
	want := "flipside: cannot reach the Game service at 127.0.0.1:1: connection refused [UNAVAILABLE]; " +
		"start flipsided there, or check the addresses with: flipside doctor\n"
	if got.code != 78 || got.err != want {
		t.Errorf("exit %d, %q", got.code, got.err)
	}
}

// A change whose reply is lost is retried with the same request id.
func TestRetries(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		lost  int
		code  codes.Code
		calls int
		exit  int
	}{
		{"unavailable twice", 2, codes.Unavailable, 3, 0},
		{"deadline exceeded once", 1, codes.DeadlineExceeded, 2, 0},
		{"always unavailable", 100, codes.Unavailable, settings.DefaultAttempts, 78},
		{"rejected", 100, codes.FailedPrecondition, 1, 73},
		{"internal error", 100, codes.Internal, 1, 77},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := newFake(t)
			lost := test.lost
			on(f, func(*gamev1.PlayMoveRequest) (*gamev1.PlayMoveResponse, error) {
				if lost--; lost >= 0 {
					return nil, status.Error(test.code, "lost")
				}
				return &gamev1.PlayMoveResponse{Event: hexEvents()[2], Game: hexGame()}, nil
			})
			got := f.run("game", "move", "01hex", "1,-2")
			requests := requestsOf[*gamev1.PlayMoveRequest](f)
			if got.code != test.exit || len(requests) != test.calls || got.waits != test.calls-1 {
				t.Fatalf("exit %d after %d calls and %d waits", got.code, len(requests), got.waits)
			}
			for _, request := range requests {
				if request.GetRequestId() == "" || request.GetRequestId() != requests[0].GetRequestId() {
					t.Errorf("request ids %q and %q", requests[0].GetRequestId(), request.GetRequestId())
				}
			}
		})
	}
}

// Calls that return a secret take no request id and are not retried.
func TestCallsWithASecretAreNotRetried(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	on(f, func(*gamev1.CreatePlayerRequest) (*gamev1.CreatePlayerResponse, error) {
		return nil, status.Error(codes.Unavailable, "lost")
	})
	on(f, func(*gamev1.RotateKeyRequest) (*gamev1.RotateKeyResponse, error) {
		return nil, status.Error(codes.DeadlineExceeded, "lost")
	})
	f.run("player", "new")
	f.run("player", "rotate-key")
	if diff := cmp.Diff([]string{"CreatePlayer", "RotateKey"}, f.methods()); diff != "" {
		t.Error(diff)
	}
}

// An error in a grid or a deck starts with the name of the file.
func TestErrorsInFilesNameTheFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "cards.txt")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for flag, reason := range map[string]string{"grid": "INVALID_GRID", "deck": "INVALID_DECK"} {
		f := newFake(t)
		on(f, func(*gamev1.CreateGameRequest) (*gamev1.CreateGameResponse, error) {
			err := serverError(codes.InvalidArgument, reason, "line 2, column 3: wrong letter")
			return nil, withField(err, "setup.threeTrios."+flag)
		})
		want := "line 2, column 3: wrong letter [" + reason + "]\n"
		if got := f.run("game", "create", "trios", "me", "open", "--"+flag, file); got.err != "flipside: "+file+": "+want || got.code != 67 {
			t.Errorf("exit code %d, %q", got.code, got.err)
		}
		if got := f.run("game", "create", "trios"); got.err != "flipside: "+want {
			t.Errorf("without a file: %q", got.err)
		}
	}
}
