package app

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/spf13/pflag"

	"github.com/flipside-games/flipside/services/game/shards"
	"github.com/flipside-games/flipside/services/internal/callquota"
)

// Settings are the settings of the daemon. The table declares each of them with its default, which
// [DefaultSettings] returns. All fields but Version must be set.
type Settings struct {
	// Version is the version of the program. It is not in the table.
	Version string

	HTTPAddr     string
	GameAddr     string
	StrategyAddr string
	MetricsAddr  string

	Data           string
	DatabaseURLs   []string
	Migrate        bool
	NATSURL        string
	GameTarget     string
	StrategyTarget string
	Providers      []string
	ProvidersFile  string

	TLSCert           string
	TLSKey            string
	TLSClientCA       string
	TLSClientCAExcept []string
	TLSCA             string
	TLSClientCert     string
	TLSClientKey      string

	ServiceKeys           []string
	OIDCIssuers           []string
	OIDCAudiences         []string
	OIDCTokenTypes        []string
	OIDCNameClaim         string
	AllowedOrigins        []string
	CallRate              float64
	AddressCallRate       float64
	MaxStreams            int
	MaxAddressStreams     int
	MaxInvitations        int
	PlayerRate            float64
	WrongKeyRate          float64
	MaxConnections        int
	MaxAddressConnections int
	RequestMemory         int
	MaxConnectionStreams  int
	TrustedProxies        []string
	SearchTime            time.Duration

	LagGrace            time.Duration
	CountOutages        bool
	HeartbeatInterval   time.Duration
	SlowReaderTimeout   time.Duration
	RobotGracePeriod    time.Duration
	RobotRetryDelay     time.Duration
	RobotLease          time.Duration
	RobotAttempts       int
	RobotParallel       int
	RobotTime           time.Duration
	AnalysisTime        time.Duration
	PonderingTime       time.Duration
	WebhookGiveUp       time.Duration
	WebhookAllowPrivate bool
	CacheMemory         int
	SearchMemory        int
	ShutdownDelay       time.Duration
	DrainTimeout        time.Duration

	LogLevel      string
	LogFormat     string
	TraceEndpoint string
}

// maxLagGrace is the longest time after its deadline in which a move may count.
const maxLagGrace = 10 * time.Second

// maxThinkingTime is the longest time of a search that the contract allows.
const maxThinkingTime = 10 * time.Minute

// table declares the settings.
func (s *Settings) table() []row { //nolint:funlen // A table is read in one piece.
	return []row{
		{name: "http-addr", value: &s.HTTPAddr, preset: "127.0.0.1:8080",
			help: "listen address of REST and the web pages"},
		{name: "game-addr", value: &s.GameAddr, preset: "127.0.0.1:9090",
			help: "listen address of the Game service (gRPC)"},
		{name: "strategy-addr", value: &s.StrategyAddr, preset: "127.0.0.1:9091",
			help: "listen address of the Strategy service (gRPC)"},
		{name: "metrics-addr", value: &s.MetricsAddr, preset: "127.0.0.1:9092",
			help: "listen address of metrics and probes; empty to serve none"},
		{name: "data", value: &s.Data, preset: "flipside.db",
			help: "SQLite file for games and players"},
		{name: "database-url", value: &s.DatabaseURLs, preset: []string(nil), secret: true,
			help: "database for games and players instead of --data: postgres://user:password@host/name, " +
				"which several processes can share, or sqlite:path; give it several times to divide " +
				"the games among databases, whose number and order must never change"},
		{name: "migrate", value: &s.Migrate, preset: false,
			help: "migrate the PostgreSQL schema at the start; " +
				"without it, the daemon fails on another schema version"},
		{name: "nats-url", value: &s.NATSURL, preset: "", secret: true,
			help: "NATS servers through which Game processes on one database notify each other: " +
				"nats://user:password@host:4222, or tls:// with --tls-ca; empty for a single process"},
		{name: "game-target", value: &s.GameTarget, preset: "127.0.0.1:9090",
			help: "gRPC target of the Game service, for the role gateway: host:port, " +
				"several as host:port,host:port, or dns:///name:port"},
		{name: "strategy-target", value: &s.StrategyTarget, preset: "127.0.0.1:9091",
			help: "gRPC target of the Strategy service, for the roles game and gateway, as --game-target"},
		{name: "strategy-provider", value: &s.Providers, preset: []string(nil),
			help: "further Strategy services for robots and matches, for the roles game and strategy, each as " +
				"`name=target`, with a name of at most 64 characters and a target as in --game-target"},
		{name: "strategy-providers-file", value: &s.ProvidersFile, preset: "",
			help: "file of more strategy providers, one `name=target` a line; " +
				"the daemon follows its changes"},
		{name: "tls-cert", value: &s.TLSCert, preset: "",
			help: "PEM file of the certificate chain of all listeners; empty to serve without TLS. " +
				"The daemon follows changes of all TLS files"},
		{name: "tls-key", value: &s.TLSKey, preset: "",
			help: "PEM file of the private key for --tls-cert"},
		{name: "tls-client-ca", value: &s.TLSClientCA, preset: "",
			help: "PEM file of the CA bundle that client certificates must chain to (mutual TLS); " +
				"empty to require no client certificates"},
		{name: "tls-client-ca-except", value: &s.TLSClientCAExcept, preset: []string(nil),
			help: "listeners that require no client certificates: http, game, strategy, metrics"},
		{name: "tls-ca", value: &s.TLSCA, preset: "",
			help: "PEM file of the CA bundle that certificates of other services must chain to, " +
				"or `system`; empty to connect without TLS"},
		{name: "tls-client-cert", value: &s.TLSClientCert, preset: "",
			help: "PEM file of the client certificate for other services; empty to use --tls-cert"},
		{name: "tls-client-key", value: &s.TLSClientKey, preset: "",
			help: "PEM file of the private key for --tls-client-cert"},
		{name: "service-key", value: &s.ServiceKeys, preset: []string(nil), secret: true,
			help: "keys of products that act for their own users, each as `name=key`; " +
				"a key has at least 32 characters"},
		{name: "oidc-issuer", value: &s.OIDCIssuers, preset: []string(nil),
			help: "URLs of OpenID Connect issuers with tokens (JWT) that replace keys; " +
				"the first call with a token creates its player"},
		{name: "oidc-audience", value: &s.OIDCAudiences, preset: []string(nil),
			help: "accepted audiences of tokens"},
		{name: "oidc-token-type", value: &s.OIDCTokenTypes,
			preset: []string{"JWT", "at+jwt", "Bearer", "ID"},
			help: "accepted types of tokens, in the header typ and the claim typ; " +
				"a token may have neither"},
		{name: "oidc-name-claim", value: &s.OIDCNameClaim, preset: "name",
			help: "claim of a token with the name of a new player"},
		{name: "allowed-origin", value: &s.AllowedOrigins, preset: []string(nil),
			help: "web origins that may call the API from a browser; * for all"},
		{name: "call-rate", value: &s.CallRate, preset: 1000.0, help: "calls per second for each key"},
		{name: "address-call-rate", value: &s.AddressCallRate, preset: 0.0, zero: true,
			help: "calls per second for each client address, the /64 network for IPv6, over all keys of " +
				"players; exempt are service keys, and --trusted-proxy addresses that forward no client " +
				"address; 0 for four times --call-rate"},
		{name: "max-streams", value: &s.MaxStreams, preset: 1000, help: "open streams for each key"},
		{name: "max-address-streams", value: &s.MaxAddressStreams, preset: 0, zero: true,
			help: "open streams for each client address, as in --address-call-rate; " +
				"0 for four times --max-streams"},
		{name: "lag-grace", value: &s.LagGrace, preset: time.Second, zero: true, max: maxLagGrace,
			help: "time after its deadline in which a move still counts, for network delays; at most 10s"},
		{name: "count-outages", value: &s.CountOutages, preset: false,
			help: "let the clocks of players run while no process serves; " +
				"all processes on one database must agree"},
		{name: "max-connections", value: &s.MaxConnections, preset: 10_000, zero: true,
			help: "open connections for each listener; a new one replaces one without a call; " +
				"0 for no limit"},
		{name: "max-address-connections", value: &s.MaxAddressConnections, preset: 2000, zero: true,
			help: "open connections for each client address, the /64 network for IPv6, over all " +
				"listeners; addresses of --trusted-proxy are exempt; 0 for no limit"},
		{name: "request-memory", value: &s.RequestMemory, preset: 64, zero: true,
			help: "MiB of requests in flight over all connections; above it, the requests that have " +
				"been incomplete for longest are cancelled; 0 for no limit"},
		{name: "max-connection-streams", value: &s.MaxConnectionStreams, preset: 10_000, zero: true,
			help: "calls and streams in flight for each connection to Game or Strategy; " +
				"further ones wait; 0 for no limit"},
		{name: "search-time", value: &s.SearchTime, preset: 10 * time.Minute,
			help: "search time per minute for each key over REST, summed over concurrent searches"},
		{name: "max-invitations", value: &s.MaxInvitations, preset: 100,
			help: "games with open invitations for each player who created them"},
		{name: "player-rate", value: &s.PlayerRate, preset: 60.0,
			help: "new players per minute for each address"},
		{name: "wrong-key-rate", value: &s.WrongKeyRate, preset: 600.0,
			help: "different wrong keys per minute for each address; then the address can only use " +
				"keys that have been valid before"},
		{name: "trusted-proxy", value: &s.TrustedProxies, preset: []string(nil),
			help: "addresses or networks of trusted proxies, and of processes with the role gateway; " +
				"the server believes their X-Forwarded-For header"},
		{name: "heartbeat-interval", value: &s.HeartbeatInterval, preset: 10 * time.Second,
			help: "longest time without a message on a stream"},
		{name: "slow-reader-timeout", value: &s.SlowReaderTimeout, preset: 30 * time.Second,
			help: "longest time for a client to read a message before its stream ends"},
		{name: "robot-grace-period", value: &s.RobotGracePeriod, preset: 10 * time.Second,
			help: "grace period of a robot beyond its own time limit"},
		{name: "robot-retry-delay", value: &s.RobotRetryDelay, preset: 250 * time.Millisecond,
			help: "delay before the first retry of a failing robot; doubled for each further one"},
		{name: "robot-attempts", value: &s.RobotAttempts, preset: 3,
			help: "attempts to get a move from a robot before the server plays a simple move for it"},
		{name: "robot-lease", value: &s.RobotLease, preset: 5 * time.Second,
			help: "time until another process takes over a robot's turn from a failed process"},
		{name: "robot-parallel", value: &s.RobotParallel, preset: 64,
			help: "slots for robots' turns for each Strategy service; a turn takes more slots the longer " +
				"the robot may think, and a quarter of the slots is for turns of less than a second"},
		{name: "robot-time", value: &s.RobotTime, preset: 30 * time.Second, max: maxThinkingTime,
			help: "longest time that a robot thinks about a move; shortens the limits of its strategy"},
		{name: "analysis-time", value: &s.AnalysisTime, preset: maxThinkingTime, max: maxThinkingTime,
			help: "longest time of a call that searches, and of a move in a match"},
		{name: "pondering-time", value: &s.PonderingTime, preset: time.Duration(0), zero: true,
			max: maxThinkingTime,
			help: "longest time that the engine searches on after a robot's move, while the opponent " +
				"thinks, on processors that are idle; 0 for not at all"},
		{name: "webhook-give-up", value: &s.WebhookGiveUp, preset: 72 * time.Hour,
			help: "time without a successful request after which a failing webhook is disabled"},
		{name: "webhook-allow-private", value: &s.WebhookAllowPrivate, preset: false,
			help: "allow webhooks with http URLs and in private networks"},
		{name: "cache-memory", value: &s.CacheMemory, preset: 64,
			help: "memory budget of all caches of the process, in MiB"},
		{name: "search-memory", value: &s.SearchMemory, preset: 0, zero: true,
			help: "memory budget of all engine searches, in MiB; 0 for a quarter of GOMEMLIMIT, or else of " +
				"the memory of the container or the machine, at most 512"},
		{name: "shutdown-delay", value: &s.ShutdownDelay, preset: time.Duration(0), zero: true,
			help: "time to serve on after the readiness probe has started to fail, " +
				"until load balancers notice"},
		{name: "drain-timeout", value: &s.DrainTimeout, preset: 8 * time.Second, zero: true,
			help: "longest time to wait for calls in flight at shutdown"},
		{name: "log-level", value: &s.LogLevel, preset: "info", help: "debug, info, warn or error"},
		{name: "log-format", value: &s.LogFormat, preset: "json", help: "json or text"},
		{name: "trace-endpoint", value: &s.TraceEndpoint, preset: "",
			help: "URL to export traces to over OTLP, such as http://collector:4317; " +
				"empty to use OTEL_EXPORTER_OTLP_ENDPOINT, or to export none"},
	}
}

// DefaultSettings returns the default of every setting.
func DefaultSettings() Settings {
	var s Settings
	s.AddFlags(pflag.NewFlagSet("", pflag.ContinueOnError))
	return s
}

// AddFlags declares the flags of all settings and sets the settings to their defaults.
func (s *Settings) AddFlags(flags *pflag.FlagSet) {
	for _, r := range s.table() {
		r.addFlag(flags)
	}
	flags.String("config", "", "YAML file of settings, with the names of the flags as keys")
}

// Load sets every setting whose flag is not set: from the environment, or else from the file that
// --config names. flags come from AddFlags and are parsed. An error names the setting and its
// origin.
func (s *Settings) Load(flags *pflag.FlagSet, getenv func(string) string) error {
	path := cmp.Or(flags.Lookup("config").Value.String(), getenv("FLIPSIDE_CONFIG"))
	file, err := readFile(path)
	if err != nil {
		return err
	}
	for _, r := range s.table() {
		inFile, ok := file[r.name]
		delete(file, r.name)
		if flags.Changed(r.name) {
			continue
		}
		text, origin, err := r.fromEnv(getenv)
		if err != nil {
			return err
		}
		if origin == "" && ok {
			text, origin = yamlText(inFile), path
		}
		if origin == "" {
			continue
		}
		if err := flags.Set(r.name, text); err != nil {
			return fmt.Errorf("%s: %s: invalid value%s", origin, r.name, r.advice())
		}
	}
	for name := range file {
		return fmt.Errorf("%s: unknown setting %q: `flipsided config` lists all settings", path, name)
	}
	for _, r := range s.table() {
		if err := r.validate(); err != nil {
			return err
		}
	}
	if err := s.checkOrigins(); err != nil {
		return err
	}
	if flags.Changed("data") && len(s.DatabaseURLs) > 0 {
		return errors.New("--data and --database-url are both set: set only one of them")
	}
	if n := len(s.databases()); n > shards.MaxShards {
		return fmt.Errorf("--database-url: %d databases: at most %d are possible", n, shards.MaxShards)
	}
	return nil
}

// checkOrigins rejects an origin that no browser sends.
func (s *Settings) checkOrigins() error {
	for _, origin := range s.AllowedOrigins {
		if origin == "*" || origin == "null" {
			continue
		}
		sent, err := url.Parse(strings.ToLower(origin))
		if err != nil || sent.Scheme == "" || sent.Host == "" {
			return fmt.Errorf("--allowed-origin: invalid origin %q: "+
				"use one such as https://games.example, or * for all", origin)
		}
		if sent := sent.Scheme + "://" + sent.Host; origin != sent {
			return fmt.Errorf("--allowed-origin: browsers do not send %q: use %q", origin, sent)
		}
	}
	return nil
}

// databases returns the locations of games and players.
func (s *Settings) databases() []string {
	if len(s.DatabaseURLs) == 0 {
		return []string{s.Data}
	}
	return joinEntries(s.DatabaseURLs, func(entry string) bool {
		return strings.Contains(entry, "://") || strings.HasPrefix(entry, "sqlite:")
	})
}

// addressFactor is the number of keys whose limits an address has by default: several players share
// an address, but keys are free.
const addressFactor = 4

// callRates returns the limits on the calls of a key and of an address.
func (s *Settings) callRates() callquota.Rates {
	return callquota.Rates{
		Caller: s.CallRate, Address: cmp.Or(s.AddressCallRate, addressFactor*s.CallRate),
	}
}

// maxAddressStreams returns the limit on the open streams of an address.
func (s *Settings) maxAddressStreams() int {
	return cmp.Or(s.MaxAddressStreams, addressFactor*s.MaxStreams)
}

func readFile(path string) (map[string]any, error) {
	if path == "" {
		return nil, nil
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var file map[string]any
	if err := yaml.Unmarshal(content, &file); err != nil {
		return nil, fmt.Errorf("%s: not a YAML file of settings: %w", path, err)
	}
	return file, nil
}

// yamlText formats a value of the file like the value of a flag.
func yamlText(v any) string {
	list, ok := v.([]any)
	if !ok {
		return fmt.Sprint(v)
	}
	items := make([]string, len(list))
	for i, item := range list {
		items[i] = fmt.Sprint(item)
	}
	return strings.Join(items, ",")
}

// joinTargets joins the addresses of one target: an entry without a name continues the entry before.
func joinTargets(entries []string) []string {
	return joinEntries(entries, func(entry string) bool { return strings.Contains(entry, "=") })
}

// joinEntries joins the parts of entries that have commas, which separate the entries of a list. An
// entry that does not begin a new one continues the entry before.
func joinEntries(entries []string, begins func(entry string) bool) (joined []string) {
	for _, entry := range entries {
		if len(joined) > 0 && !begins(entry) {
			joined[len(joined)-1] += "," + entry
			continue
		}
		joined = append(joined, entry)
	}
	return joined
}

// pairs parses the entries of a setting of the form name=value.
func pairs(setting string, entries []string) (map[string]string, error) {
	parsed := map[string]string{}
	for _, entry := range entries {
		name, value, ok := strings.Cut(entry, "=")
		if !ok || name == "" || value == "" {
			return nil, fmt.Errorf("--%s: invalid entry: use name=value", setting)
		}
		if _, ok := parsed[name]; ok {
			return nil, fmt.Errorf("--%s: duplicate name %q", setting, name)
		}
		parsed[name] = value
	}
	return parsed, nil
}
