package faulttest

import (
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"testing"
)

// proxy forwards connections between clients and a daemon, and breaks them like a network.
type proxy struct {
	lis net.Listener

	mu       sync.Mutex
	targets  []string // of new connections, round robin
	accepted int
	conns    map[*proxyConn]struct{}
	// A new connection is cut after a random number of response bytes from minBytes to maxBytes.
	// maxBytes is 0 for no limit.
	minBytes, maxBytes int
	random             *rand.Rand
	done               sync.WaitGroup
}

// proxyConn is one connection through a proxy.
type proxyConn struct {
	client, server *net.TCPConn
	dropping       atomic.Bool // drops response bytes
}

// newProxy starts a proxy until the test ends.
func newProxy(t testing.TB, targets ...string) *proxy {
	t.Helper()
	lis, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{
		lis: lis, targets: targets, conns: map[*proxyConn]struct{}{}, random: rand.New(rand.NewPCG(1, 2)),
	}
	p.done.Go(p.accept)
	t.Cleanup(func() {
		lis.Close()
		p.cut()
		p.done.Wait()
	})
	return p
}

func (p *proxy) addr() string { return p.lis.Addr().String() }

// setTargets changes the targets of new connections.
func (p *proxy) setTargets(targets ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.targets = targets
}

// cutAfter cuts each new connection after a random number of response bytes.
func (p *proxy) cutAfter(minBytes, maxBytes int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.minBytes, p.maxBytes = minBytes, maxBytes
}

// route returns the target of a new connection and its limit of response bytes, negative for none.
func (p *proxy) route() (target string, limit int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.accepted++
	target = p.targets[p.accepted%len(p.targets)]
	if p.maxBytes == 0 {
		return target, -1
	}
	return target, p.minBytes + p.random.IntN(p.maxBytes-p.minBytes)
}

// dropResponses drops all further response bytes on the open connections.
func (p *proxy) dropResponses() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		c.dropping.Store(true)
	}
}

// cut breaks all open connections.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		c.cut()
	}
}

// cut breaks the connection to both sides and loses all data in flight.
func (c *proxyConn) cut() {
	for _, conn := range []*net.TCPConn{c.client, c.server} {
		_ = conn.SetLinger(0)
		_ = conn.Close()
	}
}

func (p *proxy) accept() {
	for {
		client, err := p.lis.Accept()
		if err != nil {
			return
		}
		target, limit := p.route()
		server, err := net.Dial("tcp", target)
		if err != nil {
			_ = client.Close()
			continue
		}
		c := &proxyConn{client: client.(*net.TCPConn), server: server.(*net.TCPConn)}
		p.mu.Lock()
		p.conns[c] = struct{}{}
		p.mu.Unlock()
		p.done.Go(func() {
			_, _ = io.Copy(c.server, c.client)
			c.cut()
		})
		p.done.Go(func() {
			c.copyResponses(limit)
			c.cut()
			p.mu.Lock()
			defer p.mu.Unlock()
			delete(p.conns, c)
		})
	}
}

// copyResponses copies response bytes to the client, up to a limit.
func (c *proxyConn) copyResponses(limit int) {
	buffer := make([]byte, 4096)
	for {
		n, err := c.server.Read(buffer)
		if limit >= 0 {
			n = min(n, limit)
			limit -= n
		}
		if !c.dropping.Load() {
			if _, err := c.client.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil || limit == 0 {
			return
		}
	}
}
