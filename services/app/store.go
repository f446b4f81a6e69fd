package app

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/shards"
	"github.com/flipside-games/flipside/services/game/sqlstore"
)

// databases are the open databases of a process, which share the games.
type databases []*sqlstore.Store

// openDatabases opens the databases of the settings. It waits for those that cannot be reached.
func (a *App) openDatabases(ctx context.Context) (databases, error) {
	var open databases
	a.onStop(func(context.Context) {
		if err := within(storeCloseTimeout, func() error { return open.close() }); err != nil {
			a.log.Error("cannot close the store", "error", err)
		}
	})
	addresses := a.settings.databases()
	for i, address := range addresses {
		log := a.log
		if len(addresses) > 1 {
			log = log.With("database", sqlstore.Describe(address))
		}
		store, err := sqlstore.Open(ctx, address, sqlstore.Options{
			Shard:  sqlstore.Shard{Number: i, Count: len(addresses)},
			Caches: a.caches, Migrate: a.settings.Migrate, Wait: true, Log: log,
			CountOutages: a.settings.CountOutages,
		})
		if err != nil {
			return nil, err
		}
		open = append(open, store)
	}
	return open, nil
}

// store returns the only database, or a store over all of them.
func (d databases) store() game.Store {
	if len(d) == 1 {
		return d[0]
	}
	all := make([]shards.Shard, len(d))
	for i, database := range d {
		all[i] = database
	}
	return shards.New(all)
}

// shared reports whether other processes can use the same databases.
func (d databases) shared() bool { return slices.ContainsFunc(d, (*sqlstore.Store).Shared) }

// metrics returns the metrics of the databases. With several, the label database is the place in the
// list, from 1.
func (d databases) metrics() (all []prometheus.Collector) {
	for i, database := range d {
		for _, metric := range database.Metrics() {
			if len(d) > 1 {
				place := prometheus.Labels{"database": fmt.Sprint(i + 1)}
				metric = prometheus.WrapCollectorWith(place, metric)
			}
			all = append(all, metric)
		}
	}
	return all
}

// close closes all databases at the same time.
func (d databases) close() error {
	closed := make(chan error, len(d))
	for _, database := range d {
		go func() { closed <- database.Close() }()
	}
	var err error
	for range d {
		err = errors.Join(err, <-closed)
	}
	return err
}
