package adb

import (
	"context"
	"errors"
	"image"
	"net"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"tapwise/adb/adbtest"
	"tapwise/adb/hand"
	"tapwise/adb/internal/fault"
	"tapwise/adb/simphone"
)

// wordsCases are the cases of testdata/words.txt: what is told of a refusal, empty for
// none, and what the phone prints.
func wordsCases(t testing.TB) (cases [][2]string) {
	t.Helper()
	data, err := os.ReadFile("testdata/words.txt")
	if err != nil {
		t.Fatal(err)
	}
	for part := range strings.SplitSeq(string(data), "\n\n") {
		verdict, text, _ := strings.Cut(strings.TrimPrefix(part, "\n"), "\n")
		told, refused := strings.CutPrefix(verdict, "refused ")
		switch {
		case refused:
			cases = append(cases, [2]string{told, text})
		case verdict == "words":
			cases = append(cases, [2]string{"", text})
		case verdict != "" && !strings.HasPrefix(verdict, "#"):
			t.Fatalf("testdata/words.txt: %q, expected refused WORDS or words", verdict)
		}
	}
	if len(cases) < 20 {
		t.Fatalf("testdata/words.txt: %d cases", len(cases))
	}
	return cases
}

// TestWordsThatRefuse: only lines that are known to say so are a refusal, wherever they
// stand between others.
func TestWordsThatRefuse(t *testing.T) {
	const noise = "WARNING: something of a module\n"
	for _, c := range wordsCases(t) {
		told, text := c[0], c[1]
		for _, output := range []string{text, noise + text + "\n", text + "\n" + noise} {
			words, err := fault.Failed(output), fault.Refusal(output)
			if told == "" && (words != "" || err != nil) {
				t.Errorf("%q is taken for a refusal: %q, %v", output, words, err)
			}
			if told != "" && (!strings.Contains(words, told) || strings.Contains(words, "\n") || !errors.Is(err, ErrInputRefused)) {
				t.Errorf("%q: told is %q, %v, expected %q", output, words, err, told)
			}
		}
	}
}

func FuzzFailed(f *testing.F) {
	for _, c := range wordsCases(f) {
		f.Add(c[1])
	}
	f.Fuzz(func(t *testing.T, output string) {
		words := fault.Failed(output)
		if strings.Contains(words, "\n") || len(words) > 210 || words != "" && fault.Refusal(output) == nil {
			t.Errorf("%q is told of %q", words, output)
		}
	})
}

// linked opens a simulated phone through a link within the process. A phone without apps
// shows one of one colour.
func linked(t *testing.T, phoneConfig simphone.Config, config Config) (*simphone.Phone, *Device) {
	t.Helper()
	if phoneConfig.Size == (image.Point{}) {
		phoneConfig.Size = image.Pt(240, 520)
	}
	if phoneConfig.Apps == nil {
		phoneConfig.Apps, phoneConfig.Foreground = []simphone.Installed{simphone.Instance(plainApp{})}, plainPackage
	}
	phone, err := simphone.New(phoneConfig)
	if err != nil {
		t.Fatal(err)
	}
	config.Dial = adbtest.NewLink(t, phone).Dial
	client, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	d, err := client.Open(t.Context(), adbtest.LinkSerial)
	if err != nil {
		t.Fatal(err)
	}
	return phone, d
}

// ownWords are answers that print a case's words around what each command prints.
func ownWords(text string) []simphone.Answer {
	return []simphone.Answer{{Before: text + "\n", After: text + "\n"}, {Command: "sh", Before: text + "\n", After: text + "\n"}}
}

// TestWordsAreNoRefusal prints all kinds of words around what commands print: the phone is
// measured, touched in every way, given keys and settings, and its apps are started.
func TestWordsAreNoRefusal(t *testing.T) {
	var own []string
	for _, c := range wordsCases(t) {
		if c[0] == "" && !strings.HasPrefix(c[1], linkerWords) && !strings.HasPrefix(c[1], "Warning: Activity") {
			own = append(own, c[1])
		}
	}
	ways := map[string]int{hand.Uinput: 34, hand.Evdev: 26, hand.HID: 30, hand.Monkey: 30, hand.Motion: 34, hand.Swipes: 24}
	for i, way := range hand.Ways() {
		text := own[i%len(own)]
		phone, d := linked(t, simphone.Config{SDK: ways[way]}, Config{Touch: way})
		phone.AddAnswers(ownWords(text)...)
		ctx := t.Context()
		screen, err := d.Screen(ctx)
		if err != nil || screen.Current != image.Pt(240, 520) {
			t.Errorf("%s: %+v, %v", way, screen, err)
		}
		began := 0
		stroke := hand.Stroke{Points: points(60, 100, 60, 200, 120, 200), Size: image.Pt(240, 520)}
		strokes := []hand.Stroke{stroke, {Points: points(90, 90), Size: stroke.Size}}
		if err := d.Hand().Play(ctx, strokes, hand.Options{App: plainPackage, Began: func(int) { began++ }}); err != nil || began != 2 {
			t.Errorf("%s, words %q: %v, %d strokes began", way, text, err, began)
		}
		eventually(t, "the finger is up", func() bool { return up(phone) })
		if downs := strings.Count(trace(phone), "down"); downs < 2 {
			t.Errorf("%s: %s", way, trace(phone))
		}
		value, err := d.StayAwake(ctx)
		if err != nil || value != "0" {
			t.Errorf("%s: the setting is %q, %v", way, value, err)
		}
		for name, err := range map[string]error{
			"close":   d.Hand().Close(ctx),
			"key":     d.Key(ctx, "BACK"),
			"setting": d.SetStayAwake(ctx, "3"),
			"none":    d.SetStayAwake(ctx, "null"),
			"stop":    d.ForceStop(ctx, plainPackage),
			"start":   d.Start(ctx, plainPackage),
		} {
			if err != nil {
				t.Errorf("%s, words %q: %s: %v", way, text, name, err)
			}
		}
		if got := phone.Foreground(); got != plainPackage {
			t.Errorf("%s: %s is in front", way, got)
		}
	}
}

// TestWordsLeaveItToTheScreen: touches that a phone answers with unknown words are not
// trusted before they were seen, and another way is taken when they are not.
func TestWordsLeaveItToTheScreen(t *testing.T) {
	const text = "miui: event dropped"
	phone, d := linked(t, simphone.Config{}, Config{Touch: hand.Input})
	phone.AddAnswers(simphone.Answer{Command: "input motionevent", Before: text + "\n", Instead: true})
	stroke := []hand.Stroke{{Points: points(60, 100, 60, 200), Size: image.Pt(240, 520)}}
	if err := play(t.Context(), d, stroke); err != nil {
		t.Fatal(err)
	}
	if d.Hand().Choice().Seen {
		t.Error("touches are trusted that the phone answered with unknown words")
	}
	if !d.Hand().Seen(1, 0) {
		t.Error("touches that were not seen are not tried in another way")
	}
	if err := play(t.Context(), d, stroke); err != nil || !strings.Contains(trace(phone), "up 60,200") {
		t.Errorf("in another way: %v, %s", err, trace(phone))
	}
	choice := d.Hand().Choice()
	told := func(r hand.Refusal) bool { return r.Rung == hand.Motion && strings.Contains(r.Reason, text) }
	if choice.Rung != hand.Swipes || !choice.Seen || !slices.ContainsFunc(choice.Refused, told) {
		t.Errorf("%+v, expected swipes, and motion refused for its words", choice)
	}
	// Where nothing lands, that is said, with the words.
	phone.AddAnswers(simphone.Answer{Command: "input swipe", Before: text + "\n", Instead: true})
	if err := play(t.Context(), d, stroke); err != nil {
		t.Fatal(err)
	}
	if d.Hand().Seen(1, 0) {
		t.Error("there is no other way")
	}
	if err := play(t.Context(), d, stroke); !errors.Is(err, ErrInputRefused) || !strings.Contains(err.Error(), text) {
		t.Errorf("%v, expected an ErrInputRefused with the words", err)
	}
	// One way that was asked for is not tried for ever.
	_, forced := linked(t, simphone.Config{}, Config{Touch: hand.Uinput})
	if err := play(t.Context(), forced, stroke); err != nil {
		t.Fatal(err)
	}
	if forced.Hand().Seen(1, 0) {
		t.Error("the only way is to be tried again")
	}
}

// TestLostStreamIsNoRefusal: a way to touch whose connection ends is taken again, whatever
// the phone printed when it began.
func TestLostStreamIsNoRefusal(t *testing.T) {
	phone, d := linked(t, simphone.Config{}, Config{})
	var streamed atomic.Pointer[tornConn]
	dial := d.client.config.Dial
	d.client.config.Dial = func(ctx context.Context) (net.Conn, error) {
		line, err := dial(ctx)
		return &tornConn{Conn: line, service: "exec:uinput", streamed: &streamed}, err
	}
	phone.AddAnswers(simphone.Answer{Command: "uinput", Before: "Magisk: loaded\n"})
	if choice, err := d.Hand().Choose(t.Context()); err != nil || choice.Rung != hand.Uinput {
		t.Fatalf("%v, %v, expected uinput", choice, err)
	}
	streamed.Load().Close()
	eventually(t, "it is touched again", func() bool { return tapAt(t.Context(), d, image.Pt(60, 100)) == nil })
	if choice := d.Hand().Choice(); choice.Rung != hand.Uinput || len(choice.Refused) > 0 {
		t.Errorf("%v, expected uinput again", choice)
	}
}
