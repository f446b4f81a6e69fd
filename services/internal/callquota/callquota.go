// Package callquota limits the rate of calls: of each caller, and of all callers at one client
// address.
package callquota

import (
	"time"

	"github.com/flipside-games/flipside/services/internal/cache"
	"github.com/flipside-games/flipside/services/internal/fault"
)

// Source is the origin of a call.
type Source struct {
	// Caller identifies the player or the product.
	Caller string
	// Address is the address of the client, "" if only the quota of the caller applies.
	Address string
}

// Rates are the units per second of each caller and of each address. A full quota of a caller has
// the units of two seconds, so that a page can load at once. A full quota of an address has those of
// one, or up to two if that of a caller has more: calls of many keys that begin together delay
// others.
type Rates struct{ Caller, Address float64 }

// Quotas hold the units that callers and addresses have left. They are safe for concurrent use.
type Quotas struct {
	rates     Rates
	callers   *cache.Quotas
	addresses *cache.Quotas
}

// New returns full quotas, as two caches that draw on the budget: name_quotas and
// name_address_quotas, each with a weight like that of [cache.New].
func New(budget *cache.Budget, name string, weight int, rates Rates) *Quotas {
	burst := 2 * rates.Caller
	return &Quotas{
		rates:   rates,
		callers: cache.NewQuotas(budget, name+"_quotas", weight, rates.Caller, burst),
		addresses: cache.NewQuotas(budget, name+"_address_quotas", weight, rates.Address,
			min(2*rates.Address, max(burst, rates.Address))),
	}
}

// Take takes the weight of a call, of which an earlier Take has taken some units, from the quotas of
// the caller and of the address. No call weighs more than a full quota of its caller. If the units
// are not left, Take takes none and returns RATE_LIMITED with the time after which they will be.
func (q *Quotas) Take(from Source, weight, taken int, now time.Time) error {
	weight = q.limit(weight)
	units := weight - taken
	if units <= 0 {
		return nil
	}
	if delay := q.callers.Take(from.Caller, units, now); delay > 0 {
		return exceeded("too many calls", q.rates.Caller, weight, delay)
	}
	if from.Address == "" {
		return nil
	}
	if delay := q.addresses.Take(from.Address, units, now); delay > 0 {
		q.callers.Settle(from.Caller, units, 0, now)
		return exceeded("too many calls from your address, over all keys", q.rates.Address, weight, delay)
	}
	return nil
}

func exceeded(problem string, rate float64, weight int, delay time.Duration) error {
	if weight == 1 {
		return fault.New(fault.RateLimited, "%s: at most %g per second", problem, rate).
			With("limit", rate).RetryIn(delay)
	}
	return fault.New(fault.RateLimited, "%s: at most %g per second, and this one counts as %d",
		problem, rate, weight).With("limit", rate).With("weight", weight).RetryIn(delay)
}

// Settle charges the units that a call has used in place of the weight that Take has taken for it.
func (q *Quotas) Settle(from Source, weight, used int, now time.Time) {
	weight, used = q.limit(weight), q.limit(used)
	q.callers.Settle(from.Caller, weight, used, now)
	if from.Address != "" {
		q.addresses.Settle(from.Address, weight, used, now)
	}
}

// Charge takes units, at most a full quota of the caller, whether they are left or not. Later calls
// wait for them.
func (q *Quotas) Charge(from Source, units int, now time.Time) { q.Settle(from, 0, units, now) }

// limit returns a number of units, but at most a full quota of a caller.
func (q *Quotas) limit(units int) int { return min(units, q.callers.Burst()) }
