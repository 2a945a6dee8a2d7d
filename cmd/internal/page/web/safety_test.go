package web

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/png"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestHosts(t *testing.T) {
	local := config()
	remote := config()
	remote.Remote, remote.Token, remote.Name = true, "secret", "Box"
	for _, test := range []struct {
		host          string
		local, remote bool
	}{
		{"127.0.0.1:8420", true, true},
		{"127.9.9.9", true, true},
		{"localhost:8420", true, true},
		{"LOCALHOST", true, true},
		{"[::1]:8420", true, true},
		{"192.168.1.5:8420", false, true},
		{"[fe80::1]:8420", false, true},
		{"box:8420", false, true},
		{"evil.example:8420", false, false},
		{"127.0.0.1.evil.example", false, false},
		{"localhost.evil.example:8420", false, false},
		{"boxes", false, false},
		{"0x7f000001", false, false},
	} {
		for _, c := range []struct {
			config Config
			want   bool
		}{{local, test.local}, {remote, test.remote}} {
			_, server := start(t, c.config)
			response, _ := send(t, "GET", server.URL+"/api/games", "", "Host", test.host)
			if got := response.StatusCode != http.StatusMisdirectedRequest; got != c.want {
				t.Errorf("Host %q, remote %v: %s, expected to be let in: %v", test.host, c.config.Remote, response.Status, c.want)
			}
		}
	}
}

// FuzzHost expects no name but localhost to be let in.
func FuzzHost(f *testing.F) {
	for _, host := range []string{"127.0.0.1:1", "localhost", "[::1]:80", "evil.example", "127.0.0.1.evil.example", "[localhost", "::1", "1.2.3.4:5"} {
		f.Add(host)
	}
	f.Fuzz(func(t *testing.T, host string) {
		g := guard{}
		if !g.hostAllowed(host) {
			return
		}
		u, err := url.Parse("http://" + host + "/")
		if err != nil {
			return // no browser sends such a host
		}
		if a, err := netip.ParseAddr(u.Hostname()); !strings.EqualFold(u.Hostname(), "localhost") && (err != nil || !a.IsLoopback()) {
			t.Errorf("Host %q is let in", host)
		}
	})
}

func TestOtherSites(t *testing.T) {
	_, server := start(t, config())
	solve := `{"game":"flow","text":"A.\nA.","limit":1}`
	for _, test := range []struct {
		name, method, path, body string
		headers                  []string
		want                     int
	}{
		{"the page itself", "POST", "/api/solve", solve, []string{"Origin", server.URL, "Sec-Fetch-Site", "same-origin"}, 200},
		{"no browser", "POST", "/api/solve", solve, nil, 200},
		{"another site", "POST", "/api/solve", solve, []string{"Origin", "http://evil.example", "Sec-Fetch-Site", "cross-site"}, 403},
		{"another site, old browser", "POST", "/api/solve", solve, []string{"Origin", "http://evil.example"}, 403},
		{"another port of this machine", "POST", "/api/solve", solve, []string{"Origin", "http://127.0.0.1:1"}, 403},
		{"another port, as browsers call it", "POST", "/api/solve", solve, []string{"Sec-Fetch-Site", "same-site"}, 403},
		{"https of the same name", "POST", "/api/solve", solve, []string{"Origin", strings.Replace(server.URL, "http:", "https:", 1)}, 403},
		{"a sandboxed page", "POST", "/api/solve", solve, []string{"Origin", "null"}, 403},
		{"a form", "POST", "/api/solve", solve, []string{"Content-Type", "text/plain"}, 415},
		{"a form of another kind", "POST", "/api/solve", solve, []string{"Content-Type", "application/x-www-form-urlencoded"}, 415},
		{"a picture in another page", "GET", "/api/games", "", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors"}, 403},
		{"a link to the page", "GET", "/", "", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"}, 200},
		{"a script of another page", "GET", "/", "", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "cors"}, 403},
		{"typed", "GET", "/", "", []string{"Sec-Fetch-Site", "none", "Sec-Fetch-Mode", "navigate"}, 200},
		{"typed, but a post", "POST", "/api/solve", solve, []string{"Sec-Fetch-Site", "none"}, 403},
		{"start by a link", "GET", "/api/phones/one/start", "", nil, 405},
	} {
		if response, text := send(t, test.method, server.URL+test.path, test.body, test.headers...); response.StatusCode != test.want {
			t.Errorf("%s: %d %s, expected %d", test.name, response.StatusCode, text, test.want)
		}
	}
}

func TestToken(t *testing.T) {
	c := config()
	c.Remote, c.Token = true, "the-right-token"
	_, server := start(t, c)
	for _, test := range []struct {
		path, cookie string
		want         int
	}{
		{"/", "", 401},
		{"/api/games", "", 401},
		{"/style.css", "", 401},
		{"/?token=wrong", "", 401},
		{"/?token=", "", 401},
		{"/api/games?token=the-right-token", "", 401},
		{"/?token=the-right-token", "", 303},
		{"/", "the-right-token", 200},
		{"/api/games", "the-right-token", 200},
		{"/api/games", "the-right-toke", 401},
		{"/api/events", "wrong", 401},
	} {
		g := guard{token: c.Token}
		headers := []string{}
		if test.cookie != "" {
			headers = []string{"Cookie", g.cookieName() + "=" + test.cookie}
		}
		response, text := send(t, "GET", server.URL+test.path, "", headers...)
		if response.StatusCode != test.want {
			t.Errorf("%s with cookie %q: %d %s, expected %d", test.path, test.cookie, response.StatusCode, text, test.want)
		}
		if strings.Contains(text, c.Token) {
			t.Errorf("%s: the answer holds the token", test.path)
		}
		if test.want == 303 {
			cookie := response.Header.Get("Set-Cookie")
			for _, part := range []string{"HttpOnly", "SameSite=Strict", "Path=/"} {
				if !strings.Contains(cookie, part) {
					t.Errorf("cookie %q, expected %s", cookie, part)
				}
			}
			if to := response.Header.Get("Location"); to != "/" {
				t.Errorf("led to %q, expected / without the token", to)
			}
		}
	}
}

func TestHeaders(t *testing.T) {
	_, server := start(t, config())
	for _, path := range []string{"/", "/app.js", "/style.css", "/api/games", "/nothing", "/api/history/7/files/x.png"} {
		response, _ := send(t, "GET", server.URL+path, "")
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'self'", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
			"Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin",
		} {
			if got := response.Header.Get(name); !strings.Contains(got, want) {
				t.Errorf("%s: %s is %q, expected %q in it", path, name, got, want)
			}
		}
		if policy := response.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "frame-ancestors 'none'") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: policy %q", path, policy)
		}
	}
}

// forged is a PNG whose header claims the given size.
func forged(width, height uint32) string {
	var b bytes.Buffer
	b.WriteString("\x89PNG\r\n\x1a\n")
	chunk := []byte("IHDR\x00\x00\x00\x00\x00\x00\x00\x00\x08\x02\x00\x00\x00")
	binary.BigEndian.PutUint32(chunk[4:], width)
	binary.BigEndian.PutUint32(chunk[8:], height)
	_ = binary.Write(&b, binary.BigEndian, uint32(13))
	b.Write(chunk)
	_ = binary.Write(&b, binary.BigEndian, crc32.ChecksumIEEE(chunk))
	b.WriteString(strings.Repeat("x", 1000))
	return b.String()
}

func TestUploads(t *testing.T) {
	c := config()
	decoded := 0
	c.Decode = func(_ context.Context, data []byte) (*image.RGBA, error) {
		decoded++
		m, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		frame := image.NewRGBA(m.Bounds())
		return frame, nil
	}
	c.Calibration = &fakeCalibration{}
	_, server := start(t, c)
	var good bytes.Buffer
	if err := png.Encode(&good, image.NewRGBA(image.Rect(0, 0, 40, 60))); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, body string
		want       int
		decoded    int
	}{
		{"good", good.String(), 200, 1},
		{"truncated", good.String()[:60], 422, 1},
		{"text", "hello", 415, 0},
		{"empty", "", 415, 0},
		{"too many pixels", forged(100_000, 100_000), 413, 0},
		{"too wide by far", forged(0x7fffffff, 1), 413, 0},
		{"too many bytes", good.String() + strings.Repeat("x", maxUpload), 413, 0},
	} {
		decoded = 0
		response, text := send(t, "POST", server.URL+"/api/pictures", test.body, "Content-Type", "image/png")
		if response.StatusCode != test.want || decoded != test.decoded {
			t.Errorf("%s: %d %s, decoded %d times; expected %d, %d", test.name, response.StatusCode, text, decoded, test.want, test.decoded)
		}
	}
}

func TestBodies(t *testing.T) {
	_, server := start(t, config())
	for _, test := range []struct {
		name, body string
		want       int
	}{
		{"too large", `{"game":"flow","text":"` + strings.Repeat("A", maxBody) + `"}`, 413},
		{"not JSON", `game=flow`, 400},
		{"a field too many", `{"game":"flow","text":"A.\nA.","limit":1,"extra":1}`, 400},
		{"something after it", `{"game":"flow","text":"A.\nA.","limit":1} {}`, 400},
		{"nothing after it", `{"game":"flow","text":"A.\nA.","limit":1}` + "\n \n", 200},
		{"a number too large", `{"game":"flow","text":"A.\nA.","limit":1e99}`, 400},
	} {
		if response, text := send(t, "POST", server.URL+"/api/solve", test.body); response.StatusCode != test.want {
			t.Errorf("%s: %d %.200s, expected %d", test.name, response.StatusCode, text, test.want)
		}
	}
}

func TestEvidenceStaysInItsFolder(t *testing.T) {
	top := t.TempDir()
	folder := filepath.Join(top, "evidence")
	for _, dir := range []string{folder, filepath.Join(folder, "sub")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		"evidence/frame-1.png": "one", "evidence/overlay-1.png": "over", "evidence/frame-10.png": "ten", "evidence/frame-2.png": "two",
		"evidence/error.txt": "what went wrong", "evidence/secret.key": "secret", "evidence/sub/deep.txt": "secret", "outside.txt": "secret",
	} {
		if err := os.WriteFile(filepath.Join(top, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"link.txt": "../outside.txt", "absolute.txt": filepath.Join(top, "outside.txt"), "up.txt": "..", "inside.txt": "error.txt"} {
		if err := os.Symlink(to, filepath.Join(folder, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(folder, "pipe.txt"), 0o600); err != nil { // opening it must not wait
		t.Fatal(err)
	}
	c := config()
	c.History = fakeHistory{{ID: 1, Game: "flow", Verdict: "failed", Evidence: folder}, {ID: 2, Game: "flow", Verdict: "won"}}
	_, server := start(t, c)
	var a attemptAnswer
	call(t, server, "GET", "/api/history/1", "", &a)
	if len(a.Frames) != 3 || a.Frames[0] != (frameFiles{Frame: "frame-1.png", Overlay: "overlay-1.png"}) || a.Frames[1].Frame != "frame-2.png" || a.Frames[2].Frame != "frame-10.png" {
		t.Errorf("frames: %+v", a.Frames)
	}
	for path, want := range map[string]int{
		"1/files/frame-1.png":              200,
		"1/files/error.txt":                200,
		"1/files/secret.key":               404,
		"1/files/sub":                      404,
		"1/files/link.txt":                 404,
		"1/files/absolute.txt":             404,
		"1/files/up.txt":                   404,
		"1/files/inside.txt":               404,
		"1/files/pipe.txt":                 404,
		"1/files/..%2foutside.txt":         404,
		"1/files/%2e%2e%2foutside.txt":     404,
		"1/files/..%5coutside.txt":         404,
		"1/files/sub%2fdeep.txt":           404,
		"1/files/%2fetc%2fpasswd":          404,
		"1/files/outside.txt":              404,
		"1/files/frame-1.png%00.txt":       404,
		"2/files/frame-1.png":              404,
		"3/files/frame-1.png":              404,
		"..%2f1/files/frame-1.png":         404,
		"99999999999999999999/files/a.png": 404,
	} {
		response, text := send(t, "GET", server.URL+"/api/history/"+path, "")
		if response.StatusCode != want {
			t.Errorf("%s: %d, expected %d", path, response.StatusCode, want)
		}
		if strings.Contains(text, "secret") {
			t.Errorf("%s: leaves the folder: %q", path, text)
		}
	}
	for _, path := range []string{"/../server.go", "/static/app.js", "/%2e%2e/server.go", "/..%2fserver.go"} {
		if response, _ := send(t, "GET", server.URL+path, ""); response.StatusCode == 200 {
			t.Errorf("%s is served", path)
		}
	}
}
