package app

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/flipside-games/flipside/services/game"
)

// gameMetrics are figures that the store knows. They are read when they are asked for.
type gameMetrics struct {
	service *game.Service
	games   *prometheus.Desc
	oldest  *prometheus.Desc
}

func newGameMetrics(service *game.Service) *gameMetrics {
	return &gameMetrics{
		service: service,
		games: prometheus.NewDesc("flipside_games", "Games stored, by state.",
			[]string{"state"}, nil),
		oldest: prometheus.NewDesc("flipside_oldest_robot_turn_seconds",
			"How long the robot that has been to move longest has been. 0 when none is.", nil, nil),
	}
}

// Describe implements prometheus.Collector.
func (m *gameMetrics) Describe(ch chan<- *prometheus.Desc) {
	ch <- m.games
	ch <- m.oldest
}

// Collect implements prometheus.Collector.
func (m *gameMetrics) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	stats, err := m.service.Stats(ctx)
	if err != nil {
		ch <- prometheus.NewInvalidMetric(m.games, err)
		return
	}
	for _, state := range []game.State{game.Waiting, game.Active, game.Finished, game.Aborted} {
		ch <- prometheus.MustNewConstMetric(m.games, prometheus.GaugeValue, float64(stats.Games[state]), string(state))
	}
	age := 0.0
	if !stats.OldestRobotTurn.IsZero() {
		age = time.Since(stats.OldestRobotTurn).Seconds()
	}
	ch <- prometheus.MustNewConstMetric(m.oldest, prometheus.GaugeValue, age)
}
