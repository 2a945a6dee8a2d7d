// Package wiretest disturbs connections to a hub for tests: it reads NATS's protocol, and
// delivers messages twice and in another order.
package wiretest
