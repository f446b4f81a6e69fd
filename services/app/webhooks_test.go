package app

import (
	"database/sql"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

const smallBoard = `{"reversi":{"square":{"side":4}}}`

// receiver is the server of the URL of a webhook. It verifies the signatures.
type receiver struct {
	testing.TB
	URL string

	mu     sync.Mutex
	status int
	secret string
	// received are the requests since the last change of the status.
	received []received
}

// received is a request to a webhook.
type received struct {
	id, kind, game, player string
}

func newReceiver(t *testing.T, status int) *receiver {
	r := &receiver{TB: t, status: status}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	r.URL = server.URL
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	body, err := io.ReadAll(req.Body)
	verifier, invalid := standardwebhooks.NewWebhook(r.secret)
	if err != nil || invalid != nil || verifier.Verify(body, req.Header) != nil {
		r.Errorf("the signature of %s is invalid", body)
	}
	var message struct {
		Type string
		Data struct{ GameID, PlayerID string }
	}
	if err := json.Unmarshal(body, &message); err != nil {
		r.Error(err)
	}
	r.received = append(r.received, received{
		req.Header.Get("Webhook-Id"), message.Type, message.Data.GameID, message.Data.PlayerID,
	})
	w.WriteHeader(r.status)
}

// answer changes the status of later responses.
func (r *receiver) answer(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status, r.received = status, nil
}

// wait waits for a number of requests and returns them.
func (r *receiver) wait(n int) []received {
	r.Helper()
	await(r, "requests to the webhook", func() bool { return len(r.all()) >= n })
	return r.all()
}

func (r *receiver) all() []received {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.received)
}

func await(t testing.TB, what string, reached func() bool) {
	t.Helper()
	for start := time.Now(); !reached(); time.Sleep(10 * time.Millisecond) {
		if time.Since(start) > time.Minute {
			t.Fatalf("no %s within a minute", what)
		}
	}
}

// webhookState is the answer of GetWebhook.
type webhookState struct {
	Webhook *struct {
		URL         string
		Disabled    bool
		Failures    int
		LastFailure string
	}
}

func (c *restClient) webhook() (state webhookState) {
	c.Helper()
	c.read(c.call("GET", "/v1/webhook", ""), &state)
	return state
}

// setWebhook sets the webhook of the caller, whose secret the receiver uses from now on.
func (c *restClient) setWebhook(r *receiver, others string) {
	c.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	var set struct{ Secret string }
	c.read(c.call("POST", "/v1/webhook", `{"url":"`+r.URL+`"`+others+`}`), &set)
	r.secret = set.Secret
}

// retryNow ends the delays before the next attempts.
func retryNow(t *testing.T, path string) {
	t.Helper()
	updateWebhooks(t, path, `next_attempt = 0`)
}

// updateWebhooks sets a column of all webhooks.
func updateWebhooks(t *testing.T, path, set string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(20000)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), `UPDATE webhooks SET `+set); err != nil {
		t.Fatal(err)
	}
}

// A webhook whose receiver fails gets all messages after a restart of the server, each with the id
// of its first attempt.
func TestWebhookRetriesAfterARestart(t *testing.T) {
	t.Parallel()
	settings := testSettings(t)
	settings.WebhookAllowPrivate = true
	a, _ := startDaemon(t, All, settings)
	ann := newRESTClient(t, a.Addrs["http"])
	receiver := newReceiver(t, http.StatusInternalServerError)
	ann.setWebhook(receiver, "")
	ann.createGame(smallBoard)
	first := receiver.wait(1)[0]
	await(t, "failure of the webhook", func() bool { return ann.webhook().Webhook.Failures > 0 })
	if got := ann.webhook().Webhook.LastFailure; got != "HTTP 500" {
		t.Errorf("last failure %q, want HTTP 500", got)
	}
	second := ann.createGame(smallBoard)

	a.Close()
	receiver.answer(http.StatusNoContent)
	retryNow(t, settings.Data)
	a, _ = startDaemon(t, All, settings)
	ann.address = a.Addrs["http"]
	got := receiver.wait(2)
	if got[0] != first || !strings.HasSuffix(second, got[1].game) || len(got) != 2 {
		t.Errorf("received %+v, want %+v again and the turn in %s", got, first, second)
	}
	await(t, "success of the webhook", func() bool { return ann.webhook().Webhook.Failures == 0 })
}

// asUser adds the header with which a service key acts for a user.
type asUser string

func (u asUser) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Set("Flipside-On-Behalf-Of", string(u))
	return http.DefaultTransport.RoundTrip(r)
}

// The webhook of a service gets the turns of all its users, from all databases.
func TestWebhookOfAServiceWithSeveralDatabases(t *testing.T) {
	t.Parallel()
	const key = "a-service-key-of-some-product-0123456789"
	settings := testSettings(t)
	settings.WebhookAllowPrivate, settings.ServiceKeys = true, []string{"shop=" + key}
	folder := t.TempDir()
	for _, name := range []string{"a.db", "b.db"} {
		settings.DatabaseURLs = append(settings.DatabaseURLs, "sqlite:"+filepath.Join(folder, name))
	}
	a, _ := startDaemon(t, All, settings)
	shop := &restClient{TB: t, address: a.Addrs["http"], key: key}
	receiver := newReceiver(t, http.StatusOK)
	shop.setWebhook(receiver, "")
	newRESTClient(t, shop.address).createGame(smallBoard) // It is not a user of the shop.

	var games, turns []string
	for _, name := range []string{"sam", "sue"} {
		user := *shop
		user.Transport = asUser(name)
		for range 8 {
			games = append(games, user.createGame(smallBoard))
		}
	}
	for _, m := range receiver.wait(len(games)) {
		turns = append(turns, "/v1/games/"+m.game)
		if m.kind != "game.turn" || m.player == "" {
			t.Errorf("message %+v, want the turn of a user", m)
		}
	}
	slices.Sort(games)
	slices.Sort(turns)
	if !slices.Equal(games, turns) {
		t.Errorf("turns in %q, want %q", turns, games)
	}
	receiver.answer(http.StatusOK)
	shop.setWebhook(receiver, `,"newSecret":true`)
	sam := *shop
	sam.Transport = asUser("sam")
	sam.call("POST", sam.createGame(smallBoard)+":abort", `{}`)
	await(t, "end of a game with a signature of the new secret", func() bool {
		return slices.ContainsFunc(receiver.all(), func(m received) bool { return m.kind == "game.over" })
	})
	shop.call("POST", "/v1/webhook:delete", `{}`)
	if w := shop.webhook().Webhook; w != nil {
		t.Errorf("webhook %+v after its deletion", w)
	}
}

// A webhook whose host resolves to a private address gets no request, and is disabled with the reason.
func TestFailingWebhookIsDisabled(t *testing.T) {
	t.Parallel()
	settings := testSettings(t)
	settings.WebhookGiveUp = time.Nanosecond
	a, log := startDaemon(t, All, settings)
	ann := newRESTClient(t, a.Addrs["http"])
	receiver := newReceiver(t, http.StatusOK)
	local := strings.Replace(receiver.URL, "http://127.0.0.1", "https://localhost", 1)
	receiver.URL = "https://hooks.example/"
	ann.setWebhook(receiver, "")
	updateWebhooks(t, settings.Data, `url = '`+local+`'`) // No other name surely has such an address.
	ann.createGame(smallBoard)
	await(t, "failure of the webhook", func() bool { return ann.webhook().Webhook.Failures > 0 })
	if w := ann.webhook().Webhook; w.LastFailure != "the address is not public" || w.Disabled {
		t.Errorf("webhook %+v, want enabled with the reason of the failure", w)
	}
	retryNow(t, settings.Data)
	const line = `failure="the address is not public"`
	await(t, "log line with the reason", func() bool { return strings.Contains(log.String(), line) })
	if !ann.webhook().Webhook.Disabled {
		t.Error("the webhook is not disabled")
	}
	metrics := (&restClient{TB: t, address: a.Addrs["metrics"]}).call("GET", "/metrics", "")
	if !strings.Contains(string(metrics), "flipside_webhooks_disabled_total 1") {
		t.Error("flipside_webhooks_disabled_total is not 1")
	}
}
