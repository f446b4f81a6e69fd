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

// ClientAddress returns the address of the client of a call that a server has received: an IPv4
// address, or the /64 network of an IPv6 address. It returns "" for a call from this process.
func (p Proxies) ClientAddress(ctx context.Context) string {
	return addressText(p.client(ctx))
}

// LimitedAddress is like ClientAddress, but returns "" for a trusted proxy that forwards no
// address: many clients share it.
func (p Proxies) LimitedAddress(ctx context.Context) string {
	return p.limitedText(p.client(ctx))
}

// ForwardedAddress is like LimitedAddress for a call that the gateway makes for a client.
func (p Proxies) ForwardedAddress(ctx context.Context) string {
	headers, _ := metadata.FromOutgoingContext(ctx)
	return p.limitedText(p.forwarded(netip.Addr{}, headers.Get(forwardedHeader)))
}

// client returns the address of the client, the zero value for a call from this process.
func (p Proxies) client(ctx context.Context) (at netip.Addr) {
	if from, ok := peer.FromContext(ctx); ok {
		at, _ = intake.Address(from.Addr)
	}
	if at.IsValid() && !p.Trusts(at) {
		return at
	}
	return p.forwarded(at, metadata.ValueFromIncomingContext(ctx, forwardedHeader))
}

// forwarded returns the last address that is not one of trusted proxies, starting at the one of the
// connection, which is the zero value for this process.
func (p Proxies) forwarded(at netip.Addr, headers []string) netip.Addr {
	hops := strings.Split(strings.Join(headers, ","), ",")
	for i := len(hops) - 1; i >= 0 && (!at.IsValid() || p.Trusts(at)); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		at = hop.Unmap().WithZone("")
	}
	return at
}

func (p Proxies) limitedText(at netip.Addr) string {
	if p.Trusts(at) {
		return ""
	}
	return addressText(at)
}

// addressText returns an IPv4 address, the /64 network of an IPv6 address, or "" for the zero
// value.
func addressText(at netip.Addr) string {
	switch {
	case !at.IsValid():
		return ""
	case at.Is4():
		return at.String()
	}
	return intake.Network(at).String()
}
