package adb

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/electricbubble/gadb"

	"tapwise/adb/hand"
)

// MaxCommand is the length in bytes of the longest shell command that is sent,
// including its end marker. On phones that announce packets of 4096 bytes, a
// command over 4089 bytes makes the adb server abort, for all its users.
const MaxCommand = 3500

const (
	statusMark = "__RC" // followed by the exit status, it ends every shell command
	statusEcho = "; echo " + statusMark + "$?"

	maxShellOutput = 8 << 20 // dumpsys prints up to a few hundred kilobytes
)

// A Device is one phone. It is safe for concurrent use.
type Device struct {
	Serial     string            // or another name, where several phones have the serial
	Model      string            // ro.product.model
	SDK        int               // ro.build.version.sdk; 0 unknown
	Properties map[string]string // everything getprop printed

	client *Client

	mu       sync.Mutex // guards the fields below
	identity string     // as it was told last; empty before
	method   Method
	chosen   captureReason
	still    time.Duration // what a frame by the method took when it was chosen; 0 before
	screen   screenNote
	files    int // the number of files captured into so far
	copies   map[string]appCopy
	hand     *hand.Hand // nil until it is asked for
	note     TouchNote
	loaded   bool  // note was
	saved    error // why note could not be read or kept last; nil otherwise
	eyes     eyes
}

// screenNote is what the last look at the screen found.
type screenNote struct {
	screen Screen
	at     time.Time
	// The size of the frames captured on that screen; zero before the first one. On
	// most phones it is the screen's, but some capture at the panel's own size.
	frame image.Point
}

// Open takes the phone with that serial or other name (see PhoneInfo.Names), or the only one if
// serial is empty, by the best of its connections. If there are several phones, the error is an
// ErrManyDevices that lists them; if the phone cannot be used, the error says why.
func (c *Client) Open(ctx context.Context, serial string) (*Device, error) {
	ctx, cancel := c.limit(ctx)
	defer cancel()
	devices, err := c.devices(ctx)
	if err != nil {
		return nil, err
	}
	info, err := c.choose(ctx, devices, serial)
	if err != nil {
		return nil, err
	}
	if err := info.Err(); err != nil {
		return nil, err
	}
	name := info.Names[0]
	output, _, err := c.shell(ctx, name, "getprop")
	if err != nil {
		return nil, fmt.Errorf("adb: getprop on %s: %w", name, err)
	}
	properties := parseProperties(output)
	d := &Device{
		Serial:     name,
		Model:      properties["ro.product.model"],
		Properties: properties,
		client:     c,
		method:     c.config.Method,
	}
	d.SDK, _ = strconv.Atoi(properties["ro.build.version.sdk"]) // 0: unknown
	if d.Model == "" {
		d.Model = info.Model
	}
	if c.config.Display != "" {
		return d.onConfigured(ctx)
	}
	return d, nil
}

// The limits of parseProperties. Phones have some 1,500 properties, with values of
// a few hundred bytes at most.
const (
	maxProperties    = 1 << 14
	maxPropertyBytes = 64 << 10 // of one value
)

// parseProperties reads the output of getprop: lines of `[key]: [value]`, where a
// value may continue over several lines. A value that does not end within
// maxPropertyBytes is left out, and so is everything after the first maxProperties.
func parseProperties(text string) map[string]string {
	properties := make(map[string]string)
	for text != "" && len(properties) < maxProperties {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		name, begun, found := strings.Cut(line, "]: [")
		if !found || !strings.HasPrefix(name, "[") {
			continue
		}
		var value string
		var closed bool
		if value, text, closed = propertyValue(begun, text); closed {
			properties[name[1:]] = value
		}
	}
	return properties
}

// propertyValue reads a value that begins on one line and may continue in the text
// after it, up to the bracket that ends a line. The rest begins after the last line
// that was read, whether the value ended there or not, so that no line is read
// twice.
func propertyValue(line, text string) (value, rest string, closed bool) {
	var lines []string
	for size := len(line); size <= maxPropertyBytes; size += 1 + len(line) {
		line = strings.TrimRight(line, "\r")
		if end, ok := strings.CutSuffix(line, "]"); ok {
			return strings.Join(append(lines, end), "\n"), text, true
		}
		if text == "" {
			break
		}
		lines = append(lines, line)
		line, text, _ = strings.Cut(text, "\n")
	}
	return "", text, false
}

// String is the serial and the model.
func (d *Device) String() string {
	if d.Model == "" {
		return d.Serial
	}
	return d.Serial + " (" + d.Model + ")"
}

// State asks the server for the phone's state now.
func (d *Device) State(ctx context.Context) (State, error) {
	ctx, cancel := d.client.limit(ctx)
	defer cancel()
	state, err := d.client.state(ctx, d.Serial)
	if err != nil {
		return "", fmt.Errorf("adb: state of %s: %w", d.Serial, err)
	}
	return state, nil
}

// Reconnect is Client.Reconnect for this phone. It forgets the state of the phone's screen and
// keeps the ways to capture and to touch. It lifts a finger that was left on the screen when
// the phone was lost.
func (d *Device) Reconnect(ctx context.Context) error {
	d.dropEye()
	d.mu.Lock()
	d.screen = screenNote{}
	d.mu.Unlock()
	if err := d.client.Reconnect(ctx, d.Serial); err != nil {
		return err
	}
	if err := d.Hand().LetGo(ctx); err != nil {
		return err
	}
	return d.endLeftRecorders(ctx)
}

// fail adds the operation and the phone to err. If the phone stopped answering in
// the middle, it asks the server what became of it.
func (d *Device) fail(ctx context.Context, operation string, err error) error {
	if errors.Is(err, ErrClosed) && ctx.Err() == nil {
		err = d.whereabouts(ctx, err)
	}
	if errors.Is(err, ErrTimeout) && !errors.Is(err, ErrHung) && d.alive(ctx) {
		err = fmt.Errorf("%w: %w", ErrHung, err)
	}
	return fmt.Errorf("adb: %s on %s: %w", operation, d.Serial, err)
}

// aliveWithin is how long a phone may take to run the shortest command, after another
// one has taken too long.
const aliveWithin = 2 * time.Second

// alive reports whether the phone runs a command now, whatever became of ctx.
func (d *Device) alive(ctx context.Context) bool {
	ctx, cancel := limit(context.WithoutCancel(ctx), d.client.slow(aliveWithin))
	defer cancel()
	_, _, err := d.client.shell(ctx, d.Serial, "echo")
	return err == nil
}

// whereabouts adds to err why the phone is gone, if it is.
func (d *Device) whereabouts(ctx context.Context, err error) error {
	ctx, cancel := limit(ctx, d.client.slow(time.Second))
	defer cancel()
	state, stateErr := d.client.state(ctx, d.Serial)
	if stateErr == nil {
		stateErr = state.err()
	}
	if stateErr == nil || errors.Is(err, stateErr) {
		return err
	}
	return fmt.Errorf("%w: %w", err, stateErr)
}

// Quote makes a shell command of a word and its arguments, each quoted where it
// needs to be.
func Quote(words ...string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-"
	quoted := make([]string, len(words))
	for i, word := range words {
		if word != "" && strings.Trim(word, plain) == "" {
			quoted[i] = word
			continue
		}
		quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return strings.Join(quoted, " ")
}

// CommandLine is what to type on a computer to run command on this phone.
func (d *Device) CommandLine(command string) string {
	if id, ok := strings.CutPrefix(d.Serial, transportPrefix); ok {
		return Quote("adb", "-t", id, "shell", command)
	}
	return Quote("adb", "-s", d.Serial, "shell", command)
}

// Shell runs a command on the phone and returns what it printed on stdout and stderr together,
// without the warnings of its linker, and its exit status. Arguments from elsewhere must be
// quoted in the command (see Quote), which may be at most MaxCommand bytes less the end marker.
// Line ends are \n on every phone. Output that does not end in the marker is incomplete: an
// ErrClosed.
func (d *Device) Shell(ctx context.Context, command string) (output string, status int, err error) {
	ctx, cancel := d.client.limit(ctx)
	defer cancel()
	return d.shell(ctx, command)
}

func (d *Device) shell(ctx context.Context, command string) (string, int, error) {
	output, status, err := d.client.shell(ctx, d.Serial, command)
	if err != nil {
		return output, status, d.fail(ctx, "shell "+commandName(command), err)
	}
	return output, status, nil
}

// commandName is the word by which an error names a command.
func commandName(command string) string {
	words := strings.Fields(command)
	if len(words) == 0 {
		return `""`
	}
	return strings.TrimRight(words[0], ";")
}

func (c *Client) shell(ctx context.Context, serial, command string) (string, int, error) {
	return c.run(ctx, serial, command, nil)
}

// run runs a command to its end. Line, unless nil, is given each line as it comes: what it takes
// is not in the output, and its error ends the command.
func (c *Client) run(ctx context.Context, serial, command string, line func(string) (taken bool, err error)) (string, int, error) {
	command = strings.TrimSpace(command)
	if err := checkCommand(command, len(statusEcho)); err != nil {
		return "", 0, err
	}
	k, err := c.open(ctx, serial, "shell:"+command+statusEcho)
	if err != nil {
		return "", 0, err
	}
	defer k.Close()
	var raw []byte
	var stopped error
	if line == nil {
		raw, err = readAll(k, maxShellOutput)
	} else {
		raw, stopped, err = readLines(k, maxShellOutput, line)
	}
	switch {
	case ctx.Err() != nil:
		return "", 0, contextError(ctx)
	case stopped != nil:
		return "", 0, stopped
	case errors.Is(err, ErrTooMuch):
		return "", 0, err
	}
	// Any other read error is a broken connection: then the marker is missing too.
	output, status, whole := cutStatus(string(raw))
	if !whole {
		return output, 0, fmt.Errorf("%w: the output ends in %q", ErrClosed, lastWords(output))
	}
	return output, status, nil
}

func checkCommand(command string, marker int) error {
	if command == "" {
		return errors.New("empty command")
	}
	if strings.ContainsRune(command, 0) {
		return errors.New("command contains a NUL byte")
	}
	if size := len(command) + marker; size > MaxCommand {
		return fmt.Errorf("%w: %d bytes with its end marker, at most %d", ErrTooLong, size, MaxCommand)
	}
	return nil
}

// linkerWarning matches what the linker of Android 4.4 to 6 prints on stderr before
// every Java command of some phones, whatever comes after: it says nothing about the
// command.
var linkerWarning = regexp.MustCompile(`(?m)^` + linkerWords + `.*\n`)

const linkerWords = "WARNING: linker: "

// cutStatus restores the line ends that old phones' terminals change, leaves out the
// linker's warnings, and takes the marker with the exit status off the end. What follows
// it is a shell's own, at its end: the command had ended.
func cutStatus(raw string) (output string, status int, whole bool) {
	output = strings.ReplaceAll(raw, "\r\n", "\n")
	if strings.Contains(output, linkerWords) { // looking for lines takes long in a dump of a megabyte
		output = linkerWarning.ReplaceAllString(output, "")
	}
	at := strings.LastIndex(output, statusMark)
	if at < 0 {
		return output, 0, false
	}
	number, _, ended := strings.Cut(output[at+len(statusMark):], "\n")
	status, err := strconv.Atoi(number)
	if err != nil || !ended {
		return output, 0, false
	}
	return output[:at], status, true
}

func lastWords(output string) string {
	const most = 60
	if len(output) > most {
		return "…" + strings.ToValidUTF8(output[len(output)-most:], "")
	}
	return output
}

// exec runs a command on the phone, whose output the caller reads exactly as it is printed.
// There is no exit status, and no sign that the phone went away: the caller has to know how
// much to expect.
func (d *Device) exec(ctx context.Context, command string) (*conn, error) {
	if err := checkCommand(command, 0); err != nil {
		return nil, err
	}
	return d.client.open(ctx, d.Serial, "exec:"+command)
}

// pull reads a file from the phone and verifies its length.
func (d *Device) pull(ctx context.Context, path string, limit int64) ([]byte, error) {
	size, err := d.fileSize(ctx, path)
	if err != nil {
		return nil, err
	}
	if size > limit {
		return nil, fmt.Errorf("%w: a file of %d bytes, at most %d", ErrTooMuch, size, limit)
	}
	phone, err := d.gadb(ctx)
	if err != nil {
		return nil, err
	}
	content, err := abandonable(ctx, func() ([]byte, error) {
		sink := &boundedBuffer{left: size}
		err := phone.Pull(path, sink)
		return sink.Bytes(), err
	})
	if ctx.Err() != nil {
		return nil, contextError(ctx)
	}
	if err != nil {
		return nil, syncError(err)
	}
	if int64(len(content)) != size {
		return nil, fmt.Errorf("%w: %d of %d bytes arrived", ErrClosed, len(content), size)
	}
	return content, nil
}

// gadb finds the phone in gadb's list. The phone is asked first whether it can be
// used: gadb would leave the socket of a refusal open.
func (d *Device) gadb(ctx context.Context) (gadb.Device, error) {
	if strings.HasPrefix(d.Serial, usbPrefix) || strings.HasPrefix(d.Serial, transportPrefix) {
		return gadb.Device{}, fmt.Errorf("%w: gadb transfers no files with one of several phones that have the same serial", ErrManyDevices)
	}
	state, err := d.client.state(ctx, d.Serial)
	if err == nil {
		err = state.err()
	}
	if err != nil {
		return gadb.Device{}, err
	}
	server, err := d.client.gadb(ctx)
	if err != nil {
		return gadb.Device{}, err
	}
	phones, err := abandonable(ctx, server.DeviceList)
	if err != nil {
		if ctx.Err() != nil {
			return gadb.Device{}, contextError(ctx)
		}
		return gadb.Device{}, gadbError(err)
	}
	for _, phone := range phones {
		if phone.Serial() == d.Serial {
			return phone, nil
		}
	}
	return gadb.Device{}, fmt.Errorf("%w: gadb transfers no files with a phone that names no product", ErrNoDevice)
}

// syncError tells a broken connection from an answer of the phone.
func syncError(err error) error {
	if strings.Contains(err.Error(), "fail") || errors.Is(err, ErrProtocol) || errors.Is(err, ErrTooMuch) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrClosed, err)
}

// fileSize asks the phone for a file's length. gadb can only list whole folders.
func (d *Device) fileSize(ctx context.Context, path string) (int64, error) {
	k, err := d.client.open(ctx, d.Serial, "sync:")
	if err != nil {
		return 0, err
	}
	defer k.Close()
	request := append([]byte("STAT\x00\x00\x00\x00"), path...)
	binary.LittleEndian.PutUint32(request[4:], uint32(len(path)))
	if _, err := k.Write(request); err != nil {
		return 0, k.lost(err)
	}
	var answer [16]byte // "STAT", mode, size, time
	if _, err := io.ReadFull(k, answer[:]); err != nil {
		return 0, k.lost(err)
	}
	if string(answer[:4]) != "STAT" {
		return 0, fmt.Errorf("%w: %q where STAT was expected", ErrProtocol, answer[:4])
	}
	if binary.LittleEndian.Uint32(answer[4:]) == 0 { // no mode: no file
		return 0, fmt.Errorf("%s: %w", path, os.ErrNotExist)
	}
	return int64(binary.LittleEndian.Uint32(answer[8:])), nil
}

// lost is the error for a phone that stopped answering in the middle.
func (k *conn) lost(err error) error {
	if k.ctx.Err() != nil {
		return contextError(k.ctx)
	}
	return fmt.Errorf("%w: %w", ErrClosed, err)
}

// boundedBuffer accepts at most the announced number of bytes.
type boundedBuffer struct {
	bytes.Buffer
	left int64
}

func (b *boundedBuffer) Write(p []byte) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 {
		return 0, fmt.Errorf("%w: more than the file's length", ErrTooMuch)
	}
	return b.Buffer.Write(p)
}
