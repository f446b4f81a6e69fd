package intake

import (
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// Conn is a connection of a [Listener]. The methods of a nil Conn do nothing: it stands for calls
// from the same process, which have no limits.
type Conn struct {
	net.Conn
	listener *Listener
	remote   remoteAddr
	places   []*place     // guarded by Limits.mu; nil once the connection has left its groups
	extra    atomic.Bool  // whether a group has the connection above its limit
	calls    atomic.Int64 // in flight, whose requests have arrived
	quiet    atomic.Int64 // when it was opened or the last call ended, in nanoseconds of Unix time
	trusted  atomic.Bool

	mu             sync.Mutex
	closed         bool
	read           int64 // bytes
	counted        int64 // bytes since the arrival of the oldest request
	oldest, newest *Request
	receiving      int         // number of requests from oldest to newest
	late           *time.Timer // cancels requests that take too long; nil if there are none
}

// remoteAddr is the remote address of a Conn, which leads from a call to its connection.
type remoteAddr struct {
	net.Addr
	conn *Conn
}

// ConnOf returns the connection with a remote address, or nil for a connection without limits.
func ConnOf(remote net.Addr) *Conn {
	if r, ok := remote.(*remoteAddr); ok {
		return r.conn
	}
	return nil
}

// RemoteAddr implements [net.Conn].
func (c *Conn) RemoteAddr() net.Addr { return &c.remote }

// Read implements [net.Conn]. It counts the bytes of incomplete requests.
func (c *Conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.mu.Lock()
	c.read += int64(n)
	c.count()
	c.mu.Unlock()
	if l := c.listener.limits; l.exceeded(0) {
		l.shed()
	}
	return n, err
}

// Close implements [net.Conn].
func (c *Conn) Close() error {
	l := c.listener.limits
	c.mu.Lock()
	if !c.closed {
		c.closed = true
		c.cancel(net.ErrClosed, always)
		l.open.WithLabelValues(c.listener.name).Dec()
	}
	c.mu.Unlock()
	l.mu.Lock()
	c.leave()
	l.mu.Unlock()
	return c.Conn.Close()
}

// leave removes the connection from its groups. The caller holds [Limits.mu].
func (c *Conn) leave() {
	for _, p := range c.places {
		p.leave()
	}
	c.places = nil
}

// inCall reports whether a call is in flight whose request has arrived.
func (c *Conn) inCall() bool { return c.calls.Load() > 0 }

// idleFor reports whether no such call has been in flight for a time.
func (c *Conn) idleFor(least time.Duration) bool {
	return !c.inCall() && time.Since(time.Unix(0, c.quiet.Load())) >= least
}

// StartCall counts a call whose request has arrived. It returns TOO_MANY_CONNECTIONS if the
// connection is above a limit and all others are in calls; probes can ignore that. Call EndCall at
// the end of the call in any case.
func (c *Conn) StartCall() error {
	if c == nil {
		return nil
	}
	c.calls.Add(1)
	if c.extra.Load() {
		return c.listener.limits.promote(c)
	}
	return nil
}

// EndCall ends a call that StartCall has counted.
func (c *Conn) EndCall() {
	if c != nil {
		c.quiet.Store(time.Now().UnixNano())
		c.calls.Add(-1)
	}
}

// Trust records that the connection has made an authenticated call.
func (c *Conn) Trust() {
	if c != nil && !c.trusted.Load() {
		c.trusted.Store(true)
	}
}

// Trusted reports whether the connection has made an authenticated call.
func (c *Conn) Trusted() bool { return c == nil || c.trusted.Load() }
