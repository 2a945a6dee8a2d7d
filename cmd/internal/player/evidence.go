package player

import (
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
)

// save writes what there is of a failed level into a new folder and returns it.
func (l *level) save(f *Failure) (string, error) {
	name := l.time().UTC().Format("20060102-150405.000") + "-" + l.Game.Name() + "-" + f.Stage
	folder := filepath.Join(l.Evidence, name)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	texts := map[string]string{"error.txt": f.Error() + "\n"}
	if l.puzzle != nil {
		texts["board.txt"] = l.puzzle.String() + "\n"
	}
	if l.solution != nil {
		texts["solution.txt"] = l.solution.String() + "\n"
	}
	if l.Commands != nil && len(l.plan) > 0 {
		texts["commands.txt"] = strings.Join(l.Commands(l.plan), "\n") + "\n"
	}
	for i, s := range l.sights {
		if err := writePNG(filepath.Join(folder, fmt.Sprintf("frame-%d.png", i+1)), s.frame); err != nil {
			return folder, err
		}
		if s.seen == nil {
			continue
		}
		texts[fmt.Sprintf("observation-%d.txt", i+1)] = s.seen.String()
		if l.Picture == nil {
			continue
		}
		picture, err := l.Picture(s.frame, s.seen, l.puzzle, l.plan)
		if err != nil {
			l.log().Error("the overlay could not be drawn", "error", err)
			continue
		}
		if err := writePNG(filepath.Join(folder, fmt.Sprintf("overlay-%d.png", i+1)), picture); err != nil {
			return folder, err
		}
	}
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			return folder, err
		}
	}
	return folder, nil
}

func writePNG(name string, picture image.Image) (err error) {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := file.Close(); err == nil {
			err = closeErr
		}
	}()
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	return encoder.Encode(file, picture)
}
