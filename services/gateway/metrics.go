package gateway

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics are the figures of the HTTP side.
type metrics struct {
	took  *prometheus.HistogramVec
	under prometheus.Gauge
}

func newMetrics() metrics {
	return metrics{
		took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "flipside_http_seconds",
			Help:    "How long answered HTTP requests took, by method, pattern of the path and status. Streams count until they close.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 60},
		}, []string{"method", "path", "code"}),
		under: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "flipside_http_requests_in_flight",
			Help: "HTTP requests that are not answered yet, streams included.",
		}),
	}
}

// begin counts a request that begins. What it returns is to be called when the request was answered.
func (m metrics) begin(r *http.Request, w *writer) (end func()) {
	m.under.Inc()
	start, method := time.Now(), method(r.Method)
	return func() {
		m.under.Dec()
		m.took.WithLabelValues(method, w.route, strconv.Itoa(w.status)).Observe(time.Since(start).Seconds())
	}
}

// method returns the method if it is a usual one: what callers make up must not become ever new metrics.
func method(name string) string {
	switch name {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodOptions:
		return name
	}
	return "other"
}
