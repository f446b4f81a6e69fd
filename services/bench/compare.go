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

// meter measures one round.
type meter func(context.Context) sample

// call makes one call for a caller.
type call func(ctx context.Context, caller int) error

// compare measures each row and fills in its results. A first round of each figure and ceiling does
// not count.
func (b *bench) compare(ctx context.Context, rows ...row) []row {
	for i := range rows {
		r := &rows[i]
		var figures, ceilings []sample
		var ratios []float64
		for round := range b.rounds + 1 {
			c := r.limit(ctx)
			f := r.figure(ctx)
			if b.verbose {
				fmt.Fprintf(os.Stderr, "%12.0f %6.1f µs CPU, ceiling %12.0f %6.1f µs CPU\n",
					f.value, f.cpu, c.value, c.cpu)
			}
			if round > 0 {
				figures, ceilings = append(figures, f), append(ceilings, c)
				ratios = append(ratios, f.value/c.value)
			}
		}
		r.median, r.limitMedian = medians(figures), medians(ceilings)
		r.low, r.ratio, r.high = quantile(ratios, 0.25), median(ratios), quantile(ratios, 0.75)
	}
	check(ctx.Err())
	return rows
}

func medians(samples []sample) sample {
	var values, cpus []float64
	for _, s := range samples {
		values, cpus = append(values, s.value), append(cpus, s.cpu)
	}
	return sample{median(values), median(cpus)}
}

func median(values []float64) float64 { return quantile(values, 0.5) }

func quantile(values []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[int(q*float64(len(sorted)-1)+0.5)]
}

// rate measures the calls per second of all callers, each with one call at a time. server answers
// the calls; it is nil if they stay in this process.
func (b *bench) rate(server *process, call call) meter {
	return func(ctx context.Context) sample {
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
		check(group.Wait())
		n := float64(calls.Load())
		return sample{n / time.Since(start).Seconds(), (server.cpu() - cpu) / n}
	}
}

// latency measures the median time of consecutive calls by the first caller, in microseconds. calls
// is their number; with 0 they last a round.
func (b *bench) latency(calls int, call call) meter {
	return func(ctx context.Context) sample {
		var times []float64
		for start := time.Now(); calls == 0 && time.Since(start) < b.length || len(times) < calls; {
			begun := time.Now()
			check(call(ctx, 0))
			times = append(times, float64(time.Since(begun).Nanoseconds())/1000)
		}
		return sample{value: median(times)}
	}
}
