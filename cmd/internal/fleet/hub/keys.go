package hub

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/nats-io/nkeys"

	"tapwise/cmd/internal/console/wholefile"
	"tapwise/cmd/internal/fleet"
	"tapwise/configs/boundedfile"
)

// The roles of users.
const (
	roleWorker   = "worker"
	roleOperator = "operator"
)

// operatorName is the user who may do everything, on the hub's host.
const operatorName = "operator"

// user is who may connect. The hub knows public keys only.
type user struct {
	Name string    `json:"name"`
	Role string    `json:"role"`
	Key  string    `json:"key"` // public
	Made time.Time `json:"made"`
}

// Keys are the certificate and the users of a hub, in its folder.
type Keys struct{ folder string }

// The files of the keys. The folder may be read by its owner only.
const (
	certificateFile = "hub.pem" // the certificate and its key
	usersFile       = "users.json"
	operatorFile    = "operator" // the operator's credential
	addressFile     = "address"  // at which workers reach the hub
	maxKeys         = 8 << 20    // bytes of a file
)

// OpenKeys returns the keys in a hub's folder.
func OpenKeys(folder string) Keys { return Keys{filepath.Join(folder, "keys")} }

// Operator is the file with the credential of who gives orders.
func (k Keys) Operator() string { return filepath.Join(k.folder, operatorFile) }

// prepare makes what is not there: the certificate and the operator.
func (k Keys) prepare() error {
	if err := errors.Join(os.MkdirAll(k.folder, 0o700), os.Chmod(k.folder, 0o700)); err != nil {
		return err
	}
	for _, name := range []string{certificateFile, usersFile, operatorFile, addressFile} { // of a hub before
		if err := os.Chmod(filepath.Join(k.folder, name), 0o600); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	if _, err := os.Stat(filepath.Join(k.folder, certificateFile)); errors.Is(err, os.ErrNotExist) {
		if err := k.makeCertificate(); err != nil {
			return err
		}
	}
	users, err := k.users()
	if err != nil {
		return err
	}
	if slices.ContainsFunc(users, func(u user) bool { return u.Role == roleOperator }) {
		return nil
	}
	credential, err := k.add(operatorName, roleOperator)
	if err != nil {
		return err
	}
	return k.write(operatorFile, []byte(credential.String()+"\n"))
}

// setAddress says where the hub is reached, to workers that are added and to the operator.
func (k Keys) setAddress(url string) error {
	if err := k.write(addressFile, []byte(url)); err != nil {
		return err
	}
	own, err := k.operator()
	if err != nil {
		return err
	}
	own.URL = url
	return k.write(operatorFile, []byte(own.String()+"\n"))
}

// operator reads the operator's credential.
func (k Keys) operator() (fleet.Credential, error) {
	line, err := boundedfile.Read(k.Operator(), maxKeys)
	if err != nil {
		return fleet.Credential{}, err
	}
	return fleet.ParseCredential(string(line))
}

// write writes a file that only its owner may read.
func (k Keys) write(name string, data []byte) error {
	return wholefile.WritePrivate(filepath.Join(k.folder, name), data)
}

// makeCertificate makes a certificate that the hub signs itself: who has a credential has
// it, and believes no other.
func (k Keys) makeCertificate() error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return err
	}
	const years = 20
	// From before now, since a worker's clock may be behind.
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: fleet.ServerName}, DNSNames: []string{fleet.ServerName},
		NotBefore: time.Now().AddDate(-1, 0, 0), NotAfter: time.Now().AddDate(years, 0, 0),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true, IsCA: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	text := append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})...)
	return k.write(certificateFile, text)
}

// certificate reads the certificate.
func (k Keys) certificate() (tls.Certificate, error) {
	text, err := boundedfile.Read(filepath.Join(k.folder, certificateFile), maxKeys)
	if err != nil {
		return tls.Certificate{}, err
	}
	return tls.X509KeyPair(text, text)
}

// users reads the users.
func (k Keys) users() ([]user, error) {
	data, err := boundedfile.Read(filepath.Join(k.folder, usersFile), maxKeys)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var users []user
	if err := json.Unmarshal(data, &users); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(k.folder, usersFile), err)
	}
	return users, nil
}

func (k Keys) setUsers(users []user) error {
	data, err := json.MarshalIndent(users, "", "\t")
	if err != nil {
		return err
	}
	return k.write(usersFile, append(data, '\n'))
}

// ErrNoKeys is the error when a hub has no keys: it was never started beyond its machine.
var ErrNoKeys = errors.New("the hub has no keys yet")

// Add makes a worker, and returns its credential, which is kept nowhere. A hub that is
// running knows the worker a moment later.
func (k Keys) Add(name string) (fleet.Credential, error) {
	if err := fleet.CheckWorker(name); err != nil {
		return fleet.Credential{}, err
	}
	return k.add(name, roleWorker)
}

func (k Keys) add(name, role string) (fleet.Credential, error) {
	certificate, err := k.certificate()
	if errors.Is(err, os.ErrNotExist) {
		return fleet.Credential{}, ErrNoKeys
	}
	if err != nil {
		return fleet.Credential{}, err
	}
	url, err := boundedfile.Read(filepath.Join(k.folder, addressFile), maxKeys)
	if errors.Is(err, os.ErrNotExist) {
		url, err = []byte("tls://127.0.0.1:0"), nil // until the hub listens
	}
	if err != nil {
		return fleet.Credential{}, err
	}
	users, err := k.users()
	if err != nil {
		return fleet.Credential{}, err
	}
	if slices.ContainsFunc(users, func(u user) bool { return u.Name == name }) {
		return fleet.Credential{}, fmt.Errorf("there is a worker %s already; revoke it first", name)
	}
	pair, err := nkeys.CreateUser()
	if err != nil {
		return fleet.Credential{}, err
	}
	public, err := pair.PublicKey()
	if err != nil {
		return fleet.Credential{}, err
	}
	seed, err := pair.Seed()
	if err != nil {
		return fleet.Credential{}, err
	}
	if err := k.setUsers(append(users, user{Name: name, Role: role, Key: public, Made: time.Now().UTC()})); err != nil {
		return fleet.Credential{}, err
	}
	return fleet.Credential{URL: string(url), Name: name, Seed: string(seed), Certificate: certificate.Certificate[0]}, nil
}

// Revoke has the hub refuse a worker's credential, from a moment later on.
func (k Keys) Revoke(name string) error {
	users, err := k.users()
	if err != nil {
		return err
	}
	i := slices.IndexFunc(users, func(u user) bool { return u.Name == name && u.Role == roleWorker })
	if i < 0 {
		return fmt.Errorf("worker %s: %w", name, fleet.ErrUnknown)
	}
	return k.setUsers(slices.Delete(users, i, i+1))
}
