// Package intake limits what clients can make a process hold: open connections, in all, of one
// listener and of one address, and the bytes of requests. A new connection never waits: the one
// without a call in flight for the longest time makes room for it, so that idle connections lock no
// other client out. Some connections above the limits are for probes.
package intake

import (
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"github.com/flipside-games/flipside/services/internal/fault"
)

// Options are the settings of [Limits]. A limit of 0 is no limit.
type Options struct {
	// MaxConnections limits the open connections of the process.
	MaxConnections int
	// MaxAddressConnections limits the open connections of one [Network].
	MaxAddressConnections int
	// Exempt reports whether MaxAddressConnections does not apply to an address. Optional.
	Exempt func(netip.Addr) bool
	// MaxBytes limits the bytes of requests in flight.
	MaxBytes int64
	// Registry receives the metrics. Optional.
	Registry prometheus.Registerer
}

// Limits limits the connections and the request bytes of a process. It is safe for concurrent use.
type Limits struct {
	options   Options
	bytes     atomic.Int64 // of requests in flight
	shedding  sync.Mutex   // held while shed runs
	open      *prometheus.GaugeVec
	replaced  *prometheus.CounterVec
	cancelled prometheus.Counter

	mu        sync.Mutex
	process   group
	addresses map[netip.Prefix]*group
}

// New returns limits for the listeners of a process.
func New(o Options) *Limits {
	create := promauto.With(o.Registry)
	l := &Limits{
		options:   o,
		process:   group{name: "all clients", limit: o.MaxConnections},
		addresses: map[netip.Prefix]*group{},
		open: create.NewGaugeVec(prometheus.GaugeOpts{
			Name: "flipside_connections", Help: "Open connections by listener.",
		}, []string{"listener"}),
		replaced: create.NewCounterVec(prometheus.CounterOpts{
			Name: "flipside_replaced_connections_total",
			Help: "Connections without a call that made room for new ones, by listener.",
		}, []string{"listener"}),
		cancelled: create.NewCounter(prometheus.CounterOpts{
			Name: "flipside_cancelled_requests_total",
			Help: "Incomplete requests cancelled because too many bytes of requests were in flight.",
		}),
	}
	create.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "flipside_request_bytes", Help: "Bytes of requests in flight.",
	}, func() float64 { return float64(l.bytes.Load()) })
	return l
}

// Listener is a listener with limited connections.
type Listener struct {
	net.Listener
	limits *Limits
	name   string
	group  group
}

// Listen returns a listener with at most limit open connections; 0 sets no limit of its own. The
// name is its label in metrics.
func (l *Limits) Listen(lis net.Listener, name string, limit int) *Listener {
	return &Listener{
		Listener: lis, limits: l, name: name, group: group{name: "all clients", limit: limit},
	}
}

// Accept implements [net.Listener]. It returns a *[Conn].
func (lis *Listener) Accept() (net.Conn, error) {
	raw, err := lis.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &Conn{Conn: raw, listener: lis}
	c.remote = remoteAddr{raw.RemoteAddr(), c}
	c.quiet.Store(time.Now().UnixNano())
	lis.limits.add(c)
	return c, nil
}

// CloseIdle closes all connections of the listener without a call in flight for at least a time: a
// response can still be written after the call has ended.
func (lis *Listener) CloseIdle(least time.Duration) {
	lis.limits.mu.Lock()
	var idle []*Conn
	for c := range lis.group.all() {
		if c.idleFor(least) {
			idle = append(idle, c)
		}
	}
	lis.limits.mu.Unlock()
	for _, c := range idle {
		_ = c.Close()
	}
}

// add adds a connection to its groups. It closes the connections that make room for it.
func (l *Limits) add(c *Conn) {
	var replaced []*Conn
	l.mu.Lock()
	for _, g := range []*group{&l.process, &c.listener.group, l.addressGroup(&c.remote)} {
		if g == nil {
			continue
		}
		if victim := g.add(c); victim != nil {
			victim.leave()
			replaced = append(replaced, victim)
		}
	}
	l.mu.Unlock()
	l.open.WithLabelValues(c.listener.name).Inc()
	l.close(replaced)
}

// close closes connections that made room for others.
func (l *Limits) close(replaced []*Conn) {
	for _, c := range replaced {
		l.replaced.WithLabelValues(c.listener.name).Inc()
		_ = c.Close()
	}
}

// promote moves a connection to places in its groups, if they have any.
func (l *Limits) promote(c *Conn) error {
	var full *group
	var replaced []*Conn
	l.mu.Lock()
	for _, p := range c.places {
		victim, ok := p.promote()
		if !ok {
			full = p.group
		}
		if victim != nil {
			victim.leave()
			replaced = append(replaced, victim)
		}
	}
	c.extra.Store(full != nil)
	l.mu.Unlock()
	l.close(replaced)
	if full == nil {
		return nil
	}
	return fault.New(fault.TooManyConnections,
		"too many connections of %s: at most %d are allowed; close some", full.name, full.limit).
		With("limit", full.limit).RetryIn(time.Second)
}

// addressGroup returns the group of a client, or nil if it has no limit. The caller holds mu.
func (l *Limits) addressGroup(remote net.Addr) *group {
	address, ok := Address(remote)
	if !ok || l.options.MaxAddressConnections == 0 ||
		l.options.Exempt != nil && l.options.Exempt(address) {
		return nil
	}
	network := Network(address)
	g := l.addresses[network]
	if g == nil {
		g = &group{
			name: "your address", limit: l.options.MaxAddressConnections,
			empty: func() { delete(l.addresses, network) },
		}
		l.addresses[network] = g
	}
	return g
}

// Network returns the network of the addresses that count as one client: an IPv4 address, or the
// /64 network of an IPv6 address.
func Network(address netip.Addr) netip.Prefix {
	bits := 64
	if address.Is4() {
		bits = 32
	}
	return netip.PrefixFrom(address, bits).Masked()
}

// Address returns the IP address of a network address. ok is false if it has none, as that of a
// call from the same process.
func Address(addr net.Addr) (address netip.Addr, ok bool) {
	if remote, limited := addr.(*remoteAddr); limited {
		addr = remote.Addr
	}
	tcp, ok := addr.(*net.TCPAddr)
	if !ok {
		return address, false
	}
	return tcp.AddrPort().Addr().Unmap().WithZone(""), true
}
