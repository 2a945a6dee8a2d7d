package hub

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"net"
	"sync/atomic"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"tapwise/cmd/internal/fleet"
)

// admission lets users in by the keys that are known now. The server asks it for each
// connection, so that keys are added and revoked while it runs without its options being
// loaded again: it reads those without a lock while they are replaced (nats-server 2.15.2,
// stream.getDirectRequest; nats-io/nats-server#8499).
type admission struct {
	users atomic.Pointer[map[string]*server.User] // by public key
	known chan struct{}                           // closed when the users are known
}

// mostConnections is the most connections of a user: a worker has one, and another while it
// is not known that the one before has ended.
const mostConnections = 16

// Check reports whether a connection may stay: it has to have signed the server's nonce
// with the private key of a known user, whose permissions it gets.
func (a *admission) Check(c server.ClientAuthentication) bool {
	options := c.GetOpts()
	<-a.known
	user, known := (*a.users.Load())[options.Nkey]
	if !known {
		return false
	}
	signature, err := base64.RawURLEncoding.DecodeString(options.Sig)
	if err != nil {
		return false
	}
	key, err := nkeys.FromPublicKey(options.Nkey)
	if err != nil || key.Verify(c.GetNonce(), signature) != nil {
		return false
	}
	if user.Account != nil && user.Account.NumLocalConnections() >= mostConnections {
		return false
	}
	c.RegisterUser(user)
	return true
}

// admit has only these users let in from now on, and returns those whose keys were revoked, by
// key. Connections that were let in before stay until they are cut.
func (a *admission) admit(users map[string]*server.User) (revoked map[string]*server.User) {
	revoked = map[string]*server.User{}
	before := a.users.Swap(&users)
	if before == nil {
		close(a.known)
		return revoked
	}
	for key, user := range *before {
		if _, known := users[key]; !known {
			revoked[key] = user
		}
	}
	return revoked
}

// isWorker reports whether a worker of that name is let in.
func (a *admission) isWorker(name string) bool {
	for _, user := range *a.users.Load() {
		if user.Username == name && user.Account != nil {
			return true
		}
	}
	return false
}

// users are those who are let in, by public key. A worker has an account of its own, in which
// nothing is kept and nobody else is: of the hub's account it has the subject at which it asks,
// as a service. What is sent there as a reply, whatever its subject is, stays in it.
func (h *Hub) users() (map[string]*server.User, error) {
	users, err := h.keys.users()
	if err != nil {
		return nil, err
	}
	all := make(map[string]*server.User, len(users)+1)
	if h.own != "" {
		all[h.own] = &server.User{Username: ownName}
	}
	for _, u := range users {
		if u.Role == roleOperator {
			all[u.Key] = &server.User{Username: u.Name} // everything in the hub's account
			continue
		}
		asks, hears := fleet.WorkerSubjects(u.Name)
		account, isNew := h.server.LookupOrRegisterAccount("worker-" + u.Name)
		if isNew {
			if err := account.AddServiceImport(h.server.GlobalAccount(), asks, asks); err != nil {
				return nil, fmt.Errorf("the account of worker %s: %w", u.Name, err)
			}
		}
		all[u.Key] = &server.User{Username: u.Name, Account: account, Permissions: &server.Permissions{
			Publish: &server.SubjectPermission{Allow: []string{asks}}, Subscribe: &server.SubjectPermission{Allow: []string{hears}},
		}}
	}
	return all, nil
}

// ownName is the name under which the hub reaches itself.
const ownName = "hub"

// admitSelf says how the hub reaches itself, where that is secure with a key that lasts as long
// as it, and has everybody let in. It is not a pipe within the process, which a server with much
// to say waits for.
func (h *Hub) admitSelf(listens *net.TCPAddr) error {
	reached := *listens
	if reached.IP.IsUnspecified() {
		reached.IP = net.IPv4(127, 0, 0, 1)
	}
	h.inside = fleet.Config{Name: ownName, Log: h.config.Log, URL: "nats://" + reached.String()}
	if !h.Secure() {
		return nil
	}
	pair, err := nkeys.CreateUser()
	if err != nil {
		return err
	}
	seed, err := pair.Seed()
	if err != nil {
		return err
	}
	if h.own, err = pair.PublicKey(); err != nil {
		return err
	}
	certificate, err := h.keys.certificate()
	if err != nil {
		return err
	}
	own := fleet.Credential{URL: "tls://" + reached.String(), Name: ownName, Seed: string(seed), Certificate: certificate.Certificate[0]}
	if h.inside.Options, err = own.Options(); err != nil {
		return err
	}
	h.inside.URL = own.URL
	everybody, _ := fleet.WorkerSubjects("*")
	if err := h.server.GlobalAccount().AddServiceExport(everybody, nil); err != nil {
		return err
	}
	users, err := h.users()
	if err != nil {
		return err
	}
	h.admission.admit(users)
	return nil
}

// cut ends all connections that were let in by a key. Who was let in just before the key
// was revoked is found, too: the server notes a connection's key before it asks.
func cut(s *server.Server, key string) error {
	found, err := s.Connz(&server.ConnzOptions{Username: true, User: key, Limit: math.MaxInt32})
	if err != nil {
		return err
	}
	for _, connection := range found.Conns {
		// A connection that has ended by itself is no failure, and there is no other.
		_ = s.DisconnectClientByID(connection.Cid)
	}
	return nil
}

// readKeys has the server let in users that were added, and cuts those off whose key was
// revoked: what they had is others'.
func (h *Hub) readKeys(ctx context.Context, d *fleet.Dispatcher) error {
	users, err := h.users()
	if err != nil {
		return err
	}
	var failed error
	for key, user := range h.admission.admit(users) {
		failed = errors.Join(failed, cut(h.server, key))
		if user.Account != nil {
			failed = errors.Join(failed, d.Retire(ctx, user.Username))
		}
	}
	return failed
}
