package hub

import (
	"encoding/base64"
	"errors"
	"math"
	"sync/atomic"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
)

// admission lets users in by the keys that are known now. The server asks it for each
// connection, so that keys are added and revoked while it runs without its options being
// loaded again: it reads those without a lock while they are replaced (nats-server 2.15.2,
// stream.getDirectRequest; nats-io/nats-server#8499).
type admission struct {
	users atomic.Pointer[map[string]*server.User] // by public key
}

// Check reports whether a connection may stay: it has to have signed the server's nonce
// with the private key of a known user, whose permissions it gets.
func (a *admission) Check(c server.ClientAuthentication) bool {
	options := c.GetOpts()
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
	c.RegisterUser(user)
	return true
}

// admit has only these users let in from now on, and returns the keys that were revoked.
// Connections that were let in before stay until they are cut.
func (a *admission) admit(users map[string]*server.User) (revoked []string) {
	before := a.users.Swap(&users)
	if before == nil {
		return nil
	}
	for key := range *before {
		if _, known := users[key]; !known {
			revoked = append(revoked, key)
		}
	}
	return revoked
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
// revoked.
func (h *Hub) readKeys() error {
	users, err := h.keys.admitted()
	if err != nil {
		return err
	}
	var failed error
	for _, key := range h.admission.admit(users) {
		failed = errors.Join(failed, cut(h.server, key))
	}
	return failed
}
