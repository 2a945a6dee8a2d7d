// Package pages has what the local page and the report share: files of others, each under the
// licence that is beside it, and the drawing of plots.
package pages

import "embed"

// Files are plots.js, and in vendored preact.js, uplot.js and uplot.css, with their licences in
// folders.
//
//go:embed plots.js vendored/*.js vendored/*.css vendored/*/LICENSE
var Files embed.FS
