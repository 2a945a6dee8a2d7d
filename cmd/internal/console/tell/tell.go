package tell

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"tapwise/cmd/internal/console/wording"
)

// Kind is what news are about.
type Kind string

// The kinds of news.
const (
	End   Kind = "end"   // a run has done what it was asked for, or there are no more levels
	Stuck Kind = "stuck" // a run stands still, or has ended and needs a hand
)

// News is what happened to a run.
type News struct {
	Kind   Kind      `json:"news"`
	Text   string    `json:"text"`            // one sentence
	Phone  string    `json:"phone,omitempty"` // its model, or its name where the model is not known
	Game   string    `json:"game,omitempty"`
	Run    string    `json:"run,omitempty"` // of a fleet
	Won    int       `json:"won"`
	Failed int       `json:"failed"`
	Time   time.Time `json:"time"`
}

// Forms are the forms of what a web hook gets.
const (
	JSON = "json"
	Ntfy = "ntfy"
)

// Settings say how news are told. The zero value tells nobody.
type Settings struct {
	OnEnd   string `mapstructure:"on-end"`   // a command
	OnStuck string `mapstructure:"on-stuck"` // a command
	Webhook string `mapstructure:"webhook"`  // an address, which may be a secret
	Form    string `mapstructure:"form"`     // JSON or Ntfy
	Desktop bool   `mapstructure:"desktop"`
	// StuckAfter is how long no level may end until a run is said to stand still; 0: never.
	StuckAfter time.Duration `mapstructure:"stuck-after"`
}

// Any reports whether anybody is told anything.
func (s Settings) Any() bool { return s.OnEnd+s.OnStuck+s.Webhook != "" || s.Desktop }

// Validate tells what is wrong with the settings, by key.
func (s Settings) Validate() map[string]string {
	wrong := map[string]string{}
	if u, err := url.Parse(s.Webhook); s.Webhook != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
		wrong["webhook"] = "an address that begins with http:// or https://"
	}
	if s.Form != "" && s.Form != JSON && s.Form != Ntfy {
		wrong["form"] = JSON + " or " + Ntfy
	}
	if s.StuckAfter < 0 {
		wrong["stuck-after"] = "0s or more"
	}
	return wrong
}

// within is how long each way of telling may take.
const within = 20 * time.Second

// Tell tells news in each way that is set, and joins what fails. It goes on when ctx has ended: the
// news may be that it did.
func (s Settings) Tell(ctx context.Context, n News) error {
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), within)
	defer done()
	if n.Time.IsZero() {
		n.Time = time.Now()
	}
	line, err := json.Marshal(n)
	if err != nil {
		return err
	}
	command := s.OnEnd
	if n.Kind == Stuck {
		command = s.OnStuck
	}
	var failed []error
	if command != "" {
		failed = append(failed, run(ctx, n, line, "sh", "-c", command))
	}
	if s.Webhook != "" {
		failed = append(failed, s.post(ctx, n, line))
	}
	if s.Desktop {
		failed = append(failed, run(ctx, n, nil, "notify-send", "--app-name=tapwise", "--", n.title(), n.Text))
	}
	return errors.Join(failed...)
}

// title is the news in a few words.
func (n News) title() string {
	words := []string{"tapwise"}
	if n.Game != "" {
		words = append(words, n.Game)
	}
	if n.Run != "" {
		words = append(words, "run "+n.Run)
	}
	if n.Phone != "" {
		words = append(words, "on "+n.Phone)
	}
	if n.Kind == Stuck {
		words = append(words, "needs a hand")
	}
	return strings.Join(words, " ")
}

// run runs a command. What it prints is only told where it fails.
func run(ctx context.Context, n News, input []byte, name string, args ...string) error {
	c := exec.CommandContext(ctx, name, args...)
	c.WaitDelay = time.Second // a program that it left behind may hold its output
	c.Stdin = bytes.NewReader(append(input, '\n'))
	c.Env = append(os.Environ(), "TAPWISE_NEWS="+string(n.Kind), "TAPWISE_TEXT="+n.Text, "TAPWISE_PHONE="+n.Phone,
		"TAPWISE_GAME="+n.Game, "TAPWISE_RUN="+n.Run, "TAPWISE_WON="+strconv.Itoa(n.Won), "TAPWISE_FAILED="+strconv.Itoa(n.Failed))
	said, err := c.CombinedOutput()
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("tell: %s did not end within %v", name, within)
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(said)), "\n")
	return fmt.Errorf("tell: %s: %w: %s", name, err, wording.Cut(line))
}

// post sends news to the web hook. The address, which may be a secret, is in no error.
func (s Settings) post(ctx context.Context, n News, line []byte) error {
	body, header := line, http.Header{"Content-Type": {"application/json"}}
	if s.Form == Ntfy {
		body, header = []byte(n.Text), http.Header{"Title": {n.title()}, "Tags": {"tada"}}
		if n.Kind == Stuck {
			header.Set("Tags", "warning")
			header.Set("Priority", "high")
		}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.Webhook, bytes.NewReader(body))
	if err != nil {
		return errors.New("tell: the web hook's address is none")
	}
	request.Header = header
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		var wrapped *url.Error // names the address
		if errors.As(err, &wrapped) {
			err = wrapped.Err
		}
		return fmt.Errorf("tell: the web hook: %w", err)
	}
	defer func() { _ = response.Body.Close() }() // whatever it says was read
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 1<<16))
	if response.StatusCode >= 300 {
		return fmt.Errorf("tell: the web hook answered %s", response.Status)
	}
	return nil
}
