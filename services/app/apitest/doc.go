// Package apitest holds the list of API cases and runs it against the real thing: a daemon on free ports with a store of
// its own. A case is written once, as the JSON of its request, and goes over gRPC and, by its google.api.http annotation, over
// REST; it names the code, the HTTP status and the reason that are to come back. It leaves out what only one of the
// two can get wrong in its framing, which is tested beside it. There is nothing here but tests.
package apitest
