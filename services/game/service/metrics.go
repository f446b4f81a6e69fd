package service

import (
	"github.com/flipside-games/flipside/services/game"

	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics are the figures of what a Service does. They count whether or not somebody reads them.
type metrics struct{ lag prometheus.Histogram }

func newMetrics() metrics {
	return metrics{lag: prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "flipside_feed_lag_seconds",
		Help: "How long after something happened in a game each of its watchers was told: the commit and the way to him.",
		// A second and more is a wake-up that was lost and healed by a heartbeat.
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
	})}
}

// Metrics returns what a registry can collect of the service and its store.
func (s *Service) Metrics() []prometheus.Collector {
	return []prometheus.Collector{s.metrics.lag, stored{s.games}}
}

var (
	gamesDesc = prometheus.NewDesc("flipside_games", "Games stored, by state.", []string{"state"}, nil)
	oldest    = prometheus.NewDesc("flipside_oldest_robot_turn_seconds",
		"How long the robot's turn that nobody works on and that began first has waited. 0 when there is none.", nil, nil)
	overdue = prometheus.NewDesc("flipside_oldest_overdue_clock_seconds",
		"How long the time of the most overdue player has been up, in a game that has not gone on yet. 0 when none is.", nil, nil)
)

// stored is what the store knows. It is read when somebody asks for it.
type stored struct{ store game.Store }

// Describe implements prometheus.Collector.
func (stored) Describe(ch chan<- *prometheus.Desc) {
	ch <- gamesDesc
	ch <- oldest
	ch <- overdue
}

// Collect implements prometheus.Collector. Of a store that cannot be asked there are no figures.
func (s stored) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	stats, err := s.store.Stats(ctx)
	if err != nil {
		return
	}
	for _, state := range []game.State{game.StateWaiting, game.StateActive, game.StateFinished, game.StateAborted} {
		ch <- prometheus.MustNewConstMetric(gamesDesc, prometheus.GaugeValue, float64(stats.Games[state]), string(state))
	}
	ch <- prometheus.MustNewConstMetric(oldest, prometheus.GaugeValue, age(stats.OldestRobotTurn))
	ch <- prometheus.MustNewConstMetric(overdue, prometheus.GaugeValue, age(stats.FirstDeadline))
}

// age returns how many seconds ago a time was, 0 for one that is to come and for none.
func age(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return max(0, time.Since(t).Seconds())
}
