// Package runbooktest runs the commands of docs/operations.md. It has only tests.
package runbooktest
