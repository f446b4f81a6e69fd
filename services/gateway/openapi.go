package gateway

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/flipside-games/flipside/gen"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// object is a JSON object.
type object = map[string]any

// openAPI returns the OpenAPI document of all routes. What the generator writes is true of requests and answers; it
// knows nothing of streams, documents, headers, keys and errors as this gateway has them. What is the same for every
// route comes from pages/overlay.json, which is laid over the document; the rest follows from the routes.
func openAPI(routes map[routeKey]*route, version string) ([]byte, error) {
	var doc, overlay object
	if err := json.Unmarshal(gen.OpenAPI, &doc); err != nil {
		return nil, fmt.Errorf("the generated OpenAPI document: %w", err)
	}
	content, err := pages.ReadFile("pages/overlay.json")
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(content, &overlay); err != nil {
		return nil, fmt.Errorf("the overlay of the OpenAPI document: %w", err)
	}
	schemas := within(doc, "components", "schemas")
	delete(schemas, "google.rpc.Status")
	delete(schemas, "google.api.HttpBody")
	schemas["flipside.rules.v1.ErrorReason"] = reasonSchema()
	for _, rt := range routes {
		operation, ok := within(doc, "paths", rt.template)[strings.ToLower(rt.verb)].(object)
		if !ok {
			return nil, fmt.Errorf("the generated OpenAPI document lacks %s %s", rt.verb, rt.template)
		}
		rt.describe(operation)
	}
	merge(doc, overlay)
	within(doc, "info")["version"] = version
	tidyTexts(doc)
	return json.MarshalIndent(doc, "", " ")
}

// describe makes the description of one operation true.
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
		body["required"] = false // An empty one is an empty object.
		within(body, "content", jsonType, "schema")["additionalProperties"] = false
	}
	responses["default"] = reference("responses", "Error")
	answer := within(responses, "200")
	switch {
	case rt.streams():
		describeStream(answer, reference("schemas", string(rt.out.Descriptor().FullName())))
	case rt.out.Descriptor().FullName() == "google.api.HttpBody":
		text := object{"schema": object{"type": "string"}}
		answer["description"] = "The picture."
		answer["content"] = object{"text/plain; charset=utf-8": text, "image/svg+xml": text}
	}
}

// describeStream describes both ways in which a stream is sent, which differ only in how its messages are told apart.
func describeStream(answer, message object) {
	line := within(answer, "content", jsonType, "schema")
	delete(line, "title")
	line["description"] = "One line of the stream: a message, or the error that ended it."
	answer["description"] = "A stream. As `application/x-ndjson` every line is one JSON object. Asked for with " +
		"`Accept: text/event-stream` it is server-sent events: `data` is one message, `event` the name of what it says, " +
		"and `id`, where the stream can be resumed, where to resume; an error that ends the stream is an event named `error`."
	answer["content"] = object{
		linesType:  object{"schema": line},
		eventsType: object{"schema": message},
	}
}

func reasonSchema() object {
	values := rulesv1.ErrorReason(0).Descriptor().Values()
	var names []any
	for i := 1; i < values.Len(); i++ { // The first is never sent.
		names = append(names, strings.TrimPrefix(string(values.Get(i).Name()), "ERROR_REASON_"))
	}
	return object{"type": "string", "description": "Why a call was refused.", "enum": names}
}

func reference(kind, name string) object { return object{"$ref": "#/components/" + kind + "/" + name} }

// within returns the object at the end of a path, which it makes if it is not there.
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

// merge lays one object over another: objects are merged, lists are joined, anything else is replaced.
func merge(under, over object) {
	for name, value := range over {
		switch value := value.(type) {
		case object:
			merge(within(under, name), value)
		case []any:
			list, _ := under[name].([]any)
			under[name] = append(append([]any{}, list...), value...) // An empty list says something too.
		default:
			under[name] = value
		}
	}
}

var (
	// lintComment is a line of a comment that is meant for the linter of the protos.
	lintComment = regexp.MustCompile(`(?m)\n?^buf:lint:.*$`)
	// protoName is the name of a field as the protos have it, which is not that of JSON.
	protoName = regexp.MustCompile("`[a-z]+(_[a-z]+)+`")
)

// tidyTexts takes out of every description what is true of the protos only.
func tidyTexts(value any) {
	switch value := value.(type) {
	case []any:
		for _, inner := range value {
			tidyTexts(inner)
		}
	case object:
		for name, inner := range value {
			text, ok := inner.(string)
			if !ok || name != "description" && name != "summary" {
				tidyTexts(inner)
				continue
			}
			text = protoName.ReplaceAllStringFunc(lintComment.ReplaceAllString(text, ""), lowerCamel)
			value[name] = strings.TrimSpace(text)
		}
	}
}

// lowerCamel writes a name of the protos as JSON has it.
func lowerCamel(name string) string {
	words := strings.Split(name, "_")
	for i := 1; i < len(words); i++ {
		words[i] = strings.ToUpper(words[i][:1]) + words[i][1:]
	}
	return strings.Join(words, "")
}
