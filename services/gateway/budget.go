package gateway

import (
	"context"
	"sync"
	"time"

	"github.com/flipside-games/flipside/services/internal/fault"
)

// usualSearchTime is how much search one caller may have done for him each minute: ten searches that never end.
const usualSearchTime = 10 * time.Minute

// budgets bound the time for which callers have searches done. Searches at the same time add up. What is not used
// is saved for a minute; a caller who has used up his own has all his searches ended.
type budgets struct {
	limit time.Duration // a minute

	mu       sync.Mutex
	accounts map[string]*account
	swept    time.Time
}

// account is the search time of one caller.
type account struct {
	// left was his at the time at; since then running searches use it up while it refills.
	left    time.Duration
	at      time.Time
	running map[*context.CancelCauseFunc]bool
	// empty goes off when nothing is left.
	empty *time.Timer
}

func newBudgets(limit time.Duration) *budgets {
	if limit == 0 {
		limit = usualSearchTime
	}
	return &budgets{limit: limit, accounts: map[string]*account{}}
}

// begin refuses a search of a caller who has no time left. Otherwise it returns the context of the search, which ends
// when the time is used up, with that as its cause. The caller of begin calls done when the search is over, once.
func (b *budgets) begin(ctx context.Context, caller string) (search context.Context, done func(), err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	a := b.account(caller)
	if a.left <= 0 {
		return nil, nil, b.exceeded(a)
	}
	search, cancel := context.WithCancelCause(ctx)
	a.running[&cancel] = true
	b.watch(a)
	return search, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		cancel(nil)
		b.settle(a, time.Now())
		delete(a.running, &cancel)
		b.watch(a)
	}, nil
}

// account returns the account of a caller as it is now. The lock is held.
func (b *budgets) account(caller string) *account {
	now := time.Now()
	if now.Sub(b.swept) > time.Minute {
		for name, a := range b.accounts {
			if b.settle(a, now); len(a.running) == 0 && a.left == b.limit {
				delete(b.accounts, name)
			}
		}
		b.swept = now
	}
	a := b.accounts[caller]
	if a == nil {
		a = &account{left: b.limit, at: now, running: map[*context.CancelCauseFunc]bool{}}
		a.empty = time.AfterFunc(time.Hour, func() { b.end(a) })
		a.empty.Stop()
		b.accounts[caller] = a
	}
	b.settle(a, now)
	return a
}

// settle brings an account up to now. The lock is held.
func (b *budgets) settle(a *account, now time.Time) {
	a.left = min(b.limit, a.left-time.Duration(b.drain(a)*float64(now.Sub(a.at))))
	a.at = now
}

// drain is how much of an account is used up in a unit of time, less what is refilled.
func (b *budgets) drain(a *account) float64 { return float64(len(a.running)) - b.refill() }

func (b *budgets) refill() float64 { return float64(b.limit) / float64(time.Minute) }

// watch has an account looked at when it will be empty. The lock is held.
func (b *budgets) watch(a *account) {
	if b.drain(a) <= 0 {
		a.empty.Stop()
		return
	}
	a.empty.Reset(time.Duration(float64(max(a.left, 0))/b.drain(a)) + time.Millisecond)
}

// end ends the searches of an account that is empty.
func (b *budgets) end(a *account) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.settle(a, time.Now()); a.left > 0 {
		b.watch(a)
		return
	}
	for cancel := range a.running {
		(*cancel)(b.exceeded(a))
	}
}

// exceeded is the refusal of a caller who has nothing left. There is some again when he has time for a search of a second.
func (b *budgets) exceeded(a *account) error {
	wanted := min(time.Second, b.limit) - a.left
	return fault.New(fault.BudgetExceeded, "the search time is used up: at most %v a minute", b.limit).
		With("limit", b.limit).RetryIn(time.Duration(float64(wanted) / b.refill()))
}
