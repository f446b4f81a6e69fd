// Package natsfeed is a game.Feed between processes: wake-ups reach those in other processes by way of NATS. It keeps
// nothing and acknowledges nothing. While NATS is away readers are woken by the clock, so that they are late and miss
// nothing.
package natsfeed

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/localfeed"
)

// subject carries all wake-ups. Each process has one subscription, however many watch in it: a wake-up that nobody in a
// process waits for costs it a microsecond.
const subject = "flipside.wakes"

const (
	// probing is how often NATS is asked for a sign of life, and how often everybody is woken while there is none.
	probing = 2 * time.Second
	// reconnecting is the pause between attempts to reach NATS, to which as much again is added at random.
	reconnecting = 250 * time.Millisecond
	// waiting is how many wake-ups may wait to be sent. Those beyond are lost, which the other processes are told.
	waiting = 4096
	// batch and pause bound how fast everybody is woken, since everybody then reads the store: 10,000 topics a second.
	batch, pause = 500, 50 * time.Millisecond
)

// Options is what a feed is made of.
type Options struct {
	// URL is where NATS is: nats://host:4222 or tls://host:4222, with user:password@ where it asks for one, or several such
	// separated by commas.
	URL string
	// TLS says, for each connection anew, which authorities to trust and which certificate to show. It makes TLS a must; nil
	// is the authorities of the system and no certificate, where URL or NATS asks for TLS.
	TLS func() *tls.Config
	Log *slog.Logger
}

// Feed wakes subscribers in this process itself and those in others through NATS. It may be used from many goroutines.
// Close ends it.
type Feed struct {
	*localfeed.Feed
	conn *nats.Conn
	log  *slog.Logger
	// out holds what is to be sent. NATS may be stuck, and whoever publishes must not be.
	out chan game.Wake
	// untold is whether wake-ups of this process were lost on the way out, missed whether some may have been on the way in.
	untold, missed atomic.Bool
	// look has NATS probed at once.
	look chan struct{}
	// complaint is what was logged last of what NATS said.
	complaint string

	connected, roundTrip prometheus.Gauge
	lost                 prometheus.Counter

	stop    context.CancelFunc
	running sync.WaitGroup
}

var _ game.Feed = (*Feed)(nil)

// Open returns a feed on NATS, whether or not NATS can be reached now. What is wrong with the options is an error, which
// does not tell the URL, since there may be a password in it.
func Open(o Options) (*Feed, error) {
	f := &Feed{
		Feed: localfeed.New(),
		log:  o.Log,
		out:  make(chan game.Wake, waiting),
		look: make(chan struct{}, 1),
		connected: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "flipside_feed_connected", Help: "1 while wake-ups reach other processes and theirs reach this one, else 0.",
		}),
		roundTrip: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "flipside_feed_round_trip_seconds", Help: "How long the way to NATS and back took when it was last tried.",
		}),
		lost: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "flipside_feed_lost_total",
			Help: "Wake-ups that could not be sent to other processes, where readers look for themselves a little later.",
		}),
	}
	conn, err := nats.Connect(o.URL, f.options(o)...)
	if err != nil {
		return nil, errors.New("not the address of NATS servers")
	}
	f.conn = conn
	if _, err := conn.Subscribe(subject, f.receive); err != nil {
		conn.Close()
		return nil, errors.New("NATS cannot be listened to")
	}
	ctx, stop := context.WithCancel(context.Background())
	f.stop = stop
	reached := f.probe()
	f.running.Go(func() { f.send(ctx) })
	f.running.Go(func() { f.watch(ctx, reached) })
	return f, nil
}

// options has the connection tried for ever, and nothing kept for later while there is none.
func (f *Feed) options(o Options) []nats.Option {
	look := func(*nats.Conn) { f.lookNow() }
	options := []nats.Option{
		nats.Name("flipside"),
		nats.NoEcho(),
		nats.RetryOnFailedConnect(true),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(reconnecting),
		nats.ReconnectJitter(reconnecting, reconnecting),
		nats.IgnoreAuthErrorAbort(),
		nats.ReconnectBufSize(-1),
		nats.Timeout(probing),
		nats.PingInterval(probing),
		nats.FlusherTimeout(probing),
		nats.ConnectHandler(look),
		nats.ReconnectHandler(look),
		nats.DisconnectErrHandler(func(*nats.Conn, error) {
			// What was under way is lost, in both directions.
			f.untold.Store(true)
			f.missed.Store(true)
			f.lookNow()
		}),
		nats.ReconnectErrHandler(func(_ *nats.Conn, err error) { f.complain(err) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			f.complain(err)
			f.missed.Store(true)
			f.lookNow()
		}),
	}
	if o.TLS != nil {
		options = append(options, nats.ClientTLSConfig(
			func() (own tls.Certificate, err error) {
				if shown := o.TLS().Certificates; len(shown) > 0 {
					own = shown[0]
				}
				return own, nil
			},
			func() (*x509.CertPool, error) { return o.TLS().RootCAs, nil },
		))
	}
	return options
}

// complain logs what keeps NATS away, once for all the attempts that fail alike. Only callbacks of the connection call it,
// which come one at a time.
func (f *Feed) complain(err error) {
	if f.complaint != err.Error() {
		f.complaint = err.Error()
		f.log.Warn("NATS fails", "error", f.complaint)
	}
}

// Metrics returns what a registry can collect of the feed.
func (f *Feed) Metrics() []prometheus.Collector {
	return []prometheus.Collector{f.connected, f.roundTrip, f.lost}
}

// Close ends the feed. What waits to be sent is sent, if NATS is there.
func (f *Feed) Close() {
	f.stop()
	f.running.Wait()
	f.conn.Close()
}

// Publish implements game.Feed.
func (f *Feed) Publish(ctx context.Context, wake game.Wake) {
	f.Feed.Publish(ctx, wake)
	select {
	case f.out <- wake:
	default:
		f.lose()
	}
}

// lose notes that a wake-up does not reach other processes.
func (f *Feed) lose() {
	f.lost.Inc()
	f.untold.Store(true)
}

// send sends what was published until ctx ends, and then what is left.
func (f *Feed) send(ctx context.Context) {
	for {
		select {
		case wake := <-f.out:
			f.sendOne(wake)
		case <-ctx.Done():
			for len(f.out) > 0 {
				f.sendOne(<-f.out)
			}
			f.probe()
			return
		}
	}
}

func (f *Feed) sendOne(wake game.Wake) {
	message, err := json.Marshal(wake)
	if err == nil {
		err = f.conn.Publish(subject, message)
	}
	if err != nil {
		f.lose()
	}
}

// receive wakes subscribers for another process. What is no wake-up wakes nobody; one without a topic says that any of that
// process may have been lost.
func (f *Feed) receive(message *nats.Msg) {
	var wake game.Wake
	if json.Unmarshal(message.Data, &wake) != nil {
		return
	}
	if wake.Topic != "" {
		f.Feed.Publish(context.Background(), wake)
		return
	}
	f.missed.Store(true)
	f.lookNow()
}

func (f *Feed) lookNow() {
	select {
	case f.look <- struct{}{}:
	default:
	}
}

// watch wakes everybody while NATS is away and when it is back, until ctx ends. reached is whether it was there before.
func (f *Feed) watch(ctx context.Context, reached bool) {
	if !reached {
		f.left()
	}
	tick := time.NewTicker(probing)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-f.look:
		case <-ctx.Done():
			return
		}
		switch now := f.probe(); {
		case now && !reached:
			f.log.Info("NATS is reached")
			f.missed.Store(true)
			reached = true
		case !now && reached:
			f.left()
			reached = false
		}
		if !reached {
			f.missed.Store(true)
		} else if f.untold.Swap(false) {
			f.sendOne(game.Wake{Missed: true})
		}
		if f.missed.Swap(false) {
			f.wakeAll(ctx)
		}
	}
}

// left says that NATS is away.
func (f *Feed) left() {
	f.log.Warn("NATS cannot be reached: what happens in other processes is told late")
	f.untold.Store(true)
}

// probe reports whether a message comes back from NATS, which also means that all before it got there.
func (f *Feed) probe() bool {
	start := time.Now()
	if !f.conn.IsConnected() || f.conn.FlushTimeout(probing) != nil {
		f.connected.Set(0)
		return false
	}
	f.connected.Set(1)
	f.roundTrip.Set(time.Since(start).Seconds())
	return true
}

// wakeAll has everybody in this process look for what he was not told.
func (f *Feed) wakeAll(ctx context.Context) {
	for topics := range slices.Chunk(f.Topics(), batch) {
		for _, topic := range topics {
			f.Feed.Publish(ctx, game.Wake{Topic: topic, Missed: true})
		}
		if len(topics) < batch {
			return
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
	}
}
