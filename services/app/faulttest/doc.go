// Package faulttest injects faults into running daemons: it kills processes, cuts connections,
// stops the database, and adds slow, silent and failing strategies and clients that never read.
// Each test ends with the same checks: the log is dense, it contains every acknowledged move once,
// and every game of robots ends. Exact times are tested in package service. The package contains
// only tests.
package faulttest
