package fleet

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

// Credential is what it takes to reach a hub beyond this machine: one line to paste.
type Credential struct {
	URL  string `json:"url"` // tls://HOST:PORT
	Name string `json:"name"`
	Seed string `json:"seed"` // of the nkey, which is secret
	// Certificate is the hub's own, in DER: no other is believed, whoever signed it.
	Certificate []byte `json:"certificate"`
}

// ServerName is the name in the certificate of every hub.
const ServerName = "tapwise-hub"

// credentialPrefix begins the line of a credential, and says its version.
const credentialPrefix = "tapwise1:"

// maxCredential bounds the line in bytes; it has about a thousand.
const maxCredential = 16 << 10

// String returns the line. It is a secret.
func (c Credential) String() string {
	data, err := json.Marshal(c)
	if err != nil {
		return "" // its fields are text
	}
	return credentialPrefix + base64.RawURLEncoding.EncodeToString(data)
}

// IsCredential reports whether a text means to be a credential.
func IsCredential(text string) bool { return strings.HasPrefix(text, credentialPrefix) }

// ParseCredential reads the line of a credential. Errors do not tell of its contents.
func ParseCredential(line string) (Credential, error) {
	line = strings.TrimSpace(line)
	text, ok := strings.CutPrefix(line, credentialPrefix)
	if !ok || len(line) > maxCredential {
		return Credential{}, fmt.Errorf("fleet: no credential, expected %s and letters after it, as tapwise hub prints it", credentialPrefix)
	}
	damaged := errors.New("fleet: a credential that is damaged; was all of the line pasted?")
	data, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return Credential{}, damaged
	}
	var c Credential
	if err := json.Unmarshal(data, &c); err != nil {
		return Credential{}, damaged
	}
	if _, err := nkeys.FromSeed([]byte(c.Seed)); err != nil || !isName(c.Name) || !strings.HasPrefix(c.URL, "tls://") {
		return Credential{}, damaged
	}
	if _, err := x509.ParseCertificate(c.Certificate); err != nil {
		return Credential{}, damaged
	}
	return c, nil
}

// Options returns how the hub is reached with the credential.
func (c Credential) Options() ([]nats.Option, error) {
	key, err := nkeys.FromSeed([]byte(c.Seed))
	if err != nil {
		return nil, fmt.Errorf("fleet: the key of the credential: %w", err)
	}
	public, err := key.PublicKey()
	if err != nil {
		return nil, fmt.Errorf("fleet: the key of the credential: %w", err)
	}
	certificate, err := x509.ParseCertificate(c.Certificate)
	if err != nil {
		return nil, fmt.Errorf("fleet: the certificate of the credential: %w", err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(certificate)
	return []nats.Option{
		nats.Nkey(public, key.Sign),
		nats.Secure(&tls.Config{RootCAs: pool, ServerName: ServerName, MinVersion: tls.VersionTLS13}),
	}, nil
}
