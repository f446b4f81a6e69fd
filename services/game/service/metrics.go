package service

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/flipside-games/flipside/services/game"
)

func newLag() prometheus.Histogram {
	return prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "flipside_feed_lag_seconds",
		Help: "Delay from an event to its delivery, for each event and watcher.",
		// A second and more is a lost wake-up that a heartbeat made up for.
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
	})
}

// Metrics returns the collectors of the metrics of the service and its store.
func (s *Service) Metrics() []prometheus.Collector {
	return []prometheus.Collector{s.lag, storeStats{s.games}}
}

var (
	gamesDesc  = prometheus.NewDesc("flipside_games", "Stored games by state.", []string{"state"}, nil)
	oldestDesc = prometheus.NewDesc("flipside_oldest_robot_turn_seconds",
		"Age of the oldest robot's turn that no process works on; 0 if there is none.", nil, nil)
	overdueDesc = prometheus.NewDesc("flipside_oldest_overdue_clock_seconds",
		"Time since the earliest deadline that has passed without a move; 0 if there is none.", nil, nil)
)

// storeStats collects the statistics of the store at each scrape.
type storeStats struct{ store game.Store }

// Describe implements [prometheus.Collector].
func (storeStats) Describe(descs chan<- *prometheus.Desc) {
	descs <- gamesDesc
	descs <- oldestDesc
	descs <- overdueDesc
}

// Collect implements [prometheus.Collector]. It collects nothing if the store is unavailable.
func (s storeStats) Collect(collected chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	stats, err := s.store.Stats(ctx)
	if err != nil {
		return
	}
	gauge := func(desc *prometheus.Desc, value float64, labels ...string) {
		collected <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, labels...)
	}
	for _, state := range []game.State{
		game.StateWaiting, game.StateActive, game.StateFinished, game.StateAborted,
	} {
		gauge(gamesDesc, float64(stats.Games[state]), string(state))
	}
	gauge(oldestDesc, age(stats.OldestRobotTurn))
	gauge(overdueDesc, age(stats.FirstDeadline))
}

// age returns the seconds since a time, 0 for the zero time and for times in the future.
func age(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return max(0, time.Since(t).Seconds())
}
