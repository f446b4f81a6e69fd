package serve

import (
	"errors"
	"strconv"
	"strings"

	"buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"
	"buf.build/go/protovalidate"
	"google.golang.org/protobuf/proto"
)

// Checker checks that requests are well formed, by the rules beside the fields in the protobuf files.
type Checker struct{ validator protovalidate.Validator }

// NewChecker returns a checker, which may be used from many goroutines.
func NewChecker() (*Checker, error) {
	validator, err := protovalidate.New(protovalidate.WithFailFast())
	if err != nil {
		return nil, err
	}
	return &Checker{validator}, nil
}

// Check returns a fault that names the first field that is not well formed, or nil.
func (c *Checker) Check(m proto.Message) error {
	err := c.validator.Validate(m)
	if err == nil {
		return nil
	}
	if invalid, ok := errors.AsType[*protovalidate.ValidationError](err); ok && len(invalid.Violations) > 0 {
		violation := invalid.Violations[0].Proto
		return fieldError(jsonPath(violation.GetField()), violation.GetMessage())
	}
	return err
}

// jsonPath writes the path of a field as it stands in JSON: setup.threeTrios.rules[0].
func jsonPath(path *validate.FieldPath) string {
	var b strings.Builder
	for _, e := range path.GetElements() {
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(lowerCamel(e.GetFieldName()))
		if i, ok := e.GetSubscript().(*validate.FieldPathElement_Index); ok {
			b.WriteString("[" + strconv.FormatUint(i.Index, 10) + "]")
		}
	}
	return b.String()
}

// lowerCamel turns a protobuf field name into its JSON name.
func lowerCamel(name string) string {
	words := strings.Split(name, "_")
	for i, w := range words[1:] {
		if w != "" {
			words[i+1] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, "")
}
