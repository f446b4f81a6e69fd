package natsfeed_test

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/natsfeed"
	"github.com/flipside-games/flipside/services/game/natsfeed/natstest"
	"github.com/flipside-games/flipside/services/internal/certs"
	"github.com/flipside-games/flipside/services/internal/certs/certstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const timeout = 20 * time.Second

// process is the feed of one process.
type process struct {
	*natsfeed.Feed
	registry *prometheus.Registry
	log      *log
}

// log is the log of a feed.
type log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func open(t *testing.T, url string, config func() *tls.Config) *process {
	t.Helper()
	p := &process{registry: prometheus.NewRegistry(), log: &log{}}
	feed, err := natsfeed.Open(natsfeed.Options{
		URL: url, TLS: config, Log: slog.New(slog.NewTextHandler(p.log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(feed.Close)
	p.Feed = feed
	p.registry.MustRegister(feed.Metrics()...)
	return p
}

// metric returns the value of a metric.
func (p *process) metric(t *testing.T, name string) float64 {
	t.Helper()
	families, err := p.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() == name {
			m := family.GetMetric()[0]
			return m.GetGauge().GetValue() + m.GetCounter().GetValue()
		}
	}
	t.Fatalf("there is no metric %s", name)
	return 0
}

// awaitConnected waits until the metric of the connection has a value.
func (p *process) awaitConnected(t *testing.T, want float64) {
	t.Helper()
	for end := time.Now().Add(timeout); p.metric(t, "flipside_feed_connected") != want; <-time.After(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("flipside_feed_connected does not become %v: %s", want, p.log)
		}
	}
}

// awaitWake reads wake-ups until one matches.
func awaitWake(t *testing.T, sub game.Subscription, matches func(game.Wake) bool) {
	t.Helper()
	for late := time.After(timeout); ; {
		select {
		case wake := <-sub.C():
			if matches(wake) {
				return
			}
		case <-late:
			t.Fatal("no such wake-up arrived")
		}
	}
}

func missed(w game.Wake) bool { return w.Missed }

func version(v int) func(game.Wake) bool { return func(w game.Wake) bool { return w.Version == v } }

func TestOneSubscriptionForAllSubscribers(t *testing.T) {
	at := natstest.Start(t, nil)
	feed := open(t, at.URL(), nil)
	before := at.NumSubscriptions()
	for i := range 10_000 {
		defer feed.Subscribe(fmt.Sprint("game.", i)).Close()
	}
	if more := at.NumSubscriptions() - before; more != 0 {
		t.Errorf("10,000 subscribers made %d subscriptions", more)
	}
}

func TestStartWithoutNATS(t *testing.T) {
	at := natstest.Start(t, nil)
	at.Stop()
	local, remote := open(t, at.URL(), nil), open(t, at.URL(), nil)
	sub := local.Subscribe("game.one")
	defer sub.Close()
	if got := local.metric(t, "flipside_feed_connected"); got != 0 {
		t.Errorf("flipside_feed_connected is %v without NATS", got)
	}
	remote.Publish(t.Context(), game.Wake{Topic: "game.one", Version: 2})
	awaitWake(t, sub, missed)
	at.Start(t)
	local.awaitConnected(t, 1)
	remote.awaitConnected(t, 1)
	remote.Publish(t.Context(), game.Wake{Topic: "game.one", Version: 3})
	awaitWake(t, sub, version(3))
	if got := remote.metric(t, "flipside_feed_lost_total"); got != 1 {
		t.Errorf("%v wake-ups were lost, want 1", got)
	}
}

func TestOutageWakesAll(t *testing.T) {
	at := natstest.Start(t, nil)
	feed := open(t, at.URL(), nil)
	var subs []game.Subscription
	for i := range 1200 {
		sub := feed.Subscribe(fmt.Sprint("game.", i))
		defer sub.Close()
		subs = append(subs, sub)
	}
	at.Stop()
	for range 2 {
		for _, sub := range subs {
			awaitWake(t, sub, missed)
		}
	}
	feed.awaitConnected(t, 0)
	at.Start(t)
	feed.awaitConnected(t, 1)
	for _, sub := range subs {
		awaitWake(t, sub, missed)
	}
	for _, message := range []string{"NATS is unavailable", "NATS is available"} {
		if n := strings.Count(feed.log.String(), message); n != 1 {
			t.Errorf("%q is logged %d times:\n%s", message, n, feed.log)
		}
	}
}

// TestDisconnectedProcessNotifiesOthers disconnects one process. The others keep their connections.
func TestDisconnectedProcessNotifiesOthers(t *testing.T) {
	at := natstest.Start(t, nil)
	local := open(t, at.URL(), nil)
	sub := local.Subscribe("game.one")
	defer sub.Close()
	remote := open(t, at.URL(), nil)
	clients, err := at.Connz(&server.ConnzOptions{Sort: server.ByCid})
	if err != nil {
		t.Fatal(err)
	}
	if err := at.DisconnectClientByID(clients.Conns[1].Cid); err != nil {
		t.Fatal(err)
	}
	awaitWake(t, sub, missed)
	remote.Publish(t.Context(), game.Wake{Topic: "game.one", Version: 2})
	awaitWake(t, sub, version(2))
}

// TestSilentNATS connects to a server that stops answering. Publish must not wait for it.
func TestSilentNATS(t *testing.T) {
	lis, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer lis.Close()
	silent := make(chan net.Conn, 1)
	go func() {
		conn, err := lis.Accept()
		if err != nil {
			return
		}
		fmt.Fprint(conn, `INFO {"server_id":"stuck","version":"2.15.2","proto":1,"headers":true,"max_payload":1048576}`+"\r\n")
		lines := bufio.NewReader(conn)
		for pings := 0; pings < 2; { // of the connection and of the first probe
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			if strings.HasPrefix(line, "PING") {
				pings++
				fmt.Fprint(conn, "PONG\r\n")
			}
		}
		silent <- conn
	}()
	feed := open(t, "nats://"+lis.Addr().String(), nil)
	conn := <-silent
	defer conn.Close()
	feed.awaitConnected(t, 1)
	sub := feed.Subscribe("game.one")
	defer sub.Close()
	start := time.Now()
	for v := range 100_000 {
		feed.Publish(t.Context(), game.Wake{Topic: "game.one", Version: v})
	}
	if took := time.Since(start); took > timeout/2 {
		t.Errorf("publishing 100,000 wake-ups took %v", took)
	}
	awaitWake(t, sub, version(99_999))
	awaitWake(t, sub, missed)
	feed.awaitConnected(t, 0)
	if feed.metric(t, "flipside_feed_lost_total") == 0 {
		t.Error("no wake-up was lost: the test did not fill the queue")
	}
}

func TestInvalidMessagesAreIgnored(t *testing.T) {
	at := natstest.Start(t, nil)
	feed := open(t, at.URL(), nil)
	sub := feed.Subscribe("game.one")
	defer sub.Close()
	client, err := nats.Connect(at.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for _, text := range []string{"", "null?", `{"topic":7}`, `[]`, `{"topic":"game.one","version":5,"unknown":true}`} {
		if err := client.Publish("flipside.wakes", []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if wake := <-sub.C(); wake.Version != 5 {
		t.Errorf("got %+v, want version 5", wake)
	}
}

func TestCredentialsInURL(t *testing.T) {
	const password = "p%40ss"
	at := natstest.Start(t, func(o *server.Options) { o.Username, o.Password = "flipside", "p@ss" })
	openWith := func(user, password string) *process {
		return open(t, strings.Replace(at.URL(), "nats://", "nats://"+user+":"+password+"@", 1), nil)
	}
	openWith("flipside", password).awaitConnected(t, 1)
	wrong := openWith("flipside", "secret")
	for end := time.Now().Add(timeout); !strings.Contains(wrong.log.String(), "Authorization Violation"); <-time.After(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the log is %s", wrong.log)
		}
	}
	wrong.awaitConnected(t, 0)
	if strings.Contains(wrong.log.String(), "secret") {
		t.Errorf("the log reveals the password: %s", wrong.log)
	}
}

func TestInvalidURL(t *testing.T) {
	for _, url := range []string{"nats://me:secret@[::1", "nats://me:secret@host:port", "http ://secret"} {
		_, err := natsfeed.Open(natsfeed.Options{URL: url, Log: slog.New(slog.DiscardHandler)})
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: got error %v", url, err)
		}
	}
}

func TestTLS(t *testing.T) {
	ca, other := certstest.NewAuthority(t, "ours"), certstest.NewAuthority(t, "other")
	config := func(files certs.Files) func() *tls.Config {
		c, err := certs.Open(files, &tls.Config{ClientAuth: tls.RequireAndVerifyClientCert}, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		return c.Current
	}
	at := natstest.Start(t, func(o *server.Options) {
		o.TLS, o.TLSVerify, o.TLSConfig = true, true, config(ca.Files(t, "localhost"))()
	})
	url := strings.Replace(at.URL(), "nats://127.0.0.1", "tls://localhost", 1)
	ours := ca.Files(t, "localhost")
	for _, test := range []struct {
		name      string
		config    func() *tls.Config
		connected float64
	}{
		{"our CA and its certificate", config(ours), 1},
		{"no certificate", config(certs.Files{CA: ours.CA}), 0},
		{"certificate of another CA", config(other.Files(t, "localhost")), 0},
		{"CAs of the system", nil, 0},
	} {
		t.Run(test.name, func(t *testing.T) { open(t, url, test.config).awaitConnected(t, test.connected) })
	}
}
