package sqlstore

import (
	"os"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics are the figures of a store. They count whether or not somebody reads them.
type metrics struct {
	took prometheus.Histogram
	jobs prometheus.Histogram
}

func newMetrics() metrics {
	return metrics{
		took: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "flipside_store_commit_seconds",
			Help:    "How long transactions that write took, the wait for the disk included.",
			Buckets: []float64{.00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 5},
		}),
		jobs: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "flipside_store_commit_jobs",
			Help:    "How many changes shared a transaction.",
			Buckets: []float64{1, 2, 4, 8, 16, 32, 64, 128},
		}),
	}
}

// Metrics returns what a registry can collect of the store.
func (s *Store) Metrics() []prometheus.Collector {
	return []prometheus.Collector{s.writer.metrics.took, s.writer.metrics.jobs, s.db.metric()}
}

func (f *sqliteFile) metric() prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "flipside_store_bytes",
		Help: "How much of the disk the database takes, its write-ahead log included.",
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
		Help: "How many connections to the database server are in use.",
	}, func() float64 { return float64(p.readers.Stat().AcquiredConns() + p.writer.Stat().AcquiredConns()) })
}
