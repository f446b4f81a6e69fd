package grpcapi

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strings"

	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
)

// forwardedHeader lists the addresses that a call passed: each proxy appends the address of its
// client.
const forwardedHeader = "x-forwarded-for"

// Proxies are the networks of trusted proxies: addresses that they forward are believed. The
// gateway in the same process is always trusted.
type Proxies []netip.Prefix

// ReadProxies parses addresses and networks, such as 10.0.0.7 and 10.0.0.0/8.
func ReadProxies(texts []string) (Proxies, error) {
	var proxies Proxies
	for _, text := range texts {
		network, err := netip.ParsePrefix(text)
		if err != nil {
			addr, err := netip.ParseAddr(text)
			if err != nil {
				return nil, fmt.Errorf("invalid proxy %q: use an address or a network such as 10.0.0.0/8", text)
			}
			network = netip.PrefixFrom(addr, addr.BitLen())
		}
		proxies = append(proxies, network.Masked())
	}
	return proxies, nil
}

func (p Proxies) trusts(addr netip.Addr) bool {
	for _, network := range p {
		if network.Contains(addr) {
			return true
		}
	}
	return false
}

// clientAddress returns the address of the client: an IPv4 address, or the /64 network of an IPv6
// address. It returns "" for a call from this process.
func (p Proxies) clientAddress(ctx context.Context) string {
	at, network := peerAddress(ctx)
	headers := metadata.ValueFromIncomingContext(ctx, forwardedHeader)
	hops := strings.Split(strings.Join(headers, ","), ",")
	for i := len(hops) - 1; i >= 0 && (!network || p.trusts(at)); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		at, network = hop.Unmap().WithZone(""), true
	}
	switch {
	case !network:
		return ""
	case at.Is4():
		return at.String()
	}
	return netip.PrefixFrom(at, 64).Masked().String()
}

// peerAddress returns the address of the peer, if the call came from the network.
func peerAddress(ctx context.Context) (addr netip.Addr, network bool) {
	from, ok := peer.FromContext(ctx)
	if !ok {
		return addr, false
	}
	tcp, network := from.Addr.(*net.TCPAddr)
	if network {
		addr = tcp.AddrPort().Addr().Unmap().WithZone("")
	}
	return addr, network
}
