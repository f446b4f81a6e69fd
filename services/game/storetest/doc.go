// Package storetest is the contract test of [game.Store]. Every sentence with "must" in the
// comments of the interface is the name of a subtest. The tests play random games with the
// decisions of package game, on package sqlstore. They do not test load. The package contains only
// tests.
package storetest
