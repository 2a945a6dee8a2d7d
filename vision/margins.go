//go:build margins

package vision

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"unsafe"
)

// Limit is one of the numbers that bound what a finder finds. Only builds for
// `make margins` have it: nothing else may change a limit.
type Limit struct {
	Block string // the variable that holds it, such as "discLimits"
	Field string // its field there
	Index int    // its place in the field when that is an array, else -1
	at    reflect.Value
}

// Name is the limit as the code names it.
func (l Limit) Name() string {
	name := strings.TrimSuffix(l.Block, "Limits") + "." + l.Field
	if l.Index >= 0 {
		name += fmt.Sprintf("[%d]", l.Index)
	}
	return name
}

// Whole reports whether the limit is a whole number.
func (l Limit) Whole() bool { return l.at.CanInt() }

// Value is the limit as it is now.
func (l Limit) Value() float64 {
	if l.Whole() {
		return float64(l.at.Int())
	}
	return l.at.Float()
}

// Set moves the limit; whole numbers are rounded. Nothing may look at a frame
// meanwhile.
func (l Limit) Set(x float64) {
	if l.Whole() {
		l.at.SetInt(int64(math.Round(x)))
	} else {
		l.at.SetFloat(x)
	}
}

// Limits are the limits of all finders, block by block.
func Limits() []Limit {
	var all []Limit
	for _, block := range []struct {
		name string
		at   any
	}{
		{"boardLimits", &boardLimits},
		{"noiseLimits", &noiseLimits},
		{"maskLimits", &maskLimits},
		{"latticeLimits", &latticeLimits},
		{"lineLimits", &lineLimits},
		{"measureLimits", &measureLimits},
		{"boxLimits", &boxLimits},
		{"discLimits", &discLimits},
		{"hexColumnLimits", &hexColumnLimits},
		{"hexRowLimits", &hexRowLimits},
		{"cubeLimits", &cubeLimits},
		{"wallLimits", &wallLimits},
		{"slantLimits", &slantLimits},
		{"markLimits", &markLimits},
		{"roomLimits", &roomLimits},
		{"rimLimits", &rimLimits},
		{"paneLimits", &paneLimits},
	} {
		fields := reflect.ValueOf(block.at).Elem()
		for i := range fields.NumField() {
			field := fields.Field(i)
			// Fields of this package's own types are not exported.
			field = reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem()
			limit := Limit{Block: block.name, Field: fields.Type().Field(i).Name, Index: -1, at: field}
			if field.Kind() != reflect.Array {
				all = append(all, limit)
				continue
			}
			for k := range field.Len() {
				limit.Index, limit.at = k, field.Index(k)
				all = append(all, limit)
			}
		}
	}
	return all
}
