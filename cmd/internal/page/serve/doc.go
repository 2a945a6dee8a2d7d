// Package serve joins the local page of package web to the phones, eyes,
// calibrations and journal that the commands use, and serves it over HTTP.
package serve
