package adb

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"
)

// A conn is one connection to the adb server. Its reads and writes end when the
// context it was dialled with does.
type conn struct {
	net.Conn
	ctx     context.Context
	stop    func() bool
	traffic *traffic
}

func (c *Client) dial(ctx context.Context) (*conn, error) {
	if ctx.Err() != nil {
		return nil, contextError(ctx)
	}
	nc, err := c.config.Dial(ctx)
	if err != nil && ctx.Err() == nil && c.config.Keeper != nil {
		reason := fmt.Errorf("%w on %s: %w", ErrNoServer, c.address, err)
		if lost := c.config.Keeper.revive(ctx, c, reason); lost != nil {
			return nil, lost
		}
		nc, err = c.config.Dial(ctx)
	}
	if err != nil {
		// A dialler that keeps to the deadline by a clock of its own may be done before ctx is.
		if end, limited := ctx.Deadline(); limited && !time.Now().Before(end) {
			<-ctx.Done()
		}
		if ctx.Err() != nil {
			return nil, contextError(ctx)
		}
		return nil, fmt.Errorf("%w on %s: %w", ErrNoServer, c.address, err)
	}
	k := &conn{Conn: nc, ctx: ctx, traffic: c.traffic}
	// A deadline in the past makes reads and writes under way return at once.
	k.stop = context.AfterFunc(ctx, func() { _ = nc.SetDeadline(time.Unix(1, 0)) })
	return k, nil
}

func (k *conn) Close() error {
	k.stop()
	return k.Conn.Close()
}

// Read is net.Conn's, but gives the context's error in place of the deadline's.
func (k *conn) Read(p []byte) (int, error) {
	n, err := k.Conn.Read(p)
	k.traffic.received.Add(int64(n))
	return n, k.reason(err)
}

// Write is net.Conn's, but gives the context's error in place of the deadline's.
func (k *conn) Write(p []byte) (int, error) {
	n, err := k.Conn.Write(p)
	k.traffic.sent.Add(int64(n))
	return n, k.reason(err)
}

func (k *conn) reason(err error) error {
	if err != nil && !errors.Is(err, io.EOF) && k.ctx.Err() != nil {
		return contextError(k.ctx)
	}
	return err
}

// request sends one service name and reads the OKAY or FAIL that answers it.
func (k *conn) request(service string) error {
	if len(service) > 0xffff {
		return fmt.Errorf("%w: a request of %d bytes, at most 65535", ErrTooLong, len(service))
	}
	// A failed write is not reported yet: a server that refuses a connection closes
	// it, and what it had to say may still be readable.
	_, writeErr := fmt.Fprintf(k, "%04x%s", len(service), service)
	var status [4]byte
	if n, err := io.ReadFull(k, status[:]); err != nil {
		switch {
		case k.ctx.Err() != nil:
			return contextError(k.ctx)
		case writeErr != nil:
			return fmt.Errorf("%w: %w", ErrNoServer, writeErr)
		case n > 0:
			return fmt.Errorf("%w: %q", ErrProtocol, status[:n])
		}
		return fmt.Errorf("%w: it closed the connection without an answer", ErrNoServer)
	}
	switch string(status[:]) {
	case "OKAY":
		return nil
	case "FAIL":
		text, err := k.reply()
		if err != nil {
			return err
		}
		return serverFailure(text)
	}
	return fmt.Errorf("%w: %q where OKAY or FAIL was expected", ErrProtocol, status[:])
}

// reply reads a text preceded by its length in four hexadecimal digits.
func (k *conn) reply() (string, error) {
	var digits [4]byte
	if _, err := io.ReadFull(k, digits[:]); err != nil {
		return "", k.short(err)
	}
	size, err := strconv.ParseUint(string(digits[:]), 16, 16)
	if err != nil {
		return "", fmt.Errorf("%w: %q where a length was expected", ErrProtocol, digits[:])
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(k, text); err != nil {
		return "", k.short(err)
	}
	return string(text), nil
}

// short explains why an answer of the server itself ended early.
func (k *conn) short(err error) error {
	if k.ctx.Err() != nil {
		return contextError(k.ctx)
	}
	return fmt.Errorf("%w: its answer ends early: %w", ErrProtocol, err)
}

// query asks the server itself (not a phone) and returns its answer.
func (c *Client) query(ctx context.Context, service string) (string, error) {
	k, err := c.dial(ctx)
	if err != nil {
		return "", err
	}
	defer k.Close()
	if err := k.request(service); err != nil {
		return "", err
	}
	c.config.Keeper.heard()
	return k.reply()
}

// open starts a service of one phone; the caller reads its output and closes it.
func (c *Client) open(ctx context.Context, serial, service string) (*conn, error) {
	transport, err := c.transport(ctx, serial)
	if err != nil {
		return nil, err
	}
	k, err := c.dial(ctx)
	if err != nil {
		return nil, err
	}
	err = k.request("host:" + transport)
	if err == nil {
		err = k.request(service)
		if errors.Is(err, ErrNoServer) { // from here on the other side is the phone
			err = fmt.Errorf("%w: the phone did not take the command", ErrClosed)
		}
	}
	if err != nil {
		k.Close()
		return nil, err
	}
	return k, nil
}

// readAll reads r to its end and refuses more than limit bytes.
func readAll(r io.Reader, limit int64) ([]byte, error) {
	var buffer bytes.Buffer
	n, err := buffer.ReadFrom(io.LimitReader(r, limit+1))
	if err == nil && n > limit {
		err = fmt.Errorf("%w: over %d bytes", ErrTooMuch, limit)
	}
	return buffer.Bytes(), err
}

// readLines is readAll without the lines that line takes, until line stops it.
func readLines(r io.Reader, limit int64, line func(string) (taken bool, err error)) (rest []byte, stopped, err error) {
	lines := bufio.NewReader(io.LimitReader(r, limit+1))
	for err == nil {
		var text string
		text, err = lines.ReadString('\n')
		taken, stopped := line(strings.TrimSpace(text))
		if stopped != nil {
			return rest, stopped, nil
		}
		if !taken {
			rest = append(rest, text...)
		}
	}
	if int64(len(rest)) > limit {
		err = fmt.Errorf("%w: over %d bytes", ErrTooMuch, limit)
	}
	return rest, nil, err
}

// abandonable runs a call that knows no context and stops waiting for it when ctx
// ends. The call goes on in its goroutine until it returns by itself, so it must
// not touch anything the caller uses afterwards. A panic in it (gadb panics on a
// negative length) becomes an error.
func abandonable[T any](ctx context.Context, call func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		var result outcome
		defer func() {
			if cause := recover(); cause != nil {
				result.err = fmt.Errorf("%w: gadb: %v", ErrProtocol, cause)
			}
			done <- result
		}()
		result.value, result.err = call()
	}()
	select {
	case result := <-done:
		return result.value, result.err
	case <-ctx.Done():
		var none T
		return none, contextError(ctx)
	}
}
