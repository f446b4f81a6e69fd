// Package feedtest tests that every [game.Feed] meets its contract. Every sentence with "must" in
// the comments of the interface is the name of a subtest. The package contains only tests.
package feedtest
