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
	"github.com/flipside-games/flipside/services/game/feedtest"
	"github.com/flipside-games/flipside/services/game/natsfeed"
	"github.com/flipside-games/flipside/services/game/natsfeed/natstest"
	"github.com/flipside-games/flipside/services/internal/certs"
	"github.com/flipside-games/flipside/services/internal/certs/certstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const patience = 20 * time.Second

// process is a feed as one process has it.
type process struct {
	*natsfeed.Feed
	registry *prometheus.Registry
	log      *log
}

// log is what a feed logged.
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

func open(t *testing.T, url string, with func() *tls.Config) *process {
	t.Helper()
	p := &process{registry: prometheus.NewRegistry(), log: &log{}}
	feed, err := natsfeed.Open(natsfeed.Options{
		URL: url, TLS: with, Log: slog.New(slog.NewTextHandler(p.log, nil)),
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

// awaitConnected waits until a feed says that it reaches NATS, or that it does not.
func (p *process) awaitConnected(t *testing.T, want float64) {
	t.Helper()
	for end := time.Now().Add(patience); p.metric(t, "flipside_feed_connected") != want; <-time.After(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("flipside_feed_connected is not %v: %s", want, p.log)
		}
	}
}

// awaitWake reads until there is a wake-up as wanted.
func awaitWake(t *testing.T, sub game.Subscription, wanted func(game.Wake) bool) {
	t.Helper()
	for late := time.After(patience); ; {
		select {
		case wake := <-sub.C():
			if wanted(wake) {
				return
			}
		case <-late:
			t.Fatal("no such wake-up came")
		}
	}
}

func missed(w game.Wake) bool { return w.Missed }

func version(v int) func(game.Wake) bool { return func(w game.Wake) bool { return w.Version == v } }

func TestFeed(t *testing.T) {
	t.Run("between processes", func(t *testing.T) {
		feedtest.Run(t, func(t *testing.T) (here, there game.Feed) {
			at := natstest.Start(t, nil).URL()
			return open(t, at, nil), open(t, at, nil)
		})
	})
	t.Run("without NATS, inside a process", func(t *testing.T) {
		feedtest.Run(t, func(t *testing.T) (here, there game.Feed) {
			feed := open(t, "nats://127.0.0.1:1", nil)
			return feed, feed
		})
	})
}

func TestManyWatchersAreOneSubscription(t *testing.T) {
	at := natstest.Start(t, nil)
	feed := open(t, at.URL(), nil)
	before := at.NumSubscriptions()
	for i := range 10_000 {
		defer feed.Subscribe(fmt.Sprint("game.", i)).Close()
	}
	if more := at.NumSubscriptions() - before; more != 0 {
		t.Errorf("10,000 watchers made %d more subscriptions", more)
	}
}

func TestNATSMayComeLater(t *testing.T) {
	at := natstest.Start(t, nil)
	at.Stop()
	here, there := open(t, at.URL(), nil), open(t, at.URL(), nil)
	sub := here.Subscribe("game.one")
	defer sub.Close()
	if got := here.metric(t, "flipside_feed_connected"); got != 0 {
		t.Errorf("without NATS flipside_feed_connected is %v", got)
	}
	there.Publish(t.Context(), game.Wake{Topic: "game.one", Version: 2}) // It is lost, and
	awaitWake(t, sub, missed)                                            // looked for.
	at.Start(t)
	here.awaitConnected(t, 1)
	there.awaitConnected(t, 1)
	there.Publish(t.Context(), game.Wake{Topic: "game.one", Version: 3})
	awaitWake(t, sub, version(3))
	if got := there.metric(t, "flipside_feed_lost_total"); got != 1 {
		t.Errorf("%v wake-ups were lost", got)
	}
}

func TestEverybodyIsWokenWhileNATSIsAwayAndOnceItIsBack(t *testing.T) {
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
	for _, said := range []string{"NATS cannot be reached", "NATS is reached"} {
		if n := strings.Count(feed.log.String(), said); n != 1 {
			t.Errorf("it is logged %d times that %s:\n%s", n, said, feed.log)
		}
	}
}

// TestAProcessThatWasCutOffTellsTheOthers has a process lose its connection alone, which the others cannot know.
func TestAProcessThatWasCutOffTellsTheOthers(t *testing.T) {
	at := natstest.Start(t, nil)
	here := open(t, at.URL(), nil)
	sub := here.Subscribe("game.one")
	defer sub.Close()
	there := open(t, at.URL(), nil)
	clients, err := at.Connz(&server.ConnzOptions{Sort: server.ByCid})
	if err != nil {
		t.Fatal(err)
	}
	if err := at.DisconnectClientByID(clients.Conns[1].Cid); err != nil {
		t.Fatal(err)
	}
	awaitWake(t, sub, missed)
	there.Publish(t.Context(), game.Wake{Topic: "game.one", Version: 2})
	awaitWake(t, sub, version(2))
}

// TestNATSThatIsStuckHoldsUpNobody connects to a NATS that goes silent.
func TestNATSThatIsStuckHoldsUpNobody(t *testing.T) {
	lis, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer lis.Close()
	held := make(chan net.Conn, 1)
	go func() {
		conn, err := lis.Accept()
		if err != nil {
			return
		}
		fmt.Fprint(conn, `INFO {"server_id":"stuck","version":"2.15.2","proto":1,"headers":true,"max_payload":1048576}`+"\r\n")
		lines := bufio.NewReader(conn)
		for pings := 0; pings < 2; { // that of connecting, and that of the first probe
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			if strings.HasPrefix(line, "PING") {
				pings++
				fmt.Fprint(conn, "PONG\r\n")
			}
		}
		held <- conn
	}()
	feed := open(t, "nats://"+lis.Addr().String(), nil)
	conn := <-held
	defer conn.Close()
	feed.awaitConnected(t, 1)
	sub := feed.Subscribe("game.one")
	defer sub.Close()
	start := time.Now()
	for v := range 100_000 {
		feed.Publish(t.Context(), game.Wake{Topic: "game.one", Version: v})
	}
	if took := time.Since(start); took > patience/2 {
		t.Errorf("100,000 wake-ups took %v", took)
	}
	awaitWake(t, sub, version(99_999))
	awaitWake(t, sub, missed)
	feed.awaitConnected(t, 0)
	if feed.metric(t, "flipside_feed_lost_total") == 0 {
		t.Error("nothing was lost: the test has not filled the connection")
	}
}

func TestWhatIsNoWakeUpWakesNobody(t *testing.T) {
	at := natstest.Start(t, nil)
	feed := open(t, at.URL(), nil)
	sub := feed.Subscribe("game.one")
	defer sub.Close()
	stranger, err := nats.Connect(at.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer stranger.Close()
	for _, text := range []string{"", "null?", `{"topic":7}`, `[]`, `{"topic":"game.one","version":5,"unknown":true}`} {
		if err := stranger.Publish("flipside.wakes", []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if wake := <-sub.C(); wake.Version != 5 {
		t.Errorf("woken by %+v", wake)
	}
}

func TestCredentialsAreInTheURL(t *testing.T) {
	const password = "p%40ss"
	at := natstest.Start(t, func(o *server.Options) { o.Username, o.Password = "flipside", "p@ss" })
	with := func(user, password string) *process {
		return open(t, strings.Replace(at.URL(), "nats://", "nats://"+user+":"+password+"@", 1), nil)
	}
	with("flipside", password).awaitConnected(t, 1)
	wrong := with("flipside", "secret")
	for end := time.Now().Add(patience); !strings.Contains(wrong.log.String(), "Authorization Violation"); <-time.After(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("logged was %s", wrong.log)
		}
	}
	wrong.awaitConnected(t, 0)
	if strings.Contains(wrong.log.String(), "secret") {
		t.Errorf("logged was %s", wrong.log)
	}
}

func TestAURLThatIsNoneIsRefusedWithoutBeingTold(t *testing.T) {
	for _, url := range []string{"nats://me:secret@[::1", "nats://me:secret@host:port", "http ://secret"} {
		_, err := natsfeed.Open(natsfeed.Options{URL: url, Log: slog.New(slog.DiscardHandler)})
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", url, err)
		}
	}
}

func TestTLS(t *testing.T) {
	authority, another := certstest.NewAuthority(t, "ours"), certstest.NewAuthority(t, "another")
	config := func(files certs.Files) func() *tls.Config {
		c, err := certs.Open(files, &tls.Config{ClientAuth: tls.RequireAndVerifyClientCert}, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		return c.Current
	}
	at := natstest.Start(t, func(o *server.Options) {
		o.TLS, o.TLSVerify, o.TLSConfig = true, true, config(authority.Files(t, "localhost"))()
	})
	url := strings.Replace(at.URL(), "nats://127.0.0.1", "tls://localhost", 1)
	ours := authority.Files(t, "localhost")
	for _, test := range []struct {
		name      string
		with      func() *tls.Config
		connected float64
	}{
		{"with our authority and a certificate of it", config(ours), 1},
		{"without a certificate", config(certs.Files{CA: ours.CA}), 0},
		{"with a certificate of another authority", config(another.Files(t, "localhost")), 0},
		{"with the authorities of the system", nil, 0},
	} {
		t.Run(test.name, func(t *testing.T) { open(t, url, test.with).awaitConnected(t, test.connected) })
	}
}
