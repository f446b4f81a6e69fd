package gateway

import (
	_ "embed" // for the overlay
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/flipside-games/flipside/gen"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

//go:embed overlay.json
var overlayJSON []byte

// object is a JSON object.
type object = map[string]any

// openAPI returns the OpenAPI document of all routes. The generated document describes requests and
// responses, but not the streams, documents, headers, keys and errors of this gateway. The file
// overlay.json adds the parts that all routes share, describe those of each route.
func openAPI(routes map[routeKey]*route, version string) ([]byte, error) {
	var doc, overlay object
	if err := json.Unmarshal(gen.OpenAPI, &doc); err != nil {
		return nil, fmt.Errorf("generated OpenAPI document: %w", err)
	}
	if err := json.Unmarshal(overlayJSON, &overlay); err != nil {
		return nil, fmt.Errorf("overlay of the OpenAPI document: %w", err)
	}
	schemas := within(doc, "components", "schemas")
	delete(schemas, "google.rpc.Status")
	delete(schemas, "google.api.HttpBody")
	schemas["flipside.rules.v1.ErrorReason"] = reasonSchema()
	for _, rt := range routes {
		operation, ok := within(doc, "paths", rt.template)[strings.ToLower(rt.verb)].(object)
		if !ok {
			return nil, fmt.Errorf("generated OpenAPI document: %s %s is missing", rt.verb, rt.template)
		}
		rt.describe(operation)
	}
	merge(doc, overlay)
	within(doc, "info")["version"] = version
	cleanDescriptions(doc)
	return json.MarshalIndent(doc, "", " ")
}

// describe completes the description of one operation.
func (rt *route) describe(operation object) {
	parameters := []string{"OnBehalfOf", "RequestId", "Traceparent", "GrpcTimeout"}
	if rt.in.Descriptor().Fields().ByName("request_id") != nil {
		parameters = append([]string{"IdempotencyKey"}, parameters...)
	}
	responses := within(operation, "responses")
	if rt.after != nil {
		parameters = append([]string{"LastEventId"}, parameters...)
	}
	for _, name := range parameters {
		list, _ := operation["parameters"].([]any)
		operation["parameters"] = append(list, reference("parameters", name))
	}
	if body, ok := operation["requestBody"].(object); ok {
		body["required"] = false // An empty body stands for an empty object.
		within(body, "content", jsonType, "schema")["additionalProperties"] = false
	}
	responses["default"] = reference("responses", "Error")
	success := within(responses, "200")
	switch {
	case rt.isStream():
		describeStream(success, reference("schemas", string(rt.out.Descriptor().FullName())))
	case rt.out.Descriptor().FullName() == "google.api.HttpBody":
		text := object{"schema": object{"type": "string"}}
		success["description"] = "The board."
		success["content"] = object{"text/plain; charset=utf-8": text, "image/svg+xml": text}
	}
}

// describeStream describes both framings of a stream.
func describeStream(response, message object) {
	line := within(response, "content", jsonType, "schema")
	delete(line, "title")
	line["description"] = "One line of the stream: a message or the error that ended it."
	response["description"] = "A stream. As `application/x-ndjson`, every line is one JSON object. " +
		"With `Accept: text/event-stream`, the stream consists of server-sent events: `data` is one message, " +
		"`event` the name of the field in it, and `id` the resume point if the stream can be resumed. " +
		"An error that ends the stream is an event named `error`."
	response["content"] = object{
		ndjsonType: object{"schema": line},
		eventsType: object{"schema": message},
	}
}

func reasonSchema() object {
	values := rulesv1.ErrorReason(0).Descriptor().Values()
	var names []any
	for i := 1; i < values.Len(); i++ { // The first value is unspecified.
		names = append(names, strings.TrimPrefix(string(values.Get(i).Name()), "ERROR_REASON_"))
	}
	return object{"type": "string", "description": "The cause of a failed call.", "enum": names}
}

func reference(kind, name string) object { return object{"$ref": "#/components/" + kind + "/" + name} }

// within returns the object at a path. It creates missing objects.
func within(o object, path ...string) object {
	for _, name := range path {
		inner, ok := o[name].(object)
		if !ok {
			inner = object{}
			o[name] = inner
		}
		o = inner
	}
	return o
}

// merge adds one object to another: it merges objects, appends lists and replaces all other values.
func merge(to, from object) {
	for name, value := range from {
		switch value := value.(type) {
		case object:
			merge(within(to, name), value)
		case []any:
			list, _ := to[name].([]any)
			// An empty list also counts: it means no security.
			to[name] = append(append([]any{}, list...), value...)
		default:
			to[name] = value
		}
	}
}

var (
	// lintComment matches a comment line for the proto linter.
	lintComment = regexp.MustCompile(`(?m)\n?^buf:lint:.*$`)
	// protoName matches a field name of the protos that differs from its JSON name.
	protoName = regexp.MustCompile("`[a-z]+(_[a-z]+)+`")
)

// cleanDescriptions removes lint comments from all descriptions and replaces proto names by JSON
// names.
func cleanDescriptions(value any) {
	switch value := value.(type) {
	case []any:
		for _, inner := range value {
			cleanDescriptions(inner)
		}
	case object:
		for name, inner := range value {
			text, ok := inner.(string)
			if !ok || name != "description" && name != "summary" {
				cleanDescriptions(inner)
				continue
			}
			text = protoName.ReplaceAllStringFunc(lintComment.ReplaceAllString(text, ""), lowerCamel)
			value[name] = strings.TrimSpace(text)
		}
	}
}

// lowerCamel converts a field name of the protos to its JSON name.
func lowerCamel(name string) string {
	words := strings.Split(name, "_")
	for i := 1; i < len(words); i++ {
		words[i] = strings.ToUpper(words[i][:1]) + words[i][1:]
	}
	return strings.Join(words, "")
}
