package game

import (
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

// Metrics returns what a registry can collect of the service, its robots and its store.
func (s *Service) Metrics() []prometheus.Collector {
	all := []prometheus.Collector{s.metrics.lag, stored{s.store}}
	if r := s.robots; r != nil {
		all = append(all, r.metrics.turns, r.metrics.took, r.metrics.unanswered, r.atWork())
	}
	return all
}

// What became of a robot's turn.
const (
	turnPlayed     = "played"
	turnAutomatic  = "automatic"
	turnStale      = "stale"
	turnHandedBack = "handedBack"
	turnFailed     = "failed"
)

// robotMetrics are the figures of what Robots do.
type robotMetrics struct {
	turns      *prometheus.CounterVec
	took       prometheus.Histogram
	unanswered *prometheus.CounterVec
}

func newRobotMetrics() robotMetrics {
	m := robotMetrics{
		turns: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "flipside_robot_turns_total",
			Help: "Robots' turns worked on, by what became of them: played by the robot, automatic in its place, stale since " +
				"the game had changed, handedBack by a process that stopped, or failed, to be tried again.",
		}, []string{"outcome"}),
		took: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "flipside_robot_turn_seconds",
			Help:    "How long robots' turns were worked on.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 120, 300},
		}),
		unanswered: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "flipside_robot_unanswered_total",
			Help: "Questions to which a provider of strategies gave no legal move in time; the one of the server itself has no name.",
		}, []string{"provider"}),
	}
	for _, outcome := range []string{turnPlayed, turnAutomatic, turnStale, turnHandedBack, turnFailed} {
		m.turns.WithLabelValues(outcome)
	}
	m.unanswered.WithLabelValues("")
	return m
}

func (r *Robots) atWork() prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "flipside_robots_at_work",
		Help: "Robots' turns that this process works on now.",
	}, func() float64 {
		r.mu.Lock()
		defer r.mu.Unlock()
		total := 0
		for _, taken := range r.taken {
			total += taken
		}
		return float64(total)
	})
}

var (
	gamesDesc = prometheus.NewDesc("flipside_games", "Games stored, by state.", []string{"state"}, nil)
	oldest    = prometheus.NewDesc("flipside_oldest_robot_turn_seconds",
		"How long the robot's turn that nobody works on and that began first has waited. 0 when there is none.", nil, nil)
	overdue = prometheus.NewDesc("flipside_oldest_overdue_clock_seconds",
		"How long the time of the most overdue player has been up, in a game that has not gone on yet. 0 when none is.", nil, nil)
)

// stored is what the store knows. It is read when somebody asks for it.
type stored struct{ store Store }

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
	for _, state := range []State{Waiting, Active, Finished, Aborted} {
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
