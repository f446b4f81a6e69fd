// Package dnstest answers DNS queries inside the process of a test, so that one name can stand for several addresses of
// this machine. It is for tests only.
package dnstest

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// Serve serves DNS until the test ends. Every name has the addresses. It returns the target by which gRPC finds there what
// listens on a port of them.
func Serve(t testing.TB, port string, addresses ...netip.Addr) (target string) {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		packet := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(packet)
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if reply, err := answer(packet[:n], addresses); err == nil {
				_, _ = conn.WriteTo(reply, from)
			}
		}
	}()
	t.Cleanup(func() {
		conn.Close()
		<-served
	})
	return fmt.Sprintf("dns://%s/flipside.test:%s", conn.LocalAddr(), port)
}

// answer answers a query: with the addresses, if it asks for those.
func answer(query []byte, addresses []netip.Addr) ([]byte, error) {
	var m dnsmessage.Message
	if err := m.Unpack(query); err != nil {
		return nil, err
	}
	if len(m.Questions) != 1 {
		return nil, errors.New("not one question")
	}
	m.Response, m.Authoritative, m.Additionals = true, true, nil
	if asked := m.Questions[0]; asked.Type == dnsmessage.TypeA {
		for _, address := range addresses {
			m.Answers = append(m.Answers, dnsmessage.Resource{
				Header: dnsmessage.ResourceHeader{Name: asked.Name, Class: asked.Class},
				Body:   &dnsmessage.AResource{A: address.As4()},
			})
		}
	}
	return m.Pack()
}
