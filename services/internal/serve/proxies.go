package serve

import (
	"context"
	"fmt"
	"net/netip"
	"strings"

	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"

	"github.com/flipside-games/flipside/services/internal/intake"
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

// Trusts reports whether an address is that of a trusted proxy.
func (p Proxies) Trusts(addr netip.Addr) bool {
	for _, network := range p {
		if network.Contains(addr) {
			return true
		}
	}
	return false
}

// ClientAddress returns the address of the client: an IPv4 address, or the /64 network of an IPv6
// address. It returns "" for a call from this process.
func (p Proxies) ClientAddress(ctx context.Context) string {
	var at netip.Addr
	network := false
	if from, ok := peer.FromContext(ctx); ok {
		at, network = intake.Address(from.Addr)
	}
	headers := metadata.ValueFromIncomingContext(ctx, forwardedHeader)
	hops := strings.Split(strings.Join(headers, ","), ",")
	for i := len(hops) - 1; i >= 0 && (!network || p.Trusts(at)); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		at, network = hop.Unmap().WithZone(""), true
	}
	if !network {
		return ""
	}
	if at.Is4() {
		return at.String()
	}
	return intake.Network(at).String()
}
