// Package manual writes the pages about the commands from their help: manual
// pages for man, and Markdown.
package manual
