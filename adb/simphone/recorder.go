package simphone

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"image"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/image/draw"

	"tapwise/adb/simphone/shell"
)

// screenrecord is played as its sources have it in the mode that is of use here,
// --output-format=frames: a virtual display mirrors the screen, and every change of it is
// read back and written out. What matters to whoever reads it:
//
//   - The first frame comes at once, then one whenever the screen changes, and only then.
//   - While a frame is being written, one more waits; changes after that are seen when
//     there is room again. So a slow reader gets two old frames at most.
//   - --time-limit is not looked at. SIGPIPE is ignored: when nobody reads any more, the
//     process and its display stay until the screen changes, and the write fails.
//   - Where the screen's picture lands in the frame is fixed at the start.

const recorderName = "screenrecord"

// Makers leave it out, and it fails in these ways.
type recorderFault string

const (
	recorderMissing recorderFault = "no-recorder"
	recorderSilent  recorderFault = "silent-recorder"
	recorderDies    recorderFault = "dying-recorder"
	recorderOdd     recorderFault = "odd-recorder"
	recorderFat     recorderFault = "rgba-recorder"
)

// recorderStart is the most of a phone's cost of a capture that a recorder takes to start.
const recorderStart = 150 * time.Millisecond

// recorderFrames is how many frames come before a recorder falls silent or ends.
const recorderFrames = 3

// recorders are the processes of screenrecord that run, with their virtual displays.
type recorders struct {
	mu      sync.Mutex
	live    map[int]*recorder // by pid
	running sync.WaitGroup
	faults  map[recorderFault]bool
}

func (r *recorders) fails(how recorderFault) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.faults[how]
}

// recording returns what makes screenrecord fail from now on.
func recording(how recorderFault) func(*Phone) {
	return func(p *Phone) {
		p.recorders.mu.Lock()
		defer p.recorders.mu.Unlock()
		if p.recorders.faults == nil {
			p.recorders.faults = make(map[recorderFault]bool)
		}
		p.recorders.faults[how] = true
	}
}

// Recorders are the process ids of the screenrecords that run, each of which has a virtual
// display.
func (p *Phone) Recorders() []int {
	p.recorders.mu.Lock()
	defer p.recorders.mu.Unlock()
	var pids []int
	for pid := range p.recorders.live {
		pids = append(pids, pid)
	}
	slices.Sort(pids)
	return pids
}

// Close makes the phone unreachable, ends its recordings, and waits until everything has
// ended. Apps, files and settings stay.
func (p *Phone) Close() error {
	err := p.Daemon.Close()
	p.recorders.mu.Lock()
	for _, r := range p.recorders.live {
		r.end()
	}
	p.recorders.mu.Unlock()
	p.recorders.running.Wait()
	return err
}

// recorder is one process of screenrecord. It lives on when its connection has ended.
type recorder struct {
	phone *Phone
	pid   int
	out   io.Writer
	end   context.CancelFunc
	ended chan struct{}

	source, target image.Rectangle // of the screen, and of its picture in the frame
	frame          *image.RGBA     // the composed one, black around the picture
	shown          *canvas         // the screen as it was composed last
}

// recordOptions are those of its arguments that are looked at in this mode.
type recordOptions struct {
	size    image.Point
	format  string
	display string
}

func parseScreenrecord(args []string) (o recordOptions, problem string) {
	options := flag.NewFlagSet(recorderName, flag.ContinueOnError)
	options.SetOutput(io.Discard)
	options.Func("size", "", func(v string) error {
		if _, err := fmt.Sscanf(v, "%dx%d", &o.size.X, &o.size.Y); err != nil || o.size.X < 1 || o.size.Y < 1 {
			return errors.New("expected WxH")
		}
		return nil
	})
	options.StringVar(&o.format, "output-format", "", "")
	options.StringVar(&o.display, "display-id", "", "")
	options.Int("time-limit", 0, "")
	err := options.Parse(args)
	switch {
	case err != nil:
		problem = "screenrecord: " + err.Error() + "\n"
	case options.NArg() != 1:
		problem = "Must specify output file (see --help).\n"
	case o.format != "frames" || options.Arg(0) != "-":
		problem = "the simulated phone has no encoder: --output-format=frames and - are expected\n"
	}
	return o, problem
}

func runScreenrecord(p *process) int {
	o, problem := parseScreenrecord(p.Args[1:])
	if p.phone.config.SDK < 21 && o.format != "" {
		problem = "screenrecord: unrecognized option '--output-format'\n"
	}
	cover, known := p.phone.config.captured(o.display)
	if problem == "" && (!known || cover && o.display != "") {
		problem = "Invalid display id '" + o.display + "'\n"
	}
	if problem != "" {
		p.ErrPrint(problem)
		return 2
	}
	// How long it takes to start and to compose a first frame was not published.
	if shell.Sleep(p.Ctx, min(p.phone.config.CaptureDelay, recorderStart)) != nil {
		return 130
	}
	r := p.phone.startRecorder(p, o)
	select {
	case <-r.ended:
	case <-p.Ctx.Done(): // the recorder does not notice yet
	}
	return 0
}

// startRecorder starts a recorder.
func (p *Phone) startRecorder(on *process, o recordOptions) *recorder {
	screen := p.FrameSize()
	if o.size == (image.Point{}) {
		o.size = screen
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &recorder{phone: p, pid: on.PID, out: on.Stdout, end: cancel, ended: make(chan struct{}),
		source: image.Rectangle{Max: screen}, target: projected(screen, o.size), frame: image.NewRGBA(image.Rectangle{Max: o.size})}
	draw.Draw(r.frame, r.frame.Rect, image.Black, image.Point{}, draw.Src)
	p.recorders.mu.Lock()
	if p.recorders.live == nil {
		p.recorders.live = make(map[int]*recorder)
	}
	p.recorders.live[r.pid] = r
	p.recorders.running.Add(1)
	p.recorders.mu.Unlock()
	go r.run(ctx)
	return r
}

// projected is where the screen's picture lies in a frame: as large as it can be in its
// shape, and in the middle.
func projected(screen, frame image.Point) image.Rectangle {
	aspect := float32(screen.Y) / float32(screen.X)
	out := image.Pt(frame.X, int(float32(frame.X)*aspect))
	if out.Y >= frame.Y {
		out = image.Pt(int(float32(frame.Y)/aspect), frame.Y)
	}
	at := image.Pt((frame.X-out.X)/2, (frame.Y-out.Y)/2)
	return image.Rectangle{Min: at, Max: at.Add(out)}
}

// vsync is the time between two frames of the display.
func (c Config) vsync() time.Duration {
	if c.Hands.Frame > 0 {
		return c.Hands.Frame
	}
	return time.Second / 60
}

// run composes what changed at each frame of the display, and has it written.
func (r *recorder) run(ctx context.Context) {
	p := r.phone
	frames, free := make(chan []byte, 1), make(chan []byte, 3)
	writing, failed := context.WithCancel(ctx)
	var writer sync.WaitGroup
	writer.Go(func() { r.write(writing, frames, free, failed) })
	defer func() {
		failed()
		p.recorders.mu.Lock()
		delete(p.recorders.live, r.pid)
		p.recorders.mu.Unlock()
		close(r.ended)
		writer.Wait()
		p.recorders.running.Done()
	}()
	tick := time.NewTicker(p.config.vsync())
	defer tick.Stop()
	for count := 0; ; {
		if len(frames) == 0 && !(p.recorders.fails(recorderSilent) && count >= recorderFrames) {
			if frame := r.compose(free); frame != nil {
				p.strikeFrame(atPushed)
				if count++; p.recorders.fails(recorderDies) && count > recorderFrames {
					return
				}
				select {
				case frames <- frame:
				case <-writing.Done():
					return
				}
			}
		}
		select {
		case <-tick.C:
		case <-writing.Done():
			return
		}
	}
}

// write writes frames to whoever reads, and ends the recorder where that fails.
func (r *recorder) write(ctx context.Context, frames, free chan []byte, failed func()) {
	defer failed()
	for {
		select {
		case <-ctx.Done():
			return
		case frame := <-frames:
			if rate := r.phone.config.Costs.ReadBack; rate > 0 {
				pixels := r.frame.Rect.Dx() * r.frame.Rect.Dy() * 4
				if shell.Sleep(ctx, time.Duration(float64(pixels)/float64(rate)*float64(time.Second))) != nil {
					return
				}
			}
			if _, err := r.out.Write(frame); err != nil {
				return
			}
			select {
			case free <- frame:
			default:
			}
		}
	}
}

// compose draws the screen into a frame as it is written; nil when nothing has changed.
func (r *recorder) compose(free chan []byte) []byte {
	c := r.phone.capture()
	if r.shown != nil {
		if r.shown.size == c.size && bytes.Equal(r.shown.frame.Pix, c.frame.Pix) {
			r.phone.release(c)
			return nil
		}
		r.phone.release(r.shown)
	}
	r.shown = c
	// A screen that was turned since is drawn as far as it lies within the old one.
	source := image.NewRGBA(r.source)
	if c.frame.Rect == r.source {
		source = c.frame
	} else {
		draw.Draw(source, r.source, image.Black, image.Point{}, draw.Src)
		draw.Draw(source, r.source, c.frame, image.Point{}, draw.Src)
	}
	if r.target.Size() == r.source.Size() {
		draw.Draw(r.frame, r.target, source, image.Point{}, draw.Src)
	} else {
		draw.ApproxBiLinear.Scale(r.frame, r.target, source, r.source, draw.Src, nil) // as a GPU samples
	}
	var buffer []byte
	select {
	case buffer = <-free:
	default:
	}
	return r.encode(buffer[:0])
}

// encode writes the frame as FrameOutput.cpp does.
func (r *recorder) encode(out []byte) []byte {
	const rgb888, rgba8888 = 3, 1
	w, h := r.frame.Rect.Dx(), r.frame.Rect.Dy()
	format, size := rgb888, 3
	if r.phone.recorders.fails(recorderFat) {
		format, size = rgba8888, 4
	}
	out = slices.Grow(out, 20+size*w*h)
	length := 16 + size*w*h
	if r.phone.recorders.fails(recorderOdd) {
		length = w * h // which no header of that size has
	}
	for _, field := range []int{length, w, h, size * w, format} {
		out = binary.LittleEndian.AppendUint32(out, uint32(field))
	}
	if size == 4 {
		return append(out, r.frame.Pix...)
	}
	at := len(out)
	out = out[:at+3*w*h]
	for pix := r.frame.Pix; len(pix) >= 4; pix = pix[4:] {
		out[at], out[at+1], out[at+2] = pix[0], pix[1], pix[2]
		at += 3
	}
	return out
}

// runKill sends a signal. Of what runs here only the shell's own processes may be ended,
// and only recorders are listed: each of these signals ends them with their display.
func runKill(p *process) int {
	args, signal := p.Args[1:], "TERM"
	if len(args) > 0 && strings.HasPrefix(args[0], "-") {
		signal, args = strings.TrimPrefix(strings.ToUpper(args[0][1:]), "SIG"), args[1:]
	}
	if !slices.Contains([]string{"0", "1", "2", "9", "15", "HUP", "INT", "KILL", "TERM"}, signal) {
		return p.Fail("bad signal '%s'", signal)
	}
	if len(args) == 0 {
		return p.Fail("Needs 1 argument")
	}
	status := 0
	for _, arg := range args {
		pid, err := strconv.Atoi(arg)
		if err != nil {
			status = p.Fail("unknown pid '%s'", arg)
		} else if refused := p.phone.signal(pid, signal != "0"); refused != "" {
			status = p.Fail("%d: %s", pid, refused)
		}
	}
	return status
}

// signal sends a signal to a process, which may end it, and returns why that is refused.
func (p *Phone) signal(pid int, ends bool) string {
	p.recorders.mu.Lock()
	r := p.recorders.live[pid]
	p.recorders.mu.Unlock()
	switch {
	case r == nil && slices.ContainsFunc(p.processes(), func(a runningApp) bool { return a.pid == pid }):
		return "Operation not permitted"
	case r == nil:
		return "No such process"
	case ends:
		r.end()
	}
	return ""
}
