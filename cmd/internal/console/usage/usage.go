package usage

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tapwise/cmd/internal/console/cause"
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
	if len(args) == 0 {
		return nil
	}
	meant := ""
	if others := otherwise(cmd, args[0]); len(others) > 0 {
		meant = "; did you mean " + strings.Join(others, " or ") + "?"
	} else {
		var names []string
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() {
				names = append(names, c.Name())
			}
		}
		meant = DidYouMean(args[0], names)
	}
	return cause.Inputf("unknown command %q for %q%s", args[0], cmd.CommandPath(), meant)
}

// otherwise are the commands below cmd that do what a word asks for: those for which that
// is another name, or those that do it when they are given the flag of that name.
func otherwise(cmd *cobra.Command, word string) []string {
	var named, switched, valued []string
	for _, c := range cmd.Commands() {
		f := c.LocalNonPersistentFlags().Lookup(word)
		switch {
		case !c.IsAvailableCommand():
		case slices.Contains(c.SuggestFor, word):
			named = append(named, c.Name())
		case f != nil && f.NoOptDefVal != "":
			switched = append(switched, c.Name()+" --"+word)
		case f != nil:
			valued = append(valued, c.Name()+" --"+word)
		}
	}
	for _, found := range [][]string{named, switched, valued} {
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// Plain makes a command and all below it refuse wrong arguments as bad input, in words of their
// own usage; also an unknown topic of help, or an unknown shell to complete for.
func Plain(cmd *cobra.Command) {
	cmd.InitDefaultHelpCmd()
	cmd.InitDefaultCompletionCmd()
	if help, _, err := cmd.Find([]string{"help"}); err == nil && help != cmd {
		help.Run, help.RunE = nil, func(c *cobra.Command, args []string) error {
			about, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return OnlyCommands(about, rest)
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		}
	}
	plain(cmd)
}

func plain(cmd *cobra.Command) {
	switch arguments := cmd.Args; {
	case cmd.HasSubCommands():
		cmd.Args = OnlyCommands
		if !cmd.Runnable() {
			cmd.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
		}
	case arguments != nil:
		cmd.Args = func(cmd *cobra.Command, args []string) error { return wrongArguments(cmd, arguments, args) }
	}
	for _, c := range cmd.Commands() {
		plain(c)
	}
}

// wrongArguments says what is wrong with the number of arguments of a command.
func wrongArguments(cmd *cobra.Command, accept cobra.PositionalArgs, args []string) error {
	err := accept(cmd, args)
	if err == nil || errors.As(err, new(cause.InputError)) {
		return err
	}
	usage := strings.TrimSuffix(cmd.UseLine(), " [flags]")
	for i := range args {
		if accept(cmd, args[:i]) == nil && accept(cmd, args[:i+1]) != nil {
			return cause.Inputf("%q is one argument too many, expected: %s", args[i], usage)
		}
	}
	return cause.Inputf("arguments are missing, expected: %s", usage)
}

// kinds are the types of flags' values, in words.
var kinds = map[string]string{
	"int":         "a whole number",
	"int64":       "a whole number",
	"uint64":      "a whole number that is not negative",
	"float64":     "a number",
	"duration":    "a time with its unit, such as 80ms or 15s",
	"bool":        "true or false",
	"stringSlice": "values with commas between them, in quotes where they have quotes",
}

// WrongFlag returns the error for a flag that cannot be read.
func WrongFlag(cmd *cobra.Command, err error) error {
	var (
		unknown *pflag.NotExistError
		missing *pflag.ValueRequiredError
		value   *pflag.InvalidValueError
		syntax  *pflag.InvalidSyntaxError
	)
	switch {
	case errors.As(err, &unknown):
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		given, word := "--"+unknown.GetSpecifiedName(), unknown.GetSpecifiedName()
		if short := unknown.GetSpecifiedShortnames(); short != "" {
			given, word = "-"+string([]rune(short)[:1]), ""
			if slices.Contains(names, "--"+short) { // written with one dash
				given, word = "-"+short, short
			}
		}
		if word != "" {
			word = DidYouMean("--"+word, names)
		}
		return cause.Inputf("unknown flag: %s%s", given, word)
	case errors.As(err, &syntax):
		return cause.Inputf("%s is no flag, expected --NAME=VALUE or --NAME VALUE", syntax.GetSpecifiedFlag())
	case errors.As(err, &missing):
		expected, ok := kinds[missing.GetFlag().Value.Type()]
		if !ok {
			expected, _ = pflag.UnquoteUsage(missing.GetFlag())
		}
		return cause.Inputf("--%s stands without its value, expected %s", missing.GetFlag().Name, expected)
	case errors.As(err, &value):
		if expected, ok := kinds[value.GetFlag().Value.Type()]; ok {
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
