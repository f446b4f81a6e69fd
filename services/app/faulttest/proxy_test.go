package faulttest

import (
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"testing"
)

// proxy stands between a client and a daemon on the way of their connections, which it can break in the ways that networks do.
type proxy struct {
	lis net.Listener

	mu sync.Mutex
	// targets are where new connections lead, by turns.
	targets []string
	led     int
	conns   map[*relay]struct{}
	// least and most are how many bytes of answers a new connection gets before it is cut; most is 0 for all.
	least, most int
	random      *rand.Rand
	done        sync.WaitGroup
}

// relay is one connection through a proxy. One that is mute swallows what the daemon answers.
type relay struct {
	client, server *net.TCPConn
	mute           atomic.Bool
}

// between starts a proxy before addresses. It is closed when the test ends.
func between(t testing.TB, targets ...string) *proxy {
	t.Helper()
	lis, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{lis: lis, targets: targets, conns: map[*relay]struct{}{}, random: rand.New(rand.NewPCG(1, 2))}
	p.done.Go(p.accept)
	t.Cleanup(func() {
		lis.Close()
		p.cut()
		p.done.Wait()
	})
	return p
}

func (p *proxy) addr() string { return p.lis.Addr().String() }

// lead leads new connections to other addresses.
func (p *proxy) lead(targets ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.targets = targets
}

// allow has each new connection cut after so many bytes of answers, at random.
func (p *proxy) allow(least, most int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.least, p.most = least, most
}

// route returns where a new connection leads, and how many bytes of answers it gets; negative for all.
func (p *proxy) route() (target string, budget int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.led++
	target = p.targets[p.led%len(p.targets)]
	if p.most == 0 {
		return target, -1
	}
	return target, p.least + p.random.IntN(p.most-p.least)
}

// silence swallows what the daemon answers on the connections there are.
func (p *proxy) silence() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for r := range p.conns {
		r.mute.Store(true)
	}
}

// cut breaks all connections there are.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for r := range p.conns {
		r.cut()
	}
}

// cut breaks the connection to both sides, as if the network had gone: what is under way is lost.
func (r *relay) cut() {
	for _, c := range []*net.TCPConn{r.client, r.server} {
		_ = c.SetLinger(0)
		_ = c.Close()
	}
}

func (p *proxy) accept() {
	for {
		client, err := p.lis.Accept()
		if err != nil {
			return
		}
		target, budget := p.route()
		server, err := net.Dial("tcp", target)
		if err != nil {
			_ = client.Close()
			continue
		}
		r := &relay{client: client.(*net.TCPConn), server: server.(*net.TCPConn)}
		p.mu.Lock()
		p.conns[r] = struct{}{}
		p.mu.Unlock()
		p.done.Go(func() {
			_, _ = io.Copy(r.server, r.client)
			r.cut()
		})
		p.done.Go(func() {
			p.answer(r, budget)
			r.cut()
			p.mu.Lock()
			defer p.mu.Unlock()
			delete(p.conns, r)
		})
	}
}

// answer copies what the daemon answers, up to a budget.
func (p *proxy) answer(r *relay, budget int) {
	buffer := make([]byte, 4096)
	for {
		n, err := r.server.Read(buffer)
		if budget >= 0 {
			n = min(n, budget)
			budget -= n
		}
		if !r.mute.Load() {
			if _, err := r.client.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil || budget == 0 {
			return
		}
	}
}
