package usage

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tapwise/cmd/internal/cause"
)

// DidYouMean returns the end of a message about an unknown word: the known words
// that it may be a misspelling or the beginning of, if any.
func DidYouMean(word string, known []string) string {
	if word == "" {
		return ""
	}
	// cobra knows how words are misspelt, but suggests commands only. By itself it
	// would let two letters of three be wrong.
	commands := &cobra.Command{SuggestionsMinimumDistance: max(1, min(2, len(word)/2))}
	for _, name := range known {
		commands.AddCommand(&cobra.Command{Use: name, Run: func(*cobra.Command, []string) {}})
	}
	meant := commands.SuggestionsFor(word)
	if len(meant) == 0 {
		return ""
	}
	slices.Sort(meant)
	// No mistake is likelier than letters in the wrong order.
	letters := func(word string) []rune { return slices.Sorted(slices.Values([]rune(strings.ToLower(word)))) }
	if i := slices.IndexFunc(meant, func(name string) bool { return slices.Equal(letters(name), letters(word)) }); i >= 0 {
		meant = meant[i : i+1]
	}
	return "; did you mean " + strings.Join(meant, " or ") + "?"
}

// OnlyCommands refuses arguments that are not commands below cmd.
func OnlyCommands(cmd *cobra.Command, args []string) error {
	err := cobra.NoArgs(cmd, args)
	if err == nil {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return cause.Inputf("%w%s", err, DidYouMean(args[0], names))
}

// WrongFlag returns the error for a flag that cannot be read.
func WrongFlag(cmd *cobra.Command, err error) error {
	var (
		unknown *pflag.NotExistError
		value   *pflag.InvalidValueError
	)
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "":
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		return cause.Inputf("%w%s", err, DidYouMean("--"+unknown.GetSpecifiedName(), names))
	case errors.As(err, &value):
		expected, ok := map[string]string{
			"int":      "a whole number",
			"uint64":   "a whole number that is not negative",
			"float64":  "a number",
			"duration": "a time with its unit, such as 80ms or 15s",
			"bool":     "true or false",
		}[value.GetFlag().Value.Type()]
		if ok {
			return cause.Inputf("--%s is %q, expected %s", value.GetFlag().Name, value.GetValue(), expected)
		}
	}
	return cause.Input(err)
}

// OneOf refuses a word that is not among those known; what names it in the error.
func OneOf(what, word string, known []string) error {
	if slices.Contains(known, word) {
		return nil
	}
	return cause.Inputf("%s %q, expected one of: %s%s", what, word, strings.Join(known, ", "), DidYouMean(word, known))
}
