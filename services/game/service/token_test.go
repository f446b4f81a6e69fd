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

// inWorldWithTokens runs a test in a world where an issuer's tokens are good.
func inWorldWithTokens(t *testing.T, test func(*world, *tokenstest.Issuer)) {
	issuer := tokenstest.New(t)
	verifier, err := tokens.New(tokens.Options{
		Issuers: []string{issuer.URL}, Audiences: []string{audience}, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	inWorld(t, parts{settings: service.Settings{Tokens: verifier}}, func(w *world) { test(w, issuer) })
}

// shows authenticates whoever shows a token with some claims.
func (w *world) shows(issuer *tokenstest.Issuer, subject string, others map[string]any) service.Caller {
	w.Helper()
	caller, err := w.Authenticate(w.Context(), issuer.Token(w, issuer.Claims(audience, subject, others)), "")
	if err != nil {
		w.Fatal(err)
	}
	return caller
}

func TestASubjectIsAPlayerOfHisOwn(t *testing.T) {
	inWorldWithTokens(t, func(w *world, issuer *tokenstest.Issuer) {
		eve := w.shows(issuer, "eve", map[string]any{"name": "Eve"})
		again := w.shows(issuer, "eve", map[string]any{"name": "Eva"})
		if eve.Player.ID != again.Player.ID || again.Player.Name != "Eve" {
			t.Errorf("she is %v, and then %v", eve.Player, again.Player)
		}
		if other := w.shows(issuer, "Eve", nil); other.Player.ID == eve.Player.ID {
			t.Error("two subjects are one player")
		}
		if _, err := w.RotateKey(w.Context(), eve); fault.ReasonOf(err) != fault.NotYourSeat {
			t.Errorf("a key for who has none: %v", err)
		}
		token := issuer.Token(t, issuer.Claims(audience, "eve", nil))
		if _, err := w.Authenticate(w.Context(), token, "ann"); fault.ReasonOf(err) != fault.InvalidField {
			t.Errorf("on behalf of somebody: %v", err)
		}
	})
}

func TestTheNameOfANewSubjectIsFitToShow(t *testing.T) {
	inWorldWithTokens(t, func(w *world, issuer *tokenstest.Issuer) {
		for claim, want := range map[any]string{
			"  Ann\tB.\n":           "AnnB.",
			strings.Repeat("ä", 70): strings.Repeat("ä", 64),
			"":                      "player-",
			7:                       "player-",
		} {
			if got := w.shows(issuer, want, map[string]any{"name": claim}).Player.Name; !strings.HasPrefix(got, want) {
				t.Errorf("%q is called %q, want %q", claim, got, want)
			}
		}
	})
}

func TestASubjectThatIsTooLongIsRefused(t *testing.T) {
	inWorldWithTokens(t, func(w *world, issuer *tokenstest.Issuer) {
		w.shows(issuer, strings.Repeat("x", 256), nil)
		long := issuer.Token(t, issuer.Claims(audience, strings.Repeat("x", 257), nil))
		_, err := w.Authenticate(w.Context(), long, "")
		if refused, _ := errors.AsType[*fault.Error](err); refused == nil || refused.Meta["limit"] != "256" {
			t.Errorf("refused with %v", err)
		}
	})
}

func TestStreamsEndWhenTheTokenExpires(t *testing.T) {
	inWorldWithTokens(t, func(w *world, issuer *tokenstest.Issuer) {
		eve := w.shows(issuer, "eve", map[string]any{"exp": time.Now().Add(3 * time.Second).Unix()})
		g := w.create(seat(eve), seat(w.bob))
		games, turns := w.watch(eve, g.ID, nil), w.watchTurns(eve, nil)
		time.Sleep(3*time.Second + tokens.Leeway - time.Millisecond)
		w.hears(games, "snapshot@2", "heartbeat@2", "heartbeat@2", "heartbeat@2")
		time.Sleep(time.Second)
		w.hears(games, "snapshot@2", "heartbeat@2", "heartbeat@2", "heartbeat@2", "end:keyRevoked@2")
		w.hears(turns, "turn@2", "heartbeat", "heartbeat", "heartbeat", "end:keyRevoked")
	})
}

func TestTokensAreNoneWhereNoIssuerIsSet(t *testing.T) {
	issuer := tokenstest.New(t)
	inWorld(t, parts{}, func(w *world) {
		refused(w, w.Service, issuer.Token(t, issuer.Claims(audience, "eve", nil)), "a token of nobody we know")
	})
}
