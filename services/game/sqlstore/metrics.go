package sqlstore

import (
	"os"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics are the histograms of the writer.
type metrics struct {
	seconds prometheus.Histogram
	jobs    prometheus.Histogram
}

func newMetrics() metrics {
	return metrics{
		seconds: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "flipside_store_commit_seconds",
			Help:    "Duration of write transactions, including the wait for the disk.",
			Buckets: []float64{.00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 5},
		}),
		jobs: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "flipside_store_commit_jobs",
			Help:    "Changes per write transaction.",
			Buckets: []float64{1, 2, 4, 8, 16, 32, 64, 128},
		}),
	}
}

// Metrics returns the metrics of the store for a registry. Those of its cache belong to the budget
// of the process.
func (s *Store) Metrics() []prometheus.Collector {
	all := []prometheus.Collector{
		s.writer.metrics.seconds, s.writer.metrics.jobs, s.writer.longestMetric(), s.db.metric(),
		s.health.metric(),
	}
	if s.db.shared() {
		all = append(all, s.clock.metric())
	}
	return all
}

func (w *writer) longestMetric() prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "flipside_store_commit_running_seconds",
		Help: "Duration so far of the oldest write transaction that is running.",
	}, func() float64 { return w.longest(time.Now()).Seconds() })
}

func (h *health) metric() prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "flipside_store_available",
		Help: "1 if the database is available, 0 from a failed call until the next heartbeat.",
	}, func() float64 {
		if h.failing() != nil {
			return 0
		}
		return 1
	})
}

func (f *sqliteFile) metric() prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "flipside_store_bytes",
		Help: "Bytes of the database file and its write-ahead log.",
	}, f.size)
}

func (f *sqliteFile) size() float64 {
	total := int64(0)
	for _, path := range []string{f.path, f.path + "-wal"} {
		if info, err := os.Stat(path); err == nil {
			total += info.Size()
		}
	}
	return float64(total)
}

func (p *postgres) metric() prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "flipside_store_connections",
		Help: "Connections to the database server that are in use.",
	}, func() float64 {
		return float64(p.readers.Stat().AcquiredConns() + p.writer.Stat().AcquiredConns())
	})
}
