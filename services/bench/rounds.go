//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// sample is what one round came to: how many a second, or how many microseconds. cpu is the microseconds of a processor
// that the server took for each, 0 where that is not known.
type sample struct{ value, cpu float64 }

// meter measures for one round.
type meter func(context.Context) (sample, error)

// comparison is what came of measuring a figure and its ceiling in turns. Medians are of all rounds; a ratio is of the
// two rounds that followed each other.
type comparison struct {
	figure, ceiling sample
	ratio           float64
	// low and high are the quartiles of the ratio: how far to trust it.
	low, high float64
}

// compare measures a figure and its ceiling in turns, after a round of each that does not count.
func (b *bench) compare(ctx context.Context, figure, ceiling meter) (comparison, error) {
	var figures, ceilings []sample
	var ratios []float64
	for i := range b.rounds + 1 {
		c, err := ceiling(ctx)
		if err != nil {
			return comparison{}, err
		}
		f, err := figure(ctx)
		if err != nil {
			return comparison{}, err
		}
		if b.verbose {
			fmt.Fprintf(os.Stderr, "%12.0f %6.1f µs CPU, ceiling %12.0f %6.1f µs CPU\n", f.value, f.cpu, c.value, c.cpu)
		}
		if i > 0 {
			figures, ceilings, ratios = append(figures, f), append(ceilings, c), append(ratios, f.value/c.value)
		}
	}
	return comparison{
		figure: medians(figures), ceiling: medians(ceilings), ratio: median(ratios),
		low: quantile(ratios, 0.25), high: quantile(ratios, 0.75),
	}, nil
}

func medians(of []sample) sample {
	var values, cpus []float64
	for _, s := range of {
		values, cpus = append(values, s.value), append(cpus, s.cpu)
	}
	return sample{median(values), median(cpus)}
}

func median(of []float64) float64 { return quantile(of, 0.5) }

func quantile(of []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(of))
	return sorted[int(q*float64(len(sorted)-1)+0.5)]
}

// rate returns how often a second the callers make a call, each one at a time. server, if any, is who answers.
func (b *bench) rate(ctx context.Context, server *process, call func(ctx context.Context, caller int) error) (sample, error) {
	var calls atomic.Int64
	start, cpu := time.Now(), server.cpu()
	group, ctx := errgroup.WithContext(ctx)
	for caller := range callers {
		group.Go(func() error {
			for time.Since(start) < b.length {
				if err := call(ctx, caller); err != nil {
					return err
				}
				calls.Add(1)
			}
			return nil
		})
	}
	err := group.Wait()
	n := float64(calls.Load())
	return sample{n / time.Since(start).Seconds(), (server.cpu() - cpu) / n}, err
}

// latency returns the median time of calls one after the other, so many of them or, for 0, as many as a round has
// time for.
func (b *bench) latency(ctx context.Context, calls int, call func(context.Context) error) (sample, error) {
	var times []float64
	for start := time.Now(); calls == 0 && time.Since(start) < b.length || len(times) < calls; {
		begun := time.Now()
		if err := call(ctx); err != nil {
			return sample{}, err
		}
		times = append(times, float64(time.Since(begun).Nanoseconds())/1000)
	}
	return sample{value: median(times)}, nil
}
