package main

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// reason is the reason of an error.
type reason struct {
	name, text string
	code       codes.Code
	status     int // of HTTP
}

// reasonComment matches the comment of a reason: the code, the HTTP status if it is not that of the
// code, and the text.
var reasonComment = regexp.MustCompile(`(?s)^([A-Z_]+)(?: \(HTTP (\d+)\))?: (.*)$`)

func newReason(value protoreflect.EnumValueDescriptor) (reason, error) {
	parts := reasonComment.FindStringSubmatch(strings.ReplaceAll(comment(value), "\n", " "))
	if parts == nil {
		return reason{}, fmt.Errorf("%s: the comment does not start with a code", value.Name())
	}
	r := reason{name: strings.TrimPrefix(string(value.Name()), "ERROR_REASON_"), text: parts[3]}
	if err := r.code.UnmarshalJSON([]byte(strconv.Quote(parts[1]))); err != nil {
		return reason{}, fmt.Errorf("%s: %w", value.Name(), err)
	}
	r.status = runtime.HTTPStatusFromCode(r.code)
	if parts[2] != "" {
		r.status, _ = strconv.Atoi(parts[2]) // It is a number.
	}
	return r, nil
}

// errorList matches the list of errors in the comment of an RPC or a service.
var errorList = regexp.MustCompile(`(?s)(?:Errors|Errors, in the order of the checks|` +
	`Every call can also fail with):\n(- .*)`)

// withoutErrors returns a comment without its list of errors, which becomes responses.
func withoutErrors(text string) string { return errorList.ReplaceAllString(text, "") }

// word matches what can be a reason.
var word = regexp.MustCompile(`[A-Z][A-Z_]+[A-Z]`)

// errorsOf returns the reasons with which an operation can fail, by HTTP status.
func (g *generator) errorsOf(method protoreflect.MethodDescriptor, verb string) map[int][]reason {
	names := word.FindAllString(errorList.FindString(comment(method)), -1)
	names = append(names, word.FindAllString(errorList.FindString(comment(method.Parent())), -1)...)
	names = append(names, "INVALID_FIELD", "UNKNOWN_FIELD", "RATE_LIMITED", "DEADLINE_EXCEEDED")
	if verb == "post" {
		names = append(names, "BODY_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE")
	}
	if strings.HasPrefix(string(method.FullName()), "flipside.game.") {
		names = append(names, "GAME_UNAVAILABLE")
	} else {
		names = append(names, "STRATEGY_UNAVAILABLE")
	}
	if isKeyless(method) {
		names = slices.DeleteFunc(names, func(name string) bool { return name == "INVALID_KEY" })
	} else {
		names = append(names, "INVALID_KEY")
	}
	if method.Input().Fields().ByName("request_id") == nil {
		names = slices.DeleteFunc(names, func(name string) bool { return name == "STORE_CONTENDED" })
	}
	errors := map[int][]reason{}
	for _, name := range names {
		if r, ok := g.reasons[name]; ok && !slices.Contains(errors[r.status], r) {
			errors[r.status] = append(errors[r.status], r)
		}
	}
	return errors
}

// errorResponse returns the response of an HTTP status.
func errorResponse(status int, reasons []reason) object {
	text := "The call failed:\n"
	for _, r := range reasons {
		text += "\n- `" + r.name + "`: " + r.text
	}
	response := object{
		"description": text,
		"content": object{"application/json": object{
			"schema":  reference("schemas", "Status"),
			"example": exampleOf(reasons[0]),
		}},
	}
	switch status {
	case http.StatusUnauthorized:
		response["headers"] = object{"WWW-Authenticate": reference("headers", "WWW-Authenticate")}
	case http.StatusConflict, http.StatusTooManyRequests, http.StatusServiceUnavailable:
		response["headers"] = object{"Retry-After": reference("headers", "Retry-After")}
	}
	return response
}

func exampleOf(r reason) object {
	message, _, _ := strings.Cut(r.text, ". ")
	return object{
		"code": r.code, "message": strings.TrimSuffix(message, "."),
		"details": []any{object{
			"@type":  "type.googleapis.com/google.rpc.ErrorInfo",
			"domain": "flipside", "reason": r.name, "metadata": object{},
		}},
	}
}
