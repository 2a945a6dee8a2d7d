package web

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// policy is the Content-Security-Policy of every answer. Pictures dropped on
// the page are shown from memory (blob:).
const policy = "default-src 'self'; img-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// guard admits only requests that the page itself may have made.
type guard struct {
	next http.Handler
	// remote allows addresses beyond the loopback interface.
	remote bool
	// name is a host name that is allowed in addition to addresses; empty for none.
	name string
	// token must be shown once, in the query, and then comes as a cookie; with an
	// empty one, none is asked for.
	token string
}

func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	if !g.hostAllowed(r.Host) {
		http.Error(w, "tapwise: this address is not the page's; open the one that `tapwise serve` printed", http.StatusMisdirectedRequest)
		return
	}
	if !sameSite(r) {
		http.Error(w, "tapwise: refused: the request comes from another site", http.StatusForbidden)
		return
	}
	if g.token != "" && !g.known(w, r) {
		return
	}
	g.next.ServeHTTP(w, r)
}

// hostAllowed reports whether a request's Host is an address of this page. Names
// are refused, except localhost and the configured one: another site's page whose
// name was made to point here sends that name.
func (g *guard) hostAllowed(hostPort string) bool {
	host, port, err := net.SplitHostPort(hostPort)
	if err != nil {
		// There is no port; if the host makes no sense, neither does this.
		host, port, err = net.SplitHostPort(hostPort + ":80")
	}
	if err != nil || strings.Trim(port, "0123456789") != "" {
		return false
	}
	host = strings.ToLower(host)
	if host == "localhost" || g.name != "" && host == g.name {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && (address.IsLoopback() || g.remote)
}

// sameSite reports whether a request comes from the page itself or from no page at
// all. Only opening the page may come from elsewhere: by a link.
func sameSite(r *http.Request) bool {
	opening := r.Method == http.MethodGet && r.URL.Path == "/"
	switch site := r.Header.Get("Sec-Fetch-Site"); site {
	case "", "same-origin":
	case "none":
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			return false
		}
	default:
		if !opening || r.Header.Get("Sec-Fetch-Mode") != "navigate" {
			return false
		}
	}
	if origin := r.Header.Get("Origin"); origin != "" {
		u, err := url.Parse(origin)
		return err == nil && u.Scheme == "http" && u.Host == r.Host
	}
	return true
}

// known reports whether a request shows the token, and answers it if not. A token
// in the address is exchanged for a cookie at once, so that it does not stay in the
// address.
func (g *guard) known(w http.ResponseWriter, r *http.Request) bool {
	equal := func(text string) bool { return subtle.ConstantTimeCompare([]byte(text), []byte(g.token)) == 1 }
	name := g.cookieName()
	if c, err := r.Cookie(name); err == nil && equal(c.Value) && !r.URL.Query().Has("token") {
		return true
	}
	if r.Method == http.MethodGet && r.URL.Path == "/" && equal(r.URL.Query().Get("token")) {
		http.SetCookie(w, &http.Cookie{Name: name, Value: g.token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return false
	}
	http.Error(w, "tapwise: open the page by the address with the token that `tapwise serve` printed", http.StatusUnauthorized)
	return false
}

// cookieName keeps pages on different ports apart: cookies do not know ports.
func (g *guard) cookieName() string {
	sum := sha256.Sum256([]byte(g.token))
	return "tapwise-" + hex.EncodeToString(sum[:4])
}
