package app

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/spf13/pflag"
)

// Settings is all that can be set about the daemon. Each is declared once, in table.
type Settings struct {
	HTTPAddr     string
	GameAddr     string
	StrategyAddr string
	MetricsAddr  string

	Data           string
	DatabaseURL    string
	Migrate        bool
	NATSURL        string
	GameTarget     string
	StrategyTarget string
	Providers      []string

	TLSCert           string
	TLSKey            string
	TLSClientCA       string
	TLSClientCAExcept []string
	TLSCA             string
	TLSClientCert     string
	TLSClientKey      string

	ServiceKeys          []string
	OIDCIssuers          []string
	OIDCAudiences        []string
	OIDCNameClaim        string
	AllowedOrigins       []string
	CallRate             float64
	MaxStreams           int
	PlayerRate           float64
	MaxConnections       int
	MaxConnectionStreams int
	TrustedProxies       []string
	SearchTime           time.Duration

	LagGrace          time.Duration
	HeartbeatInterval time.Duration
	SlowReaderTimeout time.Duration
	RobotPatience     time.Duration
	RobotPause        time.Duration
	RobotLease        time.Duration
	RobotAttempts     int
	RobotParallel     int
	SearchMemory      int
	ShutdownDelay     time.Duration
	DrainTimeout      time.Duration

	LogLevel      string
	LogFormat     string
	TraceEndpoint string
}

// row declares one setting: the flag --name, the environment variable FLIPSIDE_NAME, the key name in the
// configuration file, its default, and its meaning.
type row struct {
	name   string
	value  any // a pointer into Settings
	preset any // the default
	help   string
	// zero is whether a number or duration may be 0, and most the longest that a duration may be, 0 for any.
	zero bool
	most time.Duration
	// secret settings are not shown, and may be read from the file that FLIPSIDE_NAME_FILE names.
	secret bool
}

// table declares the settings.
func (s *Settings) table() []row { //nolint:funlen // A table is read in one piece.
	return []row{
		{name: "http-addr", value: &s.HTTPAddr, preset: "127.0.0.1:8080", help: "where REST and web pages are served"},
		{name: "game-addr", value: &s.GameAddr, preset: "127.0.0.1:9090", help: "where the Game service is served over gRPC"},
		{name: "strategy-addr", value: &s.StrategyAddr, preset: "127.0.0.1:9091",
			help: "where the Strategy service is served over gRPC"},
		{name: "metrics-addr", value: &s.MetricsAddr, preset: "127.0.0.1:9092",
			help: "where metrics and probes are served; empty for nowhere"},
		{name: "data", value: &s.Data, preset: "flipside.db", help: "the SQLite file that holds games and players"},
		{name: "database-url", value: &s.DatabaseURL, preset: "", secret: true,
			help: "the database that holds games and players in place of that file: postgres://user:password@host/name, " +
				"which processes may share, or sqlite:path"},
		{name: "migrate", value: &s.Migrate, preset: false,
			help: "bring the schema of PostgreSQL up to date at the start, in place of refusing another one"},
		{name: "nats-url", value: &s.NATSURL, preset: "", secret: true,
			help: "NATS servers by which Game processes on one database wake each other: nats://user:password@host:4222, or tls:// " +
				"with the files below; empty for one process"},
		{name: "game-target", value: &s.GameTarget, preset: "127.0.0.1:9090", help: "where the gateway alone finds Game"},
		{name: "strategy-target", value: &s.StrategyTarget, preset: "127.0.0.1:9091",
			help: "where Game or the gateway alone find Strategy"},
		{name: "strategy-provider", value: &s.Providers, preset: []string(nil),
			help: "more Strategy services that robots may name, each `name=target`"},
		{name: "tls-cert", value: &s.TLSCert, preset: "",
			help: "PEM file of the certificate, with its chain, that every listener shows; empty for no TLS. " +
				"This and the files below are read again when they change"},
		{name: "tls-key", value: &s.TLSKey, preset: "", help: "PEM file of the private key of --tls-cert"},
		{name: "tls-client-ca", value: &s.TLSClientCA, preset: "",
			help: "PEM file of the authorities one of which callers must have a certificate of (mutual TLS); empty for none"},
		{name: "tls-client-ca-except", value: &s.TLSClientCAExcept, preset: []string(nil),
			help: "listeners whose callers need no certificate all the same: http, game, strategy, metrics"},
		{name: "tls-ca", value: &s.TLSCA, preset: "",
			help: "PEM file of the authorities that services called elsewhere have their certificates of, or `system`; " +
				"empty to call them without TLS"},
		{name: "tls-client-cert", value: &s.TLSClientCert, preset: "",
			help: "PEM file of the certificate that services called elsewhere are shown; empty for that of --tls-cert"},
		{name: "tls-client-key", value: &s.TLSClientKey, preset: "", help: "PEM file of the private key of --tls-client-cert"},
		{name: "service-key", value: &s.ServiceKeys, preset: []string(nil), secret: true,
			help: "keys of products that act for their own users, each `name=key`, the key at least 32 characters"},
		{name: "oidc-issuer", value: &s.OIDCIssuers, preset: []string(nil),
			help: "URLs of OpenID Connect issuers whose tokens (JWT) are as good as a key; players are created when they first come"},
		{name: "oidc-audience", value: &s.OIDCAudiences, preset: []string(nil), help: "audiences one of which tokens must be for"},
		{name: "oidc-name-claim", value: &s.OIDCNameClaim, preset: "name", help: "claim of a token that holds a new player's name"},
		{name: "allowed-origin", value: &s.AllowedOrigins, preset: []string(nil),
			help: "origins whose pages may call the API from a browser; * is all"},
		{name: "call-rate", value: &s.CallRate, preset: 1000.0, help: "calls a second that one key may make"},
		{name: "max-streams", value: &s.MaxStreams, preset: 1000, help: "streams that one key may have open"},
		{name: "lag-grace", value: &s.LagGrace, preset: time.Second, zero: true, most: longestGrace,
			help: "how long after its deadline a move may come, because of the way it has to take; at most 10s"},
		{name: "max-connections", value: &s.MaxConnections, preset: 10_000, zero: true,
			help: "connections that each listener may have open, others wait; 0 for any number"},
		{name: "max-connection-streams", value: &s.MaxConnectionStreams, preset: 10_000, zero: true,
			help: "calls and streams that one connection to Game or Strategy may have open, others wait; 0 for any number"},
		{name: "search-time", value: &s.SearchTime, preset: 10 * time.Minute,
			help: "search that one key may have done each minute over REST, added up over searches at the same time"},
		{name: "player-rate", value: &s.PlayerRate, preset: 60.0, help: "players a minute that may be created from one address"},
		{name: "trusted-proxy", value: &s.TrustedProxies, preset: []string(nil),
			help: "addresses or networks of proxies, and of gateways that run alone, whose X-Forwarded-For is believed"},
		{name: "heartbeat-interval", value: &s.HeartbeatInterval, preset: 10 * time.Second,
			help: "the longest silence on a stream"},
		{name: "slow-reader-timeout", value: &s.SlowReaderTimeout, preset: 30 * time.Second,
			help: "how long a message may wait to be read before its stream is ended"},
		{name: "robot-patience", value: &s.RobotPatience, preset: 10 * time.Second,
			help: "how long a robot may take beyond the time it means to think"},
		{name: "robot-pause", value: &s.RobotPause, preset: 250 * time.Millisecond,
			help: "the pause before a robot is asked again; it doubles"},
		{name: "robot-attempts", value: &s.RobotAttempts, preset: 3,
			help: "how often a robot is asked before a move is made without it"},
		{name: "robot-lease", value: &s.RobotLease, preset: 5 * time.Second,
			help: "how long a robot's turn stays with a process that no longer works on it"},
		{name: "robot-parallel", value: &s.RobotParallel, preset: 64,
			help: "robots' turns worked on at once, for each Strategy service; a quarter of them for the games that one player created"},
		{name: "search-memory", value: &s.SearchMemory, preset: 512,
			help: "MiB of memory that searches of the engine may use at once"},
		{name: "shutdown-delay", value: &s.ShutdownDelay, preset: time.Duration(0), zero: true,
			help: "how long the daemon serves on after it has said that it is not ready any more, for load balancers to notice"},
		{name: "drain-timeout", value: &s.DrainTimeout, preset: 8 * time.Second, zero: true,
			help: "how long calls under way may take when the daemon stops"},
		{name: "log-level", value: &s.LogLevel, preset: "info", help: "debug, info, warn or error"},
		{name: "log-format", value: &s.LogFormat, preset: "json", help: "json or text"},
		{name: "trace-endpoint", value: &s.TraceEndpoint, preset: "",
			help: "where traces are sent over OTLP, as a URL such as http://collector:4317; empty is where OTEL_EXPORTER_OTLP_ENDPOINT " +
				"says, or nowhere"},
	}
}

// env is the environment variable of a setting.
func (r row) env() string { return "FLIPSIDE_" + strings.ToUpper(strings.ReplaceAll(r.name, "-", "_")) }

// add declares the setting's flag, which sets its default.
func (r row) add(flags *pflag.FlagSet) {
	switch p := r.value.(type) {
	case *string:
		flags.StringVar(p, r.name, r.preset.(string), r.help)
	case *[]string:
		flags.StringSliceVar(p, r.name, r.preset.([]string), r.help)
	case *bool:
		flags.BoolVar(p, r.name, r.preset.(bool), r.help)
	case *int:
		flags.IntVar(p, r.name, r.preset.(int), r.help)
	case *float64:
		flags.Float64Var(p, r.name, r.preset.(float64), r.help)
	case *time.Duration:
		flags.DurationVar(p, r.name, r.preset.(time.Duration), r.help)
	default:
		panic("a setting of an unknown type: " + r.name)
	}
}

// AddFlags declares the flags of all settings.
func (s *Settings) AddFlags(flags *pflag.FlagSet) {
	for _, r := range s.table() {
		r.add(flags)
	}
	flags.String("config", "", "a YAML file of settings, by their flags' names without dashes in front")
}

// DefaultSettings returns the settings with their defaults.
func DefaultSettings() Settings {
	var s Settings
	s.AddFlags(pflag.NewFlagSet("", pflag.ContinueOnError))
	return s
}

// Load fills in what no flag says: from the environment, else from the file of --config. flags were declared with
// AddFlags and parsed. What it cannot use is an error that names the setting and where it came from.
func (s *Settings) Load(flags *pflag.FlagSet, getenv func(string) string) error {
	path := flags.Lookup("config").Value.String()
	if path == "" {
		path = getenv("FLIPSIDE_CONFIG")
	}
	file, err := readFile(path)
	if err != nil {
		return err
	}
	for _, r := range s.table() {
		fromFile, inFile := file[r.name]
		delete(file, r.name)
		if flags.Changed(r.name) {
			continue
		}
		text, from, err := r.fromEnv(getenv)
		if err != nil {
			return err
		}
		if from == "" && inFile {
			text, from = yamlText(fromFile), path
		}
		if from == "" {
			continue
		}
		if err := flags.Set(r.name, text); err != nil {
			return fmt.Errorf("%s: %s: not a valid value", from, r.name)
		}
	}
	for name := range file {
		return fmt.Errorf("%s: there is no setting %q", path, name)
	}
	for _, r := range s.table() {
		if err := r.check(); err != nil {
			return err
		}
	}
	if flags.Changed("data") && s.DatabaseURL != "" {
		return errors.New("there can be only one store: --data and --database-url are both set")
	}
	return nil
}

// database is where games and players are.
func (s *Settings) database() string { return cmp.Or(s.DatabaseURL, s.Data) }

// check refuses a number or a duration that makes no sense.
func (r row) check() error {
	var sign int
	switch p := r.value.(type) {
	case *int:
		sign = cmp.Compare(*p, 0)
	case *float64:
		sign = cmp.Compare(*p, 0)
	case *time.Duration:
		sign = cmp.Compare(*p, 0)
		if r.most > 0 && *p > r.most {
			return fmt.Errorf("--%s: %v is more than %v", r.name, *p, r.most)
		}
	default:
		return nil
	}
	if sign == -1 || sign == 0 && !r.zero {
		return fmt.Errorf("--%s: %s is too little", r.name, r.text())
	}
	return nil
}

// fromEnv returns the value that the environment holds and the name of the variable, "" for none.
func (r row) fromEnv(getenv func(string) string) (text, from string, err error) {
	if v := getenv(r.env()); v != "" {
		return v, r.env(), nil
	}
	variable := r.env() + "_FILE"
	path := getenv(variable)
	if !r.secret || path == "" {
		return "", "", nil
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return "", "", fmt.Errorf("%s: cannot read %s", variable, path)
	}
	return strings.TrimSpace(string(content)), variable, nil
}

func readFile(path string) (map[string]any, error) {
	if path == "" {
		return nil, nil
	}
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no such file", path)
	}
	if err != nil {
		return nil, err
	}
	var file map[string]any
	if err := yaml.Unmarshal(content, &file); err != nil {
		return nil, fmt.Errorf("%s: not a YAML file of settings: %w", path, err)
	}
	return file, nil
}

// yamlText writes a value of the file as it would stand in a flag.
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

// pairs reads settings of the form name=value.
func pairs(setting string, list []string) (map[string]string, error) {
	read := map[string]string{}
	for _, item := range list {
		name, value, ok := strings.Cut(item, "=")
		if !ok || name == "" || value == "" {
			return nil, fmt.Errorf("--%s: an entry has the form name=value", setting)
		}
		if _, twice := read[name]; twice {
			return nil, fmt.Errorf("--%s: %q is there twice", setting, name)
		}
		read[name] = value
	}
	return read, nil
}
