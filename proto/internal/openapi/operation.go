package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// addService adds a tag and the operations of a service.
func (g *generator) addService(service protoreflect.ServiceDescriptor) error {
	tags, _ := g.doc["tags"].([]any)
	tag := object{"name": string(service.Name()), "description": comment(service)}
	g.doc["tags"] = append(tags, tag)
	for i := range service.Methods().Len() {
		g.mark(service.Methods().Get(i).Input(), request)
		g.mark(service.Methods().Get(i).Output(), response)
	}
	for i := range service.Methods().Len() {
		if err := g.addOperation(service.Methods().Get(i)); err != nil {
			return fmt.Errorf("%s: %w", service.Methods().Get(i).Name(), err)
		}
	}
	return nil
}

// variable matches a variable of a path.
var variable = regexp.MustCompile(`\{(\w+)\}`)

func (g *generator) addOperation(method protoreflect.MethodDescriptor) error {
	rule, _ := proto.GetExtension(method.Options(), annotations.E_Http).(*annotations.HttpRule)
	verb, path := "get", rule.GetGet()
	if path == "" {
		verb, path = "post", rule.GetPost()
	}
	if path == "" {
		return fmt.Errorf("unsupported HTTP rule %v", rule)
	}
	summary, description, _ := strings.Cut(comment(method), "\n\n")
	name := string(method.Name())
	operation := object{
		"tags":        []any{string(method.Parent().Name())},
		"operationId": strings.ToLower(name[:1]) + name[1:],
		"summary":     strings.ReplaceAll(summary, "\n", " "),
		"description": strings.TrimSpace(withoutErrors(description)),
		"responses":   g.responsesOf(method, verb),
	}
	if operation["description"] == "" {
		operation["description"] = operation["summary"]
	}
	if isKeyless(method) {
		operation["security"] = []any{}
	}
	var inPath []string
	for _, match := range variable.FindAllStringSubmatch(path, -1) {
		inPath = append(inPath, match[1])
	}
	operation["parameters"] = g.parameters(method, verb, inPath)
	if verb == "post" {
		operation["requestBody"] = g.body(method, inPath)
	}
	within(g.doc, "paths", path)[verb] = operation
	return nil
}

func isKeyless(method protoreflect.MethodDescriptor) bool {
	return strings.Contains(comment(method), "needs no key")
}

// body returns the description of a request body. An empty body stands for an empty object.
func (g *generator) body(method protoreflect.MethodDescriptor, inPath []string) object {
	name := g.typeName(method.Input(), request)
	schema := g.messageSchema(method.Input(), request, inPath...)
	g.schemas()[name] = schema
	body := object{"content": object{"application/json": object{"schema": reference("schemas", name)}}}
	if _, required := schema["required"]; required || schema["not"] != nil {
		body["required"] = true
	}
	return body
}

// parameters returns the parameters of an operation: in the path, in the query and in headers.
func (g *generator) parameters(
	method protoreflect.MethodDescriptor, verb string, inPath []string,
) []any {
	var list []any
	headers := []string{"OnBehalfOf", "RequestId", "Traceparent", "GrpcTimeout"}
	for i := range method.Input().Fields().Len() {
		field := method.Input().Fields().Get(i)
		switch {
		case slices.Contains(inPath, string(field.Name())):
			list = append(list, g.parameter(field, "path", string(field.Name())))
		case verb == "get":
			list = append(list, g.parameter(field, "query", field.JSONName()))
		}
		if field.Name() == "request_id" {
			headers = append([]string{"IdempotencyKey"}, headers...)
		}
		if method.IsStreamingServer() && strings.HasPrefix(string(field.Name()), "after_") {
			headers = append([]string{"LastEventId"}, headers...)
		}
	}
	for _, name := range headers {
		list = append(list, reference("parameters", name))
	}
	return list
}

func (g *generator) parameter(field protoreflect.FieldDescriptor, place, name string) object {
	schema := g.property(field, request)
	parameter := object{
		"name": name, "in": place, "description": schema["description"], "schema": schema,
	}
	delete(schema, "description")
	if place == "path" {
		parameter["required"] = true
		parameter["example"] = "01m8h0efy9whcxgrt5hgt3j8j6"
	}
	return parameter
}

// responsesOf returns the success and the errors of an operation.
func (g *generator) responsesOf(method protoreflect.MethodDescriptor, verb string) object {
	responses := object{"200": g.success(method), "default": reference("responses", "Error")}
	errors := g.errorsOf(method, verb)
	for _, status := range slices.Sorted(maps.Keys(errors)) {
		responses[strconv.Itoa(status)] = errorResponse(status, errors[status])
	}
	return responses
}

func (g *generator) success(method protoreflect.MethodDescriptor) object {
	out := method.Output()
	if out.FullName() == "google.api.HttpBody" {
		text := object{"schema": object{"type": "string"}}
		return object{"description": "The drawing.", "content": object{
			"text/plain; charset=utf-8": text, "image/svg+xml": text,
			"image/png": object{"schema": object{"type": "string", "format": "binary"}},
		}}
	}
	message := g.typeReference(out, response)
	if !method.IsStreamingServer() {
		return object{
			"description": strings.SplitN(comment(out), "\n", 2)[0],
			"content":     object{"application/json": object{"schema": message}},
		}
	}
	line := g.typeName(out, response) + "Line"
	g.schemas()[line] = object{
		"type":        "object",
		"description": "One line of the stream: a message, or the error that ended the stream.",
		"properties":  object{"result": message, "error": reference("schemas", "Status")},
	}
	return object{
		"description": "A stream. As `application/x-ndjson`, every line is one JSON object. " +
			"With `Accept: text/event-stream`, the stream consists of server-sent events: `data` is " +
			"one message, `event` the name of the field in it, and `id` the resume point if the " +
			"stream can be resumed. " +
			"An error that ends the stream is an event named `error`.",
		"content": object{
			"application/x-ndjson": object{"schema": reference("schemas", line)},
			"text/event-stream":    object{"schema": message},
		},
	}
}
