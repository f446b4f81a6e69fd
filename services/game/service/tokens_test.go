package service_test

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/flipside-games/flipside/services/game/service"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/tokens"
	"github.com/flipside-games/flipside/services/internal/tokens/tokenstest"
)

const audience = "flipside"

// runWithIssuer runs a test with a service that accepts the tokens of an issuer.
func runWithIssuer(t *testing.T, test func(*fixture, *tokenstest.Issuer)) {
	issuer := tokenstest.New(t)
	verifier, err := tokens.New(tokens.Options{
		Issuers: []string{issuer.URL}, Audiences: []string{audience}, NameClaim: "name", Types: []string{"JWT"}, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	run(t, options{settings: service.Settings{Tokens: verifier}}, func(f *fixture) { test(f, issuer) })
}

// subject authenticates a subject with a token that has these claims.
func (f *fixture) subject(
	issuer *tokenstest.Issuer, subject string, claims map[string]any,
) service.Caller {
	f.Helper()
	caller, err := authenticate(f, f.Service, issuer.Token(f, issuer.Claims(audience, subject, claims)), "")
	if err != nil {
		f.Fatal(err)
	}
	return caller
}

func TestSubject(t *testing.T) {
	runWithIssuer(t, func(f *fixture, issuer *tokenstest.Issuer) {
		eve := f.subject(issuer, "eve", map[string]any{"name": "Eve"})
		again := f.subject(issuer, "eve", map[string]any{"name": "Eva"})
		if eve.Player.ID != again.Player.ID || again.Player.Name != "Eve" {
			f.Errorf("got %v, then %v", eve.Player, again.Player)
		}
		if other := f.subject(issuer, "Eve", nil); other.Player.ID == eve.Player.ID {
			f.Error("two subjects are one player")
		}
		_, err := f.RotateKey(f.Context(), eve)
		wantReason(f, err, fault.NotYourSeat)
		token := issuer.Token(t, issuer.Claims(audience, "eve", nil))
		_, err = authenticate(f, f.Service, token, "ann")
		wantReason(f, err, fault.InvalidField)
	})
}

func TestNameOfSubject(t *testing.T) {
	runWithIssuer(t, func(f *fixture, issuer *tokenstest.Issuer) {
		for claim, want := range map[any]string{
			"  Ann\tB.\n":           "AnnB.",
			"A\u202enn\u2028\ufeff": "Ann",
			"\u202e\u200f":          "player-",
			strings.Repeat("ä", 70): strings.Repeat("ä", 64),
			"":                      "player-",
			7:                       "player-",
		} {
			if got := f.subject(issuer, want, map[string]any{"name": claim}).Player.Name; !strings.HasPrefix(got, want) {
				f.Errorf("claim %q: name %q, want %q", claim, got, want)
			}
		}
	})
}

func TestLongSubject(t *testing.T) {
	runWithIssuer(t, func(f *fixture, issuer *tokenstest.Issuer) {
		f.subject(issuer, strings.Repeat("x", 256), nil)
		long := issuer.Token(t, issuer.Claims(audience, strings.Repeat("x", 257), nil))
		_, err := authenticate(f, f.Service, long, "")
		if rejected, _ := errors.AsType[*fault.Error](err); rejected == nil || rejected.Meta["limit"] != "256" {
			f.Errorf("got %v", err)
		}
	})
}

func TestExpiryEndsStreams(t *testing.T) {
	runWithIssuer(t, func(f *fixture, issuer *tokenstest.Issuer) {
		eve := f.subject(issuer, "eve", map[string]any{"exp": time.Now().Add(3 * time.Second).Unix()})
		g := f.create(seat(eve), seat(f.bob))
		games, turns := f.watch(eve, g.ID, nil), f.watchTurns(eve, nil)
		time.Sleep(3*time.Second + tokens.Leeway - time.Millisecond)
		f.wantMessages(games, "snapshot@2", "heartbeat@2", "heartbeat@2", "heartbeat@2")
		time.Sleep(time.Second)
		f.wantMessages(games, "snapshot@2", "heartbeat@2", "heartbeat@2", "heartbeat@2", "end:keyRevoked@2")
		f.wantMessages(turns, "turn@2", "heartbeat", "heartbeat", "heartbeat", "end:keyRevoked")
	})
}

func TestTokensWithoutIssuer(t *testing.T) {
	issuer := tokenstest.New(t)
	run(t, options{}, func(f *fixture) {
		f.wantInvalid(f.Service, issuer.Token(t, issuer.Claims(audience, "eve", nil)), "token of an unknown issuer")
	})
}
