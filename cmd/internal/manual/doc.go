// Package manual writes the pages about the commands, each made of its help: manual
// pages for man, and Markdown.
package manual
