package intake

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flipside-games/flipside/services/internal/fault"
)

// pipes is an in-memory listener.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	conn, ok := <-p
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (p pipes) Close() error   { return nil }
func (p pipes) Addr() net.Addr { return &net.UnixAddr{} }

// from is a connection with a remote address.
type from struct {
	net.Conn
	addr net.Addr
}

func (f from) RemoteAddr() net.Addr { return f.addr }

// client is the far end of a connection with limits.
type client struct {
	net.Conn
	server *Conn
}

// connect opens a connection from an address.
func connect(t *testing.T, lis *Listener, address string) client {
	t.Helper()
	near, far := net.Pipe()
	t.Cleanup(func() { near.Close() })
	lis.Listener.(pipes) <- from{far, &net.TCPAddr{IP: net.ParseIP(address), Port: 1}}
	conn, err := lis.Accept()
	if err != nil {
		t.Fatal(err)
	}
	return client{near, conn.(*Conn)}
}

// isOpen reports whether the server has not closed the connection.
func (c client) isOpen() bool {
	c.SetReadDeadline(time.Now().Add(time.Millisecond))
	_, err := c.Read(make([]byte, 1))
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

func wantOpen(t *testing.T, c client, want bool, name string) {
	t.Helper()
	if c.isOpen() != want {
		t.Errorf("%s is open: %t, want %t", name, !want, want)
	}
}

func listen(o Options, limit int) *Listener { return New(o).Listen(make(pipes, 1), "test", limit) }

// startCall starts a call and fails the test unless the connection may make it.
func startCall(t *testing.T, c client) {
	t.Helper()
	if err := c.server.StartCall(); err != nil {
		t.Fatal(err)
	}
}

func TestNewConnectionsReplaceTheLongestWithoutACall(t *testing.T) {
	for name, lis := range map[string]*Listener{
		"process":  listen(Options{MaxConnections: 3}, 0),
		"listener": listen(Options{}, 3),
		"address":  listen(Options{MaxAddressConnections: 3}, 0),
	} {
		t.Run(name, func(t *testing.T) {
			conns := make([]client, 3)
			for i := range conns {
				conns[i] = connect(t, lis, "192.0.2.1")
			}
			startCall(t, conns[0])
			fourth := connect(t, lis, "192.0.2.1")
			for i, open := range []bool{true, false, true} {
				wantOpen(t, conns[i], open, fmt.Sprintf("connection %d", i))
			}
			startCall(t, fourth)
			conns[0].server.EndCall()
			connect(t, lis, "192.0.2.1")
			connect(t, lis, "192.0.2.1")
			wantOpen(t, conns[0], false, "a connection after its call")
			wantOpen(t, fourth, true, "a connection in a call")
		})
	}
}

// Its response may still have to be written.
func TestAConnectionAfterACallIsReplacedLast(t *testing.T) {
	lis := listen(Options{}, 2)
	answered, idle := connect(t, lis, "192.0.2.1"), connect(t, lis, "192.0.2.1")
	startCall(t, answered)
	answered.server.EndCall()
	connect(t, lis, "192.0.2.1")
	wantOpen(t, answered, true, "the connection whose call has just ended")
	wantOpen(t, idle, false, "the connection without a call")
}

// When all connections are in calls, further ones can be probes but make no calls.
func TestConnectionsAboveTheLimit(t *testing.T) {
	lis := listen(Options{}, 2)
	first, second := connect(t, lis, "192.0.2.1"), connect(t, lis, "192.0.2.1")
	startCall(t, first)
	startCall(t, second)
	extra := connect(t, lis, "192.0.2.1")
	wantOpen(t, extra, true, "a connection above the limit")
	err := extra.server.StartCall()
	if fault.ReasonOf(err) != fault.TooManyConnections {
		t.Errorf("a call above the limit: %v, want %s", err, fault.TooManyConnections)
	}
	extra.server.EndCall()
	var last client
	for range Reserve {
		last = connect(t, lis, "192.0.2.1")
	}
	wantOpen(t, extra, false, "the oldest connection of the reserve")
	wantOpen(t, last, true, "the newest connection of the reserve")
	second.server.EndCall()
	startCall(t, last)
	wantOpen(t, second, false, "a connection without a call")
	wantOpen(t, first, true, "a connection in a call")
	first.server.Close()
	startCall(t, connect(t, lis, "192.0.2.1"))
}

func TestAddressesAreLimitedApart(t *testing.T) {
	lis := listen(Options{
		MaxAddressConnections: 1,
		Exempt:                netip.MustParsePrefix("10.0.0.0/8").Contains,
	}, 0)
	conns := map[string]client{}
	for _, address := range []string{"192.0.2.1", "192.0.2.2", "2001:db8:1:1::1", "2001:db8:1:2::1"} {
		conns[address] = connect(t, lis, address)
	}
	proxy := connect(t, lis, "10.1.1.1")
	connect(t, lis, "10.1.1.1")
	for _, address := range []string{"::ffff:192.0.2.1", "2001:db8:1:1::2"} {
		connect(t, lis, address)
	}
	for address, open := range map[string]bool{
		"192.0.2.1": false, "192.0.2.2": true, "2001:db8:1:1::1": false, "2001:db8:1:2::1": true,
	} {
		wantOpen(t, conns[address], open, address)
	}
	wantOpen(t, proxy, true, "the proxy")
	for c := range lis.group.all() {
		defer c.Close()
	}
}

// Groups of addresses must not outlive their connections.
func TestAddressesAreForgotten(t *testing.T) {
	lis := listen(Options{MaxAddressConnections: 2}, 0)
	for i := range 100 {
		connect(t, lis, fmt.Sprintf("2001:db8:0:%x::1", i)).server.Close()
	}
	if n := len(lis.limits.addresses); n != 0 {
		t.Errorf("%d addresses are left", n)
	}
}

// A response can be written after its call has ended, and the first call of a connection can be on
// its way.
func TestCloseIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lis := listen(Options{}, 0)
		idle, busy, answered := connect(t, lis, "192.0.2.1"), connect(t, lis, "192.0.2.1"), connect(t, lis, "192.0.2.1")
		startCall(t, busy)
		startCall(t, answered)
		time.Sleep(time.Minute)
		opened := connect(t, lis, "192.0.2.1")
		answered.server.EndCall()
		lis.CloseIdle(time.Minute)
		wantOpen(t, idle, false, "the idle connection")
		wantOpen(t, busy, true, "the connection in a call")
		wantOpen(t, answered, true, "the connection whose call has just ended")
		wantOpen(t, opened, true, "the connection that has just been opened")
		time.Sleep(time.Minute)
		lis.CloseIdle(time.Minute)
		wantOpen(t, busy, true, "the connection in a call")
		wantOpen(t, answered, false, "the connection whose call has ended")
		wantOpen(t, opened, false, "the connection without a call")
	})
}

// send makes a connection receive bytes of a request.
func (c client) send(t *testing.T, n int) {
	t.Helper()
	go c.Write(make([]byte, n))
	for buffer := make([]byte, 1000); n > 0; {
		read, err := c.server.Read(buffer[:min(n, len(buffer))])
		if err != nil {
			t.Fatal(err)
		}
		n -= read
	}
}

// receive starts a request. The returned function reports whether it was cancelled, and its reason.
func (c client) receive() (r *Request, cancelled func() (bool, fault.Reason)) {
	var mu sync.Mutex
	var cause error
	r = c.server.Receive(func(err error) {
		mu.Lock()
		defer mu.Unlock()
		cause = err
	})
	return r, func() (bool, fault.Reason) {
		mu.Lock()
		defer mu.Unlock()
		return cause != nil, fault.ReasonOf(cause)
	}
}

func TestOldestIncompleteRequestsAreCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lis := listen(Options{MaxBytes: 10_000}, 0)
		slow, fast := connect(t, lis, "192.0.2.1"), connect(t, lis, "192.0.2.2")
		_, slowCancelled := slow.receive()
		time.Sleep(time.Second)
		slow.send(t, 9000)
		r, fastCancelled := fast.receive()
		fast.send(t, 900)
		if c, _ := slowCancelled(); c {
			t.Error("a request was cancelled below the limit")
		}
		fast.send(t, 200)
		if _, reason := slowCancelled(); reason != fault.Overloaded {
			t.Errorf("the oldest request was not cancelled: reason %q", reason)
		}
		if c, _ := fastCancelled(); c {
			t.Error("the younger request was cancelled")
		}
		if n := lis.limits.bytes.Load(); n != 1100 {
			t.Errorf("%d bytes in flight, want 1100", n)
		}
		r.Done()
		r.Done()
		if n := lis.limits.bytes.Load(); n != 0 {
			t.Errorf("%d bytes in flight after the requests", n)
		}
		slow.server.Close()
		fast.server.Close()
	})
}

// The bytes of a busy connection do not add up: only those since its oldest incomplete request
// count.
func TestCompleteRequestsDoNotCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lis := listen(Options{MaxBytes: 10_000}, 0)
		c := connect(t, lis, "192.0.2.1")
		previous, _ := c.receive()
		for range 100 {
			next, cancelled := c.receive()
			c.send(t, 1000)
			previous.Done()
			previous = next
			if c, _ := cancelled(); c {
				t.Fatal("a request was cancelled")
			}
		}
		if c.server.Receiving() != 1 {
			t.Errorf("%d requests, want 1", c.server.Receiving())
		}
		c.server.Close()
	})
}

func TestLateRequestsAreCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, listen(Options{}, 0), "192.0.2.1")
		_, first := c.receive()
		time.Sleep(10 * time.Second)
		second, _ := c.receive()
		_, third := c.receive()
		second.Done()
		time.Sleep(20 * time.Second)
		synctest.Wait()
		if cancelled, _ := first(); !cancelled {
			t.Error("a request was not cancelled after 30 s")
		}
		if cancelled, _ := third(); cancelled {
			t.Error("a request was cancelled after 20 s")
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if cancelled, _ := third(); !cancelled {
			t.Error("the next request was not cancelled after 30 s")
		}
		c.server.Close()
	})
}

func TestHold(t *testing.T) {
	lis := listen(Options{MaxBytes: 10_000}, 0)
	c := connect(t, lis, "192.0.2.1").server
	release, err := c.Hold(6000)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Hold(6000); fault.ReasonOf(err) != fault.Overloaded {
		t.Errorf("holding 12,000 of 10,000 bytes: %v, want %s", err, fault.Overloaded)
	}
	release()
	if _, err := c.Hold(6000); err != nil {
		t.Error(err)
	}
}

// Calls from the same process have no connection and no limits.
func TestNoConnection(t *testing.T) {
	c := ConnOf(&net.TCPAddr{})
	if err := c.StartCall(); err != nil || !c.Trusted() || c.Receiving() != 0 {
		t.Error("a call without a connection is limited")
	}
	c.EndCall()
	c.Trust()
	if _, err := c.Hold(1 << 40); err != nil {
		t.Error(err)
	}
	r := c.Receive(nil)
	r.Done()
	if r.Conn() != nil {
		t.Error("a request without a connection has one")
	}
}
