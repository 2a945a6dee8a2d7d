package adb_test

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"tapwise/adb"
	"tapwise/adb/adbtest"
	"tapwise/adb/adbtest/await"
	"tapwise/adb/simphone"
)

// TestKeeper ends the real server again and again: it is started again, with its phones on the
// network, but not for ever.
func TestKeeper(t *testing.T) {
	server := adbtest.Start(t)
	home := t.TempDir()
	for name, value := range map[string]string{"HOME": home, "TMPDIR": home, "ADB_LOCAL_TRANSPORT_MAX_PORT": "0", "ADB_MDNS": "0", "ANDROID_ADB_SERVER_ADDRESS": "192.0.2.1"} {
		t.Setenv(name, value)
	}
	phone := adbtest.StartPhone(t, simphone.Config{})
	server.Run("connect", phone.Addr())
	var started atomic.Int64
	var clock atomic.Int64
	config := adb.Config{Port: server.Port, Now: func() time.Time { return time.Unix(clock.Load(), 0) },
		Keeper: &adb.Keeper{Started: func(string) { started.Add(1) }}}
	phones := func() error { // by a client of its own, as a worker that looks around
		client, err := adb.New(config)
		if err != nil {
			t.Fatal(err)
		}
		list, err := client.Phones(t.Context())
		if err == nil && (len(list) != 1 || list[0].Serial != phone.Addr() || list[0].Err() != nil) {
			t.Errorf("%v, expected %s", list, phone.Addr())
		}
		return err
	}
	if err := phones(); err != nil {
		t.Fatal(err)
	}
	process, err := os.FindProcess(server.PID())
	if err == nil {
		err = process.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
	for n := int64(1); n <= 3; n++ {
		gone(t, server.Addr)
		if err := phones(); err != nil || started.Load() != n {
			t.Fatalf("ended %d times: %v after %d starts", n, err, started.Load())
		}
		end(t, server.Addr)
	}
	gone(t, server.Addr)
	if err := phones(); !errors.Is(err, adb.ErrServerEnds) || !errors.Is(err, adb.ErrNoServer) || started.Load() != 3 {
		t.Errorf("ended a fourth time: %v after %d starts, expected %v", err, started.Load(), adb.ErrServerEnds)
	}
	clock.Add(3600)
	t.Run("no adb", func(t *testing.T) {
		t.Setenv("PATH", filepath.Join(home, "nothing"))
		if err := phones(); !errors.Is(err, adb.ErrNoADB) || !errors.Is(err, adb.ErrNoServer) {
			t.Errorf("without adb: %v, expected %v", err, adb.ErrNoADB)
		}
	})
	if err := phones(); err != nil || started.Load() != 4 {
		t.Errorf("an hour later: %v after %d starts, expected another", err, started.Load())
	}
	end(t, server.Addr)
}

// TestKeeperStartsNoOther: a server that has not answered, or is on another machine, is not
// started.
func TestKeeperStartsNoOther(t *testing.T) {
	t.Setenv("PATH", t.TempDir()) // starting one would say that there is no adb
	answers := true
	for _, test := range []struct {
		host  string
		first bool
	}{{"127.0.0.1", false}, {"192.0.2.1", true}} {
		client, err := adb.New(adb.Config{Host: test.host, Port: 5, Keeper: &adb.Keeper{}, Dial: func(context.Context) (net.Conn, error) {
			if !answers {
				return nil, errors.New("refused")
			}
			near, far := net.Pipe()
			go func() {
				defer far.Close()
				_, _ = io.ReadFull(far, make([]byte, 16))
				_, _ = io.WriteString(far, "OKAY00040029")
			}()
			return near, nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		if answers = test.first; answers {
			if version, err := client.ServerVersion(t.Context()); version != 41 {
				t.Fatalf("version %d, %v", version, err)
			}
		}
		answers = false
		if _, err := client.ServerVersion(t.Context()); !errors.Is(err, adb.ErrNoServer) || errors.Is(err, adb.ErrNoADB) {
			t.Errorf("%s: %v, expected no more than %v", test.host, err, adb.ErrNoServer)
		}
	}
}

// end ends the server on a port that is the test's own.
func end(t *testing.T, address string) {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, _ = io.WriteString(conn, "0009host:kill")
	_, _ = io.Copy(io.Discard, conn)
}

// gone waits until nothing listens there.
func gone(t *testing.T, address string) {
	t.Helper()
	await.Until(t, "the server has ended", func() bool {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
		}
		return err != nil
	})
}
