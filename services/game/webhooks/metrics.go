package webhooks

import "github.com/prometheus/client_golang/prometheus"

// The outcomes of a request.
const (
	delivered = "delivered"
	failed    = "failed"
)

type metrics struct {
	requests *prometheus.CounterVec
	disabled prometheus.Counter
}

func newMetrics() metrics {
	m := metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "flipside_webhook_requests_total",
			Help: "Requests to webhooks, by outcome: delivered or failed.",
		}, []string{"outcome"}),
		disabled: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "flipside_webhooks_disabled_total",
			Help: "Webhooks that this process has disabled: gone, or failing for too long.",
		}),
	}
	m.requests.WithLabelValues(delivered)
	m.requests.WithLabelValues(failed)
	return m
}

// Metrics returns the collectors of the metrics.
func (d *Deliverer) Metrics() []prometheus.Collector {
	serving := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "flipside_webhooks_in_progress",
		Help: "Webhooks that this process delivers to.",
	}, func() float64 {
		n := 0
		for _, s := range d.shards {
			n += len(s.slots)
		}
		return float64(n)
	})
	return []prometheus.Collector{d.metrics.requests, d.metrics.disabled, serving}
}
