package manual

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"tapwise/cmd/internal/console/wholefile"
)

// Man writes a manual page for a command and each command below it into a folder, which is
// made. The pages state the version and a day, by default today: with a given day, the same
// program makes the same pages.
func Man(root *cobra.Command, folder, version string, day time.Time) error {
	header := doc.GenManHeader{Section: "1", Source: "tapwise " + version, Manual: "tapwise"}
	if !day.IsZero() {
		header.Date = &day
	}
	return each(root, folder, func(c *cobra.Command) (string, []byte, error) {
		var page bytes.Buffer
		h := header // which is filled in for the command
		err := doc.GenMan(c, &h, &page)
		return dashed(c) + ".1", page.Bytes(), err
	})
}

// Markdown writes a page for a command and each command below it into a folder, which is
// made.
func Markdown(root *cobra.Command, folder string) error {
	return each(root, folder, func(c *cobra.Command) (string, []byte, error) {
		var page bytes.Buffer
		err := doc.GenMarkdownCustom(c, &page, func(name string) string {
			return strings.ReplaceAll(strings.TrimSuffix(name, ".md"), "_", "-") + ".md"
		})
		return dashed(c) + ".md", bytes.TrimRight(page.Bytes(), "\n"), err
	})
}

// dashed is a command's name with those above it, as in tapwise-config-show.
func dashed(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// each writes the page of a command and those of all below it that people are shown.
func each(c *cobra.Command, folder string, page func(*cobra.Command) (string, []byte, error)) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("the folder for the manual: %w", err)
	}
	c.DisableAutoGenTag = true // its day would change the page
	name, text, err := page(c)
	if err != nil {
		return fmt.Errorf("the page %s: %w", name, err)
	}
	if err := wholefile.Write(filepath.Join(folder, name), append(text, '\n')); err != nil {
		return err
	}
	for _, below := range c.Commands() {
		if !below.IsAvailableCommand() || below.IsAdditionalHelpTopicCommand() {
			continue
		}
		if err := each(below, folder, page); err != nil {
			return err
		}
	}
	return nil
}
