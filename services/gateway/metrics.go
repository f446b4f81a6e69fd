package gateway

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"github.com/flipside-games/flipside/services/internal/serve"
)

// metrics measures HTTP requests.
type metrics struct {
	duration *prometheus.HistogramVec
	inFlight prometheus.Gauge
}

func newMetrics(registry prometheus.Registerer) metrics {
	create := promauto.With(registry)
	return metrics{
		duration: create.NewHistogramVec(prometheus.HistogramOpts{
			Name: "flipside_http_seconds",
			Help: "Duration of finished HTTP requests by method, path pattern and status. " +
				"A stream counts when it ends.",
			Buckets: serve.DurationBuckets,
		}, []string{"method", "path", "code"}),
		inFlight: create.NewGauge(prometheus.GaugeOpts{
			Name: "flipside_http_requests_in_flight",
			Help: "HTTP requests in flight, including open streams.",
		}),
	}
}

// start counts a request. The returned function must be called at its end.
func (m metrics) start(r *http.Request, w *responseWriter) (end func()) {
	m.inFlight.Inc()
	start, method := time.Now(), methodLabel(r.Method)
	return func() {
		m.inFlight.Dec()
		m.duration.WithLabelValues(method, w.route, strconv.Itoa(w.status)).
			Observe(time.Since(start).Seconds())
	}
}

// methodLabel returns a supported method or "other", so that callers cannot create metrics.
func methodLabel(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodOptions:
		return method
	}
	return "other"
}
