// Package conformance tests that all clients behave alike. The cases of script.json have calls,
// expected answers and faults. The test starts a server behind a proxy, and runs the script with
// every client that the flag -client names: with the Go client in this package, with the others in
// a process of their own, clients/python/tests/conformance.py and
// clients/typescript/test/conformance.js. With -scaled the server has several processes.
//
// A runner reads the script from the controller of the test and plays its cases in order. A step is
// one of:
//
//   - call: the client of the player named by as makes a call with args. The answer contains expect,
//     or the call fails with reason.
//   - open: as call, for a stream, which gets this name.
//   - next: the next message of a stream contains expect, or the stream fails with reason.
//   - end: the stream has no more messages.
//   - fault: the controller breaks something, or repairs it, before the next step.
//
// Values of save are fields of an answer for later steps: "$game" in args and expect stands for the
// value that was saved as game. A case with rest is for the clients of the REST API only.
package conformance
