package intake

import (
	"errors"
	"slices"
	"time"

	"github.com/flipside-games/flipside/services/internal/fault"
)

// RequestTimeout limits the time in which a request arrives.
const RequestTimeout = 30 * time.Second

var errLate = errors.New("the request did not arrive in time")

// Request is a request that is being received on a connection.
type Request struct {
	conn           *Conn
	began          time.Time
	offset         int64 // bytes that the connection had read before
	cancel         func(cause error)
	older, younger *Request
	done           bool // guarded by Conn.mu
}

// Receive counts the bytes that arrive on the connection as those of a request, until Done. It
// calls cancel, which must not block, if the request takes longer than [RequestTimeout], and with
// OVERLOADED if it is the oldest one when too many bytes of requests are in flight.
func (c *Conn) Receive(cancel func(cause error)) *Request {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	r := &Request{conn: c, began: time.Now(), offset: c.read, cancel: cancel, older: c.newest}
	if c.oldest == nil {
		c.oldest = r
	} else {
		c.newest.younger = r
	}
	c.newest = r
	c.receiving++
	if c.late == nil {
		c.late = time.AfterFunc(RequestTimeout, c.cancelLate)
	}
	return r
}

// Receiving returns the number of requests that are being received.
func (c *Conn) Receiving() int {
	if c == nil {
		return 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.receiving
}

// Conn returns the connection of the request.
func (r *Request) Conn() *Conn {
	if r == nil {
		return nil
	}
	return r.conn
}

// Done ends the request, which has arrived or failed. Further calls do nothing.
func (r *Request) Done() {
	if r == nil {
		return
	}
	r.conn.mu.Lock()
	defer r.conn.mu.Unlock()
	r.remove()
	r.conn.count()
}

// remove removes the request from its connection. The caller holds [Conn.mu].
func (r *Request) remove() {
	if r.done {
		return
	}
	r.done = true
	c := r.conn
	c.receiving--
	if r.older == nil {
		c.oldest = r.younger
	} else {
		r.older.younger = r.younger
	}
	if r.younger == nil {
		c.newest = r.older
	} else {
		r.younger.older = r.older
	}
}

// count updates the counted bytes. The caller holds mu.
func (c *Conn) count() {
	counted := int64(0)
	if c.oldest != nil {
		counted = c.read - c.oldest.offset
	}
	if counted != c.counted {
		c.listener.limits.bytes.Add(counted - c.counted)
		c.counted = counted
	}
}

// cancelLate cancels the requests that have not arrived in time.
func (c *Conn) cancelLate() {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	c.cancel(errLate, func(r *Request) bool { return now.Sub(r.began) >= RequestTimeout })
	c.late = nil
	if c.oldest != nil {
		c.late = time.AfterFunc(c.oldest.began.Add(RequestTimeout).Sub(now), c.cancelLate)
	}
}

// cancel cancels the oldest requests, up to one for which condition is false. The caller holds mu.
func (c *Conn) cancel(cause error, condition func(*Request) bool) {
	for r := c.oldest; r != nil && condition(r); r = c.oldest {
		r.remove()
		r.cancel(cause)
	}
	c.count()
}

// always is a condition.
func always(*Request) bool { return true }

// exceeded reports whether n more bytes of requests would be too many.
func (l *Limits) exceeded(n int64) bool {
	return l.options.MaxBytes > 0 && l.bytes.Load()+n > l.options.MaxBytes
}

// shed cancels incomplete requests until the bytes in flight are a quarter below the limit. It
// starts with the connection whose oldest request is the oldest of all: requests of clients that
// send them at once arrive within milliseconds.
func (l *Limits) shed() {
	if !l.shedding.TryLock() {
		return
	}
	defer l.shedding.Unlock()
	type candidate struct {
		conn  *Conn
		began time.Time
	}
	var candidates []candidate
	l.mu.Lock()
	for c := range l.process.all() {
		c.mu.Lock()
		if c.oldest != nil {
			candidates = append(candidates, candidate{c, c.oldest.began})
		}
		c.mu.Unlock()
	}
	l.mu.Unlock()
	slices.SortFunc(candidates, func(a, b candidate) int { return a.began.Compare(b.began) })
	for _, candidate := range candidates {
		if !l.exceeded(l.options.MaxBytes / 4) {
			return
		}
		c := candidate.conn
		c.mu.Lock()
		l.cancelled.Add(float64(c.receiving))
		c.cancel(Overloaded(), always)
		c.mu.Unlock()
	}
}

// Hold counts the bytes of a complete request until release. It returns OVERLOADED if too many
// bytes are in flight.
func (c *Conn) Hold(bytes int) (release func(), err error) {
	if c == nil || bytes < minHeld {
		return func() {}, nil
	}
	l, n := c.listener.limits, int64(bytes)
	if l.exceeded(n) {
		return nil, Overloaded()
	}
	l.bytes.Add(n)
	return func() { l.bytes.Add(-n) }, nil
}

// minHeld is the size below which Hold does not count a request.
const minHeld = 4 << 10

// Overloaded returns the error for a request that is dropped because too many bytes of requests are
// in flight.
func Overloaded() *fault.Error {
	return fault.New(fault.Overloaded,
		"the server receives too many large requests at the moment: retry later").RetryIn(time.Second)
}
