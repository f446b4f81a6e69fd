package robots

import "github.com/prometheus/client_golang/prometheus"

// The outcomes of a robot's turn.
const (
	played     = "played"
	automatic  = "automatic"
	stale      = "stale"
	handedBack = "handedBack"
	failed     = "failed"
)

type metrics struct {
	turns       *prometheus.CounterVec
	duration    prometheus.Histogram
	unanswered  *prometheus.CounterVec
	substitutes *prometheus.CounterVec
}

func newMetrics() metrics {
	m := metrics{
		turns: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "flipside_robot_turns_total",
			Help: "Turns of robots, by outcome: played by the robot, automatic (a simple move of the " +
				"server), stale (the game changed meanwhile), handedBack (the process stopped) or failed " +
				"(retried after the lease).",
		}, []string{"outcome"}),
		duration: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "flipside_robot_turn_seconds",
			Help:    "Time spent on a robot's turn.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 120, 300},
		}),
		unanswered: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "flipside_robot_unanswered_total",
			Help: "Attempts without a legal move in time, by strategy provider; \"\" is the built-in one.",
		}, []string{"provider"}),
		substitutes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "flipside_robot_substitutes_total",
			Help: "Simple moves that the server played for robots, by strategy provider and reason: " +
				"noAnswer, unavailable, rejected, invalidAnswer, illegalMove, or suspended (not asked, " +
				"since its last turns failed).",
		}, []string{"provider", "reason"}),
	}
	for _, outcome := range []string{played, automatic, stale, handedBack, failed} {
		m.turns.WithLabelValues(outcome)
	}
	m.unanswered.WithLabelValues("")
	return m
}

// Metrics returns the collectors of the robots' metrics.
func (r *Robots) Metrics() []prometheus.Collector {
	inProgress := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "flipside_robots_at_work",
		Help: "Turns of robots that this process works on.",
	}, func() float64 {
		r.mu.Lock()
		defer r.mu.Unlock()
		return float64(r.turns)
	})
	suspended := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "flipside_suspended_providers",
		Help: "Strategy providers that this process does not ask, since their last turns failed.",
	}, func() float64 { return float64(r.health.suspended()) })
	m := r.metrics
	return []prometheus.Collector{
		m.turns, m.duration, m.unanswered, m.substitutes, inProgress, suspended,
	}
}
