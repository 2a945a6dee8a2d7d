package web

import (
	"bytes"
	"image"
	_ "image/gif"  // the formats whose headers are known
	_ "image/jpeg" // register themselves
	_ "image/png"
	"net/http"

	_ "golang.org/x/image/webp"
)

// checkPixels looks at a picture's header only, so that a small file cannot ask
// for much memory.
func checkPixels(data []byte) error {
	config, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return refuse(http.StatusUnsupportedMediaType, "not a picture, expected PNG, JPEG, GIF or WebP")
	}
	if config.Width <= 0 || config.Height <= 0 || config.Width > maxPixels/config.Height {
		return refuse(http.StatusRequestEntityTooLarge, "a picture of %dx%d pixels, expected at most %d in all", config.Width, config.Height, maxPixels)
	}
	return nil
}
