// Package faulttest breaks things around a running daemon: it kills the process, cuts connections, gives it strategies that
// are slow, silent, wrong or dead, readers who never read, and a database that goes away. Each test ends with the same
// question: is the log dense, is everything that was acknowledged in it once, does every robot's game end? What a Service
// promises by itself, to the millisecond, is tested beside it in package game. There is nothing here but tests.
package faulttest
