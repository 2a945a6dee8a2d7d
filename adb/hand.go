package adb

import (
	"context"
	"errors"
	"fmt"
	"image"
	"net"
	"strings"

	"tapwise/adb/hand"
	"tapwise/adb/hand/pointer"
	"tapwise/adb/internal/fault"
)

// Hand returns the finger on the phone: whatever touches it goes through this one.
func (d *Device) Hand() *hand.Hand {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.hand == nil {
		config := d.client.config
		d.hand = hand.New(handPhone{d}, hand.Config{
			Serial: d.Serial, SDK: d.SDK, Wide: is64Bit(d.Properties), Way: config.Touch, Display: config.TouchDisplay,
			Room: MaxCommand - len(statusEcho), Timeout: config.Timeout, Slow: d.client.slow, Now: config.Now, Log: config.Log.With("phone", d.Serial),
		})
	}
	return d.hand
}

// is64Bit reports whether a phone's programs have 64 bits.
func is64Bit(properties map[string]string) bool {
	return strings.Contains(properties["ro.product.cpu.abi"], "64") || properties["ro.product.cpu.abilist64"] != ""
}

// handPhone is the phone as its hand needs it.
type handPhone struct{ *Device }

func (p handPhone) Run(ctx context.Context, command string, line func(string) (bool, error)) (string, int, error) {
	return p.client.run(ctx, p.Serial, command, line)
}

func (p handPhone) Input(ctx context.Context, command string) error { return p.input(ctx, command) }

func (p handPhone) Open(ctx context.Context, service string) (net.Conn, error) {
	k, err := p.client.open(ctx, p.Serial, service)
	if err != nil {
		return nil, err // and no *conn that is nil
	}
	return k, nil
}

func (p handPhone) Fit(ctx context.Context, strokes []hand.Stroke, app string) ([]hand.Stroke, pointer.Space, error) {
	scaled, s, err := p.fit(ctx, strokes, app)
	return scaled, pointer.Space{Physical: s.Physical, Current: s.Current, Rotation: s.Rotation}, err
}

func (p handPhone) Fail(ctx context.Context, operation string, err error) error {
	return p.fail(ctx, operation, err)
}

func (p handPhone) Rotation(ctx context.Context) ([]string, error) { return p.rotation(ctx) }

func (p handPhone) PutRotation(ctx context.Context, values []string) error {
	return p.putRotation(ctx, values)
}

func (p handPhone) Note() (hand.Note, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.load()
	return p.note.Note, p.saved
}

func (p handPhone) Keep(note hand.Note) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keep(func(n *TouchNote) { n.Note = note })
}

// input runs one command of `input`.
func (d *Device) input(ctx context.Context, command string) error {
	output, status, err := d.shell(ctx, command)
	if err != nil {
		return err
	}
	if err := fault.Ended(output, status); err != nil {
		return d.fail(ctx, "input", err)
	}
	d.hear("input", output)
	return nil
}

// fit looks at the screen, refuses strokes that were planned on another one, and
// turns their points into pixels that `input` takes.
func (d *Device) fit(ctx context.Context, strokes []hand.Stroke, app string) ([]hand.Stroke, Screen, error) {
	d.mu.Lock()
	before := d.screen
	d.mu.Unlock()
	limited, cancel := d.client.limit(ctx)
	defer cancel()
	screen, front, err := d.lookAtScreen(limited)
	if err != nil {
		return nil, screen, err
	}
	if app != "" {
		if err := d.inFront(ctx, app, front); err != nil {
			return nil, screen, err
		}
	}
	scaled := make([]hand.Stroke, len(strokes))
	for i, stroke := range strokes {
		if stroke.Size == (image.Point{}) {
			stroke.Size, stroke.Rotation = screen.Current, screen.Rotation
		}
		if !screen.Fits(stroke.Size) && screen == before.screen && stroke.Size == before.frame {
			return nil, screen, &FrameSizeError{Serial: d.Serial, Frame: stroke.Size, Screen: screen}
		}
		if !plannedOn(stroke, screen, before) {
			return nil, screen, &ScreenChangedError{
				Serial: d.Serial, PlannedSize: stroke.Size, PlannedRotation: stroke.Rotation,
				CurrentSize: screen.Current, CurrentRotation: screen.Rotation,
			}
		}
		points, err := scale(stroke, screen)
		if err != nil {
			return nil, screen, fmt.Errorf("adb: input on %s: stroke %d: %w", d.Serial, i, err)
		}
		scaled[i] = hand.Stroke{Points: points, Size: screen.Current, Rotation: screen.Rotation}
	}
	return scaled, screen, nil
}

// plannedOn reports whether the stroke belongs to the screen as it is now.
func plannedOn(stroke hand.Stroke, screen Screen, before screenNote) bool {
	if stroke.Rotation >= 0 && screen.Rotation >= 0 && stroke.Rotation != screen.Rotation {
		return false
	}
	if stroke.Size == screen.Current {
		return true
	}
	if screen.Rotation < 0 && stroke.Size == image.Pt(screen.Current.Y, screen.Current.X) {
		return true // the screen's rotation is not known, and this is a possible one
	}
	// Some phones capture at the panel's own size while touches use the size set
	// with `wm size`. Then the last frame had this size, on this same screen.
	return stroke.Size == before.frame && screen == before.screen && sameShape(stroke.Size, screen.Current)
}

// scale turns a stroke's points into pixels of the screen. Near the sides of the screen, a
// stroke that moves would be taken for the back gesture.
func scale(stroke hand.Stroke, screen Screen) ([]image.Point, error) {
	size, margin := stroke.Size, 0
	switch len(stroke.Points) {
	case 0:
		return nil, errors.New("it has no points")
	case 1:
	default:
		margin = min(size.X, size.Y) / 100
	}
	target := screen.Current
	if size == image.Pt(target.Y, target.X) {
		target = size // not known to be turned, see plannedOn
	}
	inside := image.Rectangle{Max: size}.Inset(margin)
	points := make([]image.Point, len(stroke.Points))
	for i, p := range stroke.Points {
		if !p.In(inside) {
			return nil, fmt.Errorf("%w: %d,%d is not within %v", ErrOutside, p.X, p.Y, inside)
		}
		points[i] = image.Pt((2*p.X+1)*target.X/(2*size.X), (2*p.Y+1)*target.Y/(2*size.Y))
	}
	return points, nil
}
