package app

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"reflect"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// row declares one setting: the flag --name, the environment variable FLIPSIDE_NAME and the key
// name in the configuration file.
type row struct {
	name   string
	value  any // a pointer into Settings
	preset any // the default
	help   string
	zero   bool          // a number or duration may be 0
	max    time.Duration // the longest duration; 0 for no limit
	secret bool          // hide the value, and read it from the file that FLIPSIDE_NAME_FILE names
}

// env returns the environment variable of a setting.
func (r row) env() string {
	return "FLIPSIDE_" + strings.ToUpper(strings.ReplaceAll(r.name, "-", "_"))
}

// addFlag declares the flag of a setting and sets the value to the default.
func (r row) addFlag(flags *pflag.FlagSet) {
	switch p := r.value.(type) {
	case *string:
		flags.StringVar(p, r.name, r.preset.(string), r.help)
	case *[]string:
		flags.StringSliceVar(p, r.name, r.preset.([]string), r.help)
	case *bool:
		flags.BoolVar(p, r.name, r.preset.(bool), r.help)
	case *int:
		flags.IntVar(p, r.name, r.preset.(int), r.help)
	case *float64:
		flags.Float64Var(p, r.name, r.preset.(float64), r.help)
	case *time.Duration:
		flags.DurationVar(p, r.name, r.preset.(time.Duration), r.help)
	default:
		panic("setting of an unknown type: " + r.name)
	}
}

// advice continues an error about a value that cannot be read: it states what is allowed. It is ""
// if every text can be read.
func (r row) advice() string {
	switch r.value.(type) {
	case *bool:
		return ": use true or false"
	case *int:
		return ": use a whole number"
	case *float64:
		return ": use a number such as 0.5 or 100"
	case *time.Duration:
		return ": use a time such as 500ms, 10s or 2h"
	}
	return ""
}

// validate rejects numbers and durations out of range.
func (r row) validate() error {
	value := reflect.ValueOf(r.value).Elem()
	var sign int
	switch value.Kind() {
	case reflect.Int, reflect.Int64:
		sign = cmp.Compare(value.Int(), 0)
		if r.max > 0 && value.Int() > int64(r.max) {
			return fmt.Errorf("--%s: %s is too long: at most %v", r.name, r.text(), r.max)
		}
	case reflect.Float64:
		sign = cmp.Compare(value.Float(), 0)
		if math.IsInf(value.Float(), 0) || math.IsNaN(value.Float()) {
			return fmt.Errorf("--%s: %s is not a finite number%s", r.name, r.text(), r.advice())
		}
	default:
		return nil
	}
	switch {
	case sign < 0 && r.zero:
		return fmt.Errorf("--%s: %s is negative", r.name, r.text())
	case sign <= 0 && !r.zero:
		return fmt.Errorf("--%s: %s is too small: it must be greater than 0", r.name, r.text())
	}
	return nil
}

// text formats the current value. It hides secrets.
func (r row) text() string {
	value := reflect.ValueOf(r.value).Elem()
	list, isList := r.value.(*[]string)
	switch {
	case r.secret && value.Len() > 0:
		return "(secret)"
	case isList:
		return strings.Join(*list, ",")
	}
	return fmt.Sprint(value)
}

// fromEnv returns the value from the environment and the name of its variable, "" if there is none.
func (r row) fromEnv(getenv func(string) string) (text, variable string, err error) {
	if v := getenv(r.env()); v != "" {
		return v, r.env(), nil
	}
	variable = r.env() + "_FILE"
	path := getenv(variable)
	if !r.secret || path == "" {
		return "", "", nil
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return "", "", fmt.Errorf("%s: cannot read %s", variable, path)
	}
	text = strings.TrimSpace(string(content))
	if _, isList := r.value.(*[]string); isList {
		text = strings.Join(strings.Fields(text), ",") // One entry a line.
	}
	return text, variable, nil
}
