package callquota_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/flipside-games/flipside/services/internal/callquota"
	"github.com/flipside-games/flipside/services/internal/fault"
)

func TestQuotas(t *testing.T) {
	q := callquota.New(nil, "call", 1, callquota.Rates{Caller: 10, Address: 30})
	ann := callquota.Source{Caller: "ann", Address: "a"}
	bob := callquota.Source{Caller: "bob", Address: "a"}
	elsewhere := callquota.Source{Caller: "cat", Address: "b"}
	product := callquota.Source{Caller: "user"}
	now := time.Now()
	take := func(name string, from callquota.Source, weight, taken int, want string) {
		t.Helper()
		err := q.Take(from, weight, taken, now)
		if want == "" && err == nil {
			return
		}
		limited := fault.ReasonOf(err) == fault.RateLimited
		if want == "" || !limited || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", name, err, want)
		}
	}
	take("the burst of a caller", ann, 20, 0, "")
	take("above the burst of the caller", ann, 1, 0, "too many calls: at most 10 per second")
	take("above the burst of the address", bob, 11, 0,
		"too many calls from your address, over all keys: at most 30 per second, and this one counts as 11")
	take("what is left of the address", bob, 10, 0, "")
	take("another address", elsewhere, 20, 0, "")
	take("a source without an address", product, 20, 0, "")
	q.Settle(bob, 10, 4, now)
	take("more than was given back to the address", bob, 7, 0, "your address")
	take("what was given back, of which a unit was taken before", bob, 7, 1, "")
	q.Charge(elsewhere, 10, now)
	now = now.Add(time.Second)
	take("a caller while it pays what was charged", elsewhere, 1, 0, "too many calls: at most 10")
}

// A call that its address cannot make costs its caller nothing.
func TestRejectionForTheAddressIsFree(t *testing.T) {
	q := callquota.New(nil, "call", 1, callquota.Rates{Caller: 1, Address: 1})
	now := time.Now()
	take := func(caller, address string) error {
		return q.Take(callquota.Source{Caller: caller, Address: address}, 2, 0, now)
	}
	if err := errors.Join(take("ann", "a"), take("bob", "b")); err != nil {
		t.Fatal(err)
	}
	now = now.Add(2 * time.Second)
	if err := take("cat", "a"); err != nil {
		t.Fatal(err)
	}
	if err := take("ann", "a"); fault.ReasonOf(err) != fault.RateLimited {
		t.Errorf("got %v, want RATE_LIMITED for the address", err)
	}
	if err := take("ann", "b"); err != nil {
		t.Errorf("from another address: %v", err)
	}
}
