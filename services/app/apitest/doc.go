// Package apitest contains the list of API cases and runs it against a real daemon on free ports
// with a store of its own. A case is written once, as the JSON of its request. It runs over gRPC
// and, by its google.api.http annotation, over REST, and states the expected code, HTTP status and
// reason. Framing that only gRPC or only REST can get wrong is tested in packages serve and
// gateway. The package contains only tests.
package apitest
