package wire

import (
	"iter"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/flipside-games/flipside/services/internal/fault"
)

const (
	// maxOptionsBytes limits the encoded size of the options of a robot, since games store and send
	// them.
	maxOptionsBytes = 4 << 10
	// maxOptionsDepth limits nested objects and lists. Options without others in them have depth 1.
	maxOptionsDepth = 8
)

// ValidateOptions rejects options of a robot that are too large, that nest too deep or that JSON or a
// store cannot represent.
func ValidateOptions(options *structpb.Struct) error {
	if size := proto.Size(options); size > maxOptionsBytes {
		return fault.Invalid("the options have %d bytes: at most %d are allowed",
			size, maxOptionsBytes).With("limit", maxOptionsBytes).With("bytes", size)
	}
	return validateValue(structpb.NewStructValue(options), 1)
}

// validateValue rejects a value that has the depth if it is an object or a list.
func validateValue(value *structpb.Value, depth int) error {
	switch kind := value.GetKind().(type) {
	case nil:
		return fault.Invalid("a value in the options is empty: set it, or use null")
	case *structpb.Value_NumberValue:
		if math.IsNaN(kind.NumberValue) || math.IsInf(kind.NumberValue, 0) {
			return fault.Invalid("a number in the options is not finite: JSON has only finite numbers")
		}
	case *structpb.Value_StringValue:
		return validateText(kind.StringValue)
	case *structpb.Value_StructValue:
		for key := range kind.StructValue.GetFields() {
			if err := validateText(key); err != nil {
				return err
			}
		}
		return validateValues(maps.Values(kind.StructValue.GetFields()), depth)
	case *structpb.Value_ListValue:
		return validateValues(slices.Values(kind.ListValue.GetValues()), depth)
	}
	return nil
}

// validateText rejects a text that not every store can store.
func validateText(text string) error {
	if strings.IndexByte(text, 0) >= 0 || !utf8.ValidString(text) {
		return fault.Invalid("a text in the options has a NUL character or is not valid UTF-8")
	}
	return nil
}

// validateValues validates the values of an object or a list at a depth.
func validateValues(values iter.Seq[*structpb.Value], depth int) error {
	if depth > maxOptionsDepth {
		return fault.Invalid("the options nest too deep: at most %d levels are allowed",
			maxOptionsDepth).With("limit", maxOptionsDepth)
	}
	for value := range values {
		if err := validateValue(value, depth+1); err != nil {
			return err
		}
	}
	return nil
}
