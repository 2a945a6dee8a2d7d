package player

// A Meter is a Device that counts the bytes that came from the phone and went to it.
type Meter interface {
	Device
	Traffic() (received, sent int64)
}

// countTraffic returns what adds the bytes since now to the report.
func (l *level) countTraffic() func() {
	meter, ok := l.Device.(Meter)
	if !ok {
		return func() {}
	}
	received, sent := meter.Traffic()
	return func() {
		r, s := meter.Traffic()
		l.report.Received += r - received
		l.report.Sent += s - sent
	}
}
