package app

import (
	"context"
	"fmt"
	"syscall"

	"github.com/flipside-games/flipside/services/game/sqlstore"
	"github.com/flipside-games/flipside/services/internal/intake"
	"github.com/flipside-games/flipside/services/internal/serve"
)

// otherFiles is the number of open files that connections leave to logs, certificates, webhooks and
// connections to other services.
const otherFiles = 72

// reservedFiles returns the number of open files that connections leave to everything else.
func (a *App) reservedFiles() int {
	files := otherFiles
	if a.role.has(Game) {
		for _, database := range a.settings.databases() {
			files += sqlstore.MaxFiles(database)
		}
	}
	return files
}

// limitIntake limits the connections and request bytes of all listeners.
func (a *App) limitIntake(context.Context) (err error) {
	if a.proxies, err = serve.ReadProxies(a.settings.TrustedProxies); err != nil {
		return fmt.Errorf("--trusted-proxy: %w", err)
	}
	a.intake = intake.New(intake.Options{
		MaxConnections:        a.connectionsOfFiles(),
		MaxAddressConnections: a.settings.MaxAddressConnections,
		Exempt:                a.proxies.Trusts,
		MaxBytes:              int64(a.settings.RequestMemory) << 20,
		Registry:              a.registry,
	})
	return nil
}

// connectionsOfFiles returns the number of connections that the limit of open files leaves room
// for, or 0 if the limit is unknown. The Go runtime has raised the soft limit to the hard limit.
func (a *App) connectionsOfFiles() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		a.log.Warn("cannot read the limit of open files", "error", err)
		return 0
	}
	connections := max(1, int(min(limit.Cur, 1<<30))-a.reservedFiles()-intake.Reserve)
	if connections < a.settings.MaxConnections {
		a.log.Warn("the limit of open files is too low for --max-connections: raise it "+
			"(ulimit -n, LimitNOFILE=), or lower --max-connections",
			"openFiles", limit.Cur, "maxConnections", a.settings.MaxConnections,
			"possibleConnections", connections)
	}
	return connections
}
