// Package natsfeed is a [game.Feed] between processes: NATS carries wake-ups to the other
// processes. It stores nothing and acknowledges nothing. While NATS is unavailable it wakes all
// subscribers at regular intervals, so that they are late but miss nothing.
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

// subject carries all wake-ups. Each process has one subscription for all its subscribers. A
// wake-up without a subscriber costs a process a microsecond.
const subject = "flipside.wakes"

const (
	// probeInterval is the interval between two round trips to NATS, and between two wake-ups of
	// all subscribers while NATS is unavailable.
	probeInterval = 2 * time.Second
	// reconnectWait is the delay between two attempts to connect. Up to as much is added at random.
	reconnectWait = 250 * time.Millisecond
	// queueLength is the number of wake-ups that wait to be sent. Further ones are lost; the other
	// processes are notified of the loss.
	queueLength = 4096
	// batch and batchPause limit the rate of waking all subscribers, which then read the store:
	// 10,000 topics per second.
	batch, batchPause = 500, 50 * time.Millisecond
)

// Options are the settings of a feed.
type Options struct {
	// URL is the address of NATS: nats://host:4222 or tls://host:4222, with user:password@ if NATS
	// requires it, or several addresses separated by commas.
	URL string
	// TLS returns the root CAs and the client certificate of each new connection, and makes TLS
	// mandatory. nil uses the CAs of the system and no certificate if URL or NATS requires TLS.
	TLS func() *tls.Config
	Log *slog.Logger
}

// Feed wakes subscribers in this process directly and those in other processes through NATS. It is
// safe for concurrent use. Close closes it.
type Feed struct {
	*localfeed.Feed
	conn *nats.Conn
	log  *slog.Logger
	// queue holds wake-ups to send. Publish does not wait for NATS.
	queue chan game.Wake
	// lostOut reports that wake-ups of this process may not have reached the others, lostIn that
	// wake-ups of others may not have reached this one.
	lostOut, lostIn atomic.Bool
	// probeNow requests a probe at once.
	probeNow chan struct{}
	// lastError is the last logged error of the connection. Only its callbacks use it, which are
	// not called concurrently.
	lastError string

	connected, roundTrip prometheus.Gauge
	lost                 prometheus.Counter

	stop    context.CancelFunc
	running sync.WaitGroup
}

var _ game.Feed = (*Feed)(nil)

// Open returns a feed, whether NATS is available or not. It returns an error for invalid options,
// without the URL, which may contain a password.
func Open(o Options) (*Feed, error) {
	f := &Feed{
		Feed:     localfeed.New(),
		log:      o.Log,
		queue:    make(chan game.Wake, queueLength),
		probeNow: make(chan struct{}, 1),
		connected: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "flipside_feed_connected",
			Help: "1 while the feed exchanges wake-ups with other processes, else 0.",
		}),
		roundTrip: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "flipside_feed_round_trip_seconds", Help: "Duration of the last round trip to NATS.",
		}),
		lost: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "flipside_feed_lost_total",
			Help: "Wake-ups that were not sent to other processes, where subscribers read the store later.",
		}),
	}
	conn, err := nats.Connect(o.URL, f.options(o)...)
	if err != nil {
		return nil, errors.New("invalid URL: use nats://host:4222 or tls://host:4222")
	}
	f.conn = conn
	if _, err := conn.Subscribe(subject, f.receive); err != nil {
		conn.Close()
		return nil, errors.New("cannot subscribe to NATS")
	}
	ctx, stop := context.WithCancel(context.Background())
	f.stop = stop
	available := f.probe()
	f.running.Go(func() { f.sendAll(ctx) })
	f.running.Go(func() { f.monitor(ctx, available) })
	return f, nil
}

// options returns options that reconnect without end and buffer nothing while there is no
// connection.
func (f *Feed) options(o Options) []nats.Option {
	probe := func(*nats.Conn) { f.requestProbe() }
	options := []nats.Option{
		nats.Name("flipside"),
		nats.NoEcho(),
		nats.RetryOnFailedConnect(true),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(reconnectWait),
		nats.ReconnectJitter(reconnectWait, reconnectWait),
		nats.IgnoreAuthErrorAbort(),
		nats.ReconnectBufSize(-1),
		nats.Timeout(probeInterval),
		nats.PingInterval(probeInterval),
		nats.FlusherTimeout(probeInterval),
		nats.ConnectHandler(probe),
		nats.ReconnectHandler(probe),
		nats.DisconnectErrHandler(func(*nats.Conn, error) {
			// Wake-ups in flight are lost in both directions.
			f.lostOut.Store(true)
			f.lostIn.Store(true)
			f.requestProbe()
		}),
		nats.ReconnectErrHandler(func(_ *nats.Conn, err error) { f.logOnce(err) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			f.logOnce(err)
			f.lostIn.Store(true)
			f.requestProbe()
		}),
	}
	if o.TLS != nil {
		options = append(options, nats.ClientTLSConfig(
			func() (own tls.Certificate, err error) {
				if all := o.TLS().Certificates; len(all) > 0 {
					own = all[0]
				}
				return own, nil
			},
			func() (*x509.CertPool, error) { return o.TLS().RootCAs, nil },
		))
	}
	return options
}

// logOnce logs an error of the connection unless it is the same as the last one.
func (f *Feed) logOnce(err error) {
	if f.lastError != err.Error() {
		f.lastError = err.Error()
		f.log.Warn("NATS connection failed", "error", f.lastError)
	}
}

// Metrics returns the collectors of the feed's metrics.
func (f *Feed) Metrics() []prometheus.Collector {
	return []prometheus.Collector{f.connected, f.roundTrip, f.lost}
}

// Close sends the queued wake-ups if NATS is available, and closes the feed.
func (f *Feed) Close() {
	f.stop()
	f.running.Wait()
	f.conn.Close()
}

// Publish implements [game.Feed].
func (f *Feed) Publish(ctx context.Context, wake game.Wake) {
	f.Feed.Publish(ctx, wake)
	select {
	case f.queue <- wake:
	default:
		f.lose()
	}
}

// lose counts a wake-up that was not sent.
func (f *Feed) lose() {
	f.lost.Inc()
	f.lostOut.Store(true)
}

// sendAll sends queued wake-ups until ctx ends, and then the rest of the queue.
func (f *Feed) sendAll(ctx context.Context) {
	for {
		select {
		case wake := <-f.queue:
			f.send(wake)
		case <-ctx.Done():
			for len(f.queue) > 0 {
				f.send(<-f.queue)
			}
			f.probe()
			return
		}
	}
}

func (f *Feed) send(wake game.Wake) {
	message, err := json.Marshal(wake)
	if err == nil {
		err = f.conn.Publish(subject, message)
	}
	if err != nil {
		f.lose()
	}
}

// receive publishes a wake-up of another process in this one. It ignores invalid messages. A
// wake-up without a topic announces that the other process has lost wake-ups of any topic.
func (f *Feed) receive(message *nats.Msg) {
	var wake game.Wake
	if json.Unmarshal(message.Data, &wake) != nil {
		return
	}
	if wake.Topic != "" {
		f.Feed.Publish(context.Background(), wake)
		return
	}
	f.lostIn.Store(true)
	f.requestProbe()
}

func (f *Feed) requestProbe() {
	select {
	case f.probeNow <- struct{}{}:
	default:
	}
}

// monitor probes NATS until ctx ends. It wakes all subscribers at each probe while NATS is
// unavailable, and once when it is available again.
func (f *Feed) monitor(ctx context.Context, available bool) {
	if !available {
		f.reportUnavailable()
	}
	tick := time.NewTicker(probeInterval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-f.probeNow:
		case <-ctx.Done():
			return
		}
		switch now := f.probe(); {
		case now && !available:
			f.log.Info("NATS is available")
			f.lostIn.Store(true)
			available = true
		case !now && available:
			f.reportUnavailable()
			available = false
		}
		if !available {
			f.lostIn.Store(true)
		} else if f.lostOut.Swap(false) {
			f.send(game.Wake{Missed: true})
		}
		if f.lostIn.Swap(false) {
			f.wakeAll(ctx)
		}
	}
}

func (f *Feed) reportUnavailable() {
	f.log.Warn("NATS is unavailable: changes of other processes arrive late")
	f.lostOut.Store(true)
}

// probe makes a round trip to NATS and reports whether it succeeded. All earlier messages have
// arrived then.
func (f *Feed) probe() bool {
	start := time.Now()
	if !f.conn.IsConnected() || f.conn.FlushTimeout(probeInterval) != nil {
		f.connected.Set(0)
		return false
	}
	f.connected.Set(1)
	f.roundTrip.Set(time.Since(start).Seconds())
	return true
}

// wakeAll wakes all subscribers of this process, so that they read the store.
func (f *Feed) wakeAll(ctx context.Context) {
	for topics := range slices.Chunk(f.Topics(), batch) {
		for _, topic := range topics {
			f.Feed.Publish(ctx, game.Wake{Topic: topic, Missed: true})
		}
		if len(topics) < batch {
			return
		}
		select {
		case <-time.After(batchPause):
		case <-ctx.Done():
			return
		}
	}
}
