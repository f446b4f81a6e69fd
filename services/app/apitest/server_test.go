package apitest

import (
	"context"
	"database/sql"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/app"
	"github.com/flipside-games/flipside/services/game/natsfeed/natstest"
	"github.com/flipside-games/flipside/services/game/sqlstore/pgtest"
	"github.com/flipside-games/flipside/services/internal/dnstest"
	"github.com/flipside-games/flipside/services/internal/tokens/tokenstest"
)

// serviceKey is the key of a product that acts for its own users.
const serviceKey = "a-service-key-of-some-product-0123456789"

// silent is a provider of strategies that never answers, so that a robot's turn stays where it is.
const silent = "silent"

// server is a daemon under test and the connections to it.
type server struct {
	settings app.Settings
	game     *grpc.ClientConn
	strategy *grpc.ClientConn
	http     string
	client   *http.Client

	mu      sync.Mutex
	players map[string]*player

	issuer *tokenstest.Issuer // of valid tokens; nil for none
}

// player is a player with its current key and a replaced one, if any.
type player struct{ id, key, old string }

// changeSettings changes the settings of a server before its start; nil changes nothing.
type changeSettings func(*app.Settings)

// and makes a further change.
func (c changeSettings) and(more changeSettings) changeSettings {
	return func(s *app.Settings) {
		if c != nil {
			c(s)
		}
		more(s)
	}
}

// sqlite sets a store in an SQLite file, the default.
func sqlite(*testing.T) changeSettings { return nil }

// postgres sets a store in a new database of PostgreSQL.
func postgres(t *testing.T) changeSettings {
	address := pgtest.Database(t)
	return func(s *app.Settings) { s.DatabaseURLs, s.Migrate = []string{address}, true }
}

// cluster sets PostgreSQL and NATS, with which startServer starts several processes with balanced
// calls.
func cluster(t *testing.T) changeSettings {
	return postgres(t).and(func(s *app.Settings) { s.NATSURL = natstest.Start(t, nil).URL() })
}

// execute executes a statement on the database of the server.
func (s *server) execute(t testing.TB, statement string) {
	t.Helper()
	driver, address := "sqlite", "file:"+s.settings.Data+"?_pragma=busy_timeout(20000)"
	if len(s.settings.DatabaseURLs) > 0 {
		driver, address = "pgx", s.settings.DatabaseURLs[0]
	}
	db, err := sql.Open(driver, address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

// startServer starts all roles until the test ends.
func startServer(t *testing.T, change changeSettings) *server {
	t.Helper()
	return startRole(t, app.All, change)
}

func startRole(t *testing.T, role app.Role, change changeSettings) *server {
	t.Helper()
	const free, closed = "127.0.0.1:0", "127.0.0.1:1"
	settings := app.DefaultSettings()
	settings.HTTPAddr, settings.GameAddr, settings.StrategyAddr, settings.MetricsAddr = free, free, free, ""
	settings.GameTarget, settings.StrategyTarget = closed, closed
	settings.Data = filepath.Join(t.TempDir(), "flipside.db")
	settings.Providers = []string{silent + "=" + closed}
	settings.ServiceKeys = []string{"shop=" + serviceKey}
	settings.CallRate, settings.PlayerRate, settings.WrongKeyRate = 1e6, 1e6, 1e6
	settings.RobotRetryDelay, settings.LagGrace = time.Hour, 0
	if change != nil {
		change(&settings)
	}
	var addrs map[string]string
	if settings.NATSURL == "" {
		addrs = startApp(t, role, settings)
	} else {
		addrs = startCluster(t, settings)
	}
	s := &server{
		settings: settings,
		http:     "http://" + addrs["http"],
		client: &http.Client{
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
			Transport:     &http.Transport{MaxIdleConnsPerHost: 64},
		},
		players: map[string]*player{},
	}
	t.Cleanup(s.client.CloseIdleConnections)
	s.game, s.strategy = dial(t, addrs["game"]), dial(t, addrs["strategy"])
	return s
}

// startApp starts one process and returns its addresses.
func startApp(t *testing.T, role app.Role, settings app.Settings) map[string]string {
	t.Helper()
	daemon, err := app.Start(context.Background(), role, settings, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(daemon.Close)
	return daemon.Addrs
}

// startCluster starts two processes each of Strategy and Game, found by DNS, and a gateway.
func startCluster(t *testing.T, settings app.Settings) (addrs map[string]string) {
	t.Helper()
	const gamePort, strategyPort = "9090", "9091"
	hosts := dnstest.Hosts(t, 2)
	settings.GameTarget, settings.StrategyTarget = dnstest.Serve(t, gamePort, hosts...), dnstest.Serve(t, strategyPort, hosts...)
	for _, host := range hosts {
		settings.GameAddr, settings.StrategyAddr = host.String()+":"+gamePort, host.String()+":"+strategyPort
		startApp(t, app.Strategy, settings)
		startApp(t, app.Game, settings)
	}
	addrs = startApp(t, app.Gateway, settings)
	addrs["game"], addrs["strategy"] = settings.GameTarget, settings.StrategyTarget
	return addrs
}

func dial(t *testing.T, addr string) *grpc.ClientConn {
	t.Helper()
	if !strings.Contains(addr, "://") {
		addr = "passthrough:///" + addr
	}
	conn, err := grpc.NewClient(addr, grpc.WithDefaultServiceConfig(`{"loadBalancingConfig":[{"round_robin":{}}]}`), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// player returns the player with a name and creates it on first use.
func (s *server) player(t testing.TB, name string) *player {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.players[name]; p != nil {
		return p
	}
	resp, err := gamev1.NewPlayerServiceClient(s.game).CreatePlayer(t.Context(), &gamev1.CreatePlayerRequest{DisplayName: name})
	if err != nil {
		t.Fatalf("create player %s: %v", name, err)
	}
	p := &player{id: resp.GetPlayer().GetId(), key: resp.GetKey()}
	s.players[name] = p
	// The player is also a user of the shop, so that the shop can seat them without an invitation.
	s.execute(t, `UPDATE players SET service = 'shop' WHERE id = '`+p.id+`'`)
	externalID := strings.ReplaceAll(atShop(name), "'", "''")
	s.execute(t, `INSERT INTO external_players (service, external_id, player_id) VALUES ('shop', '`+externalID+`', '`+p.id+`')`)
	return p
}

// atShop returns the external id of a player at the shop, which has the service key.
func atShop(name string) string { return name + "@shop.example" }
