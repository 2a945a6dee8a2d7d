package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"go.yaml.in/yaml/v3"

	"tapwise/adb/adbtest/await"
	"tapwise/cmd/internal/fleet"
	"tapwise/cmd/internal/journal"
	"tapwise/cmd/internal/page/web"
	"tapwise/configs/boundedyaml"
)

// exposed is what an answer at /metrics has.
type exposed struct {
	text     string
	families map[string]*dto.MetricFamily
}

// scrape asks as Prometheus does, whose linter is to find nothing.
func scrape(t *testing.T, url string) exposed {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: status %d, %v: %s", url, response.StatusCode, err, text)
	}
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(string(text)))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	problems, err := promlint.New(strings.NewReader(string(text))).Lint()
	if err != nil || len(problems) > 0 {
		t.Errorf("the linter: %v %v", problems, err)
	}
	return exposed{string(text), families}
}

// sum adds up the values of a family that have some labels, as name, value, …; NaN without
// one. Of durations it is the sum of the seconds.
func (e exposed) sum(name string, labels ...string) float64 {
	total := math.NaN()
	for _, m := range e.families[name].GetMetric() {
		has := map[string]string{}
		for _, l := range m.GetLabel() {
			has[l.GetName()] = l.GetValue()
		}
		fits := true
		for i := 0; i < len(labels); i += 2 {
			fits = fits && has[labels[i]] == labels[i+1]
		}
		if fits {
			if math.IsNaN(total) {
				total = 0
			}
			total += m.GetCounter().GetValue() + m.GetGauge().GetValue() + m.GetHistogram().GetSampleSum()
		}
	}
	return total
}

// agrees compares the figures of a journal with its attempts.
func (e exposed) agrees(t *testing.T, file string) {
	t.Helper()
	j, err := journal.OpenExisting(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	attempts, err := j.Attempts(t.Context(), journal.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{}
	for _, a := range attempts {
		want[`tapwise_attempts_total `+a.Game+" "+string(a.Verdict)]++
		want["tapwise_captures_total "+a.Game] += float64(a.Captures)
		want["tapwise_stage_duration_seconds "+a.Game+" read"] += (a.Settle.Duration + a.Read.Duration).Seconds()
		want["tapwise_stage_duration_seconds "+a.Game+" solve"] += a.Solve.Seconds()
		want["tapwise_stage_duration_seconds "+a.Game+" play"] += (a.Play.Duration + a.Verify.Duration).Seconds()
		if a.Verdict == journal.Won && !a.Again {
			want["tapwise_levels_won_total "+a.Game]++
			last := "tapwise_last_win_timestamp_seconds " + a.Game
			want[last] = max(want[last], float64(a.Ended.UnixMilli())/1000)
		}
	}
	second := map[string]string{"tapwise_attempts_total": "verdict", "tapwise_stage_duration_seconds": "stage"}
	for key, value := range want {
		parts := strings.Fields(key)
		labels := []string{"game", parts[1]}
		if name := second[parts[0]]; name != "" {
			labels = append(labels, name, parts[2])
		}
		if got := e.sum(parts[0], labels...); !(math.Abs(got-value) < 1e-3) {
			t.Errorf("%s is %v, expected %v as in the journal", key, got, value)
		}
	}
	if got := e.sum("tapwise_attempts_total"); got != float64(len(attempts)) {
		t.Errorf("%v attempts are shown, expected the journal's %d", got, len(attempts))
	}
	for _, a := range attempts {
		for _, secret := range []string{a.Board, a.Solution, a.Evidence, a.Error, filepath.Dir(file)} {
			if secret != "" && strings.Contains(e.text, strings.ReplaceAll(secret, "\n", `\n`)) {
				t.Errorf("the figures have %q", secret)
			}
		}
	}
}

// TestMetrics compares what serve and hub show to Prometheus with what was played, and wants
// the dashboard, the alerts and the manual to name only what is shown.
func TestMetrics(t *testing.T) {
	shown := map[string]*dto.MetricFamily{}
	t.Run("serve", func(t *testing.T) { maps.Copy(shown, servedFigures(t)) })
	t.Run("hub", func(t *testing.T) { maps.Copy(shown, hubFigures(t)) })
	if len(shown) == 0 || t.Failed() {
		return
	}
	if shown["tapwise_runs"] == nil {
		t.Skip("there are no figures of phones without adb")
	}
	for file, texts := range map[string][]string{"grafana-dashboard.json": dashboard(t), "prometheus-alerts.yml": alerts(t)} {
		if len(texts) < 10 {
			t.Errorf("%s: %d expressions, expected more", file, len(texts))
		}
		for _, text := range texts {
			names(t, file, text, shown)
		}
	}
	manual, err := os.ReadFile("../../docs/unattended.md")
	if err != nil {
		t.Fatal(err)
	}
	explained := regexp.MustCompile("`(tapwise_[a-z_]+)").FindAllStringSubmatch(string(manual), -1)
	for _, name := range explained {
		names(t, "unattended.md", name[1], shown)
	}
	for name := range shown {
		if strings.HasPrefix(name, "tapwise_") && !strings.Contains(string(manual), "`"+name) {
			t.Errorf("docs/unattended.md does not explain %s", name)
		}
	}
}

// servedFigures plays on the page, and returns what is shown then.
func servedFigures(t *testing.T) map[string]*dto.MetricFamily {
	r := newLab(t, 3, rand.New(rand.NewPCG(46, 46)))
	a := testApp(t)
	a.settings.ADB.Port, a.settings.Journal = r.server.Port, r.file
	page, err := web.New(a.pageConfig())
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(page)
	defer server.Close()
	defer page.Close()
	serial := r.phone.Addr()
	// By its other name the phone is still one.
	other := strings.Replace(serial, "127.0.0.1", "localhost", 1)
	r.server.Run("connect", other)
	before := scrape(t, server.URL+"/metrics")
	if before.sum("tapwise_phone_ready", "serial", serial) != 1 || before.sum("tapwise_phones", "state", "device") != 1 || before.sum("tapwise_runs") != 0 || before.families["tapwise_attempts_total"] != nil {
		t.Errorf("before anything was played:\n%s", before.text)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/api/phones/"+serial+"/start", strings.NewReader(`{"game":"flow","first":1,"last":3}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	var during, after exposed
	await.Until(t, "three levels are won and the run is over", func() bool {
		after = scrape(t, server.URL+"/metrics")
		if after.sum("tapwise_runs", "state", "playing") == 1 {
			during = after
		}
		return during.text != "" && after.sum("tapwise_runs", "state", "playing") == 0
	})
	if !(during.sum("tapwise_run_progress_timestamp_seconds", "serial", serial) > 1e9) {
		t.Errorf("while the run goes on:\n%s", during.text)
	}
	after.agrees(t, r.file)
	if after.sum("tapwise_levels_won_total", "game", "flow") != 3 || !(after.sum("tapwise_phone_frames_total", "serial", serial) > 3) || after.families["tapwise_run_progress_timestamp_seconds"] != nil {
		t.Errorf("after three levels:\n%s", after.text)
	}
	r.server.Run("disconnect", other)
	r.server.Run("disconnect", serial)
	await.Until(t, "the phone is away", func() bool {
		after = scrape(t, server.URL+"/metrics")
		return after.sum("tapwise_phones", "state", "away") == 1
	})
	if after.sum("tapwise_phone_ready", "serial", serial) != 0 {
		t.Errorf("the phone is away:\n%s", after.text)
	}
	// Another page goes on from there, since it is the journal that counts.
	again, err := web.New(a.pageConfig())
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	restarted := httptest.NewServer(again)
	defer restarted.Close()
	scrape(t, restarted.URL+"/metrics").agrees(t, r.file)
	maps.Copy(after.families, during.families)
	return after.families
}

// hubFigures has a worker of a hub play, and returns what is shown then.
func hubFigures(t *testing.T) map[string]*dto.MetricFamily {
	folder := t.TempDir()
	news := filepath.Join(t.TempDir(), "news")
	out, outWrite := io.Pipe()
	errs, errsWrite := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- execute(t.Context(), []string{"hub", "--listen", "127.0.0.1:0", "--folder", folder, "--metrics", "127.0.0.1:0", "--on-end", "cat >>" + news}, streams{strings.NewReader(""), outWrite, errsWrite})
	}()
	t.Cleanup(func() { <-ended })
	find := func(from io.Reader, pattern string) string {
		lines := bufio.NewScanner(from)
		for lines.Scan() {
			if found := regexp.MustCompile(pattern).FindStringSubmatch(lines.Text()); found != nil {
				go func() { _, _ = io.Copy(io.Discard, from) }()
				return found[1]
			}
		}
		t.Fatalf("the hub did not say %s", pattern)
		return ""
	}
	figures := find(errs, `figures for Prometheus are at (http://127\.0\.0\.1:\d+/metrics)`)
	url := find(out, `tapwise worker --hub (\S+)`)
	await.Until(t, "the hub runs", func() bool { return scrape(t, figures).sum("tapwise_fleet_workers") == 0 })
	h := &testHub{T: t}
	h.work(url)
	client, err := fleet.Dial(t.Context(), fleet.Config{URL: url, Name: "operator-test"}, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	order := func(serial string, levels int) {
		t.Helper()
		var list []fleet.Level
		for i := range levels {
			list = append(list, fleet.Level{Number: i + 1, Board: fmt.Sprintf("secret board %d", i)})
		}
		if _, err := client.Submit(t.Context(), fleet.Order{Game: "flow", Phones: fleet.Wanted{Serial: serial}}, list, levels, 1); err != nil {
			t.Fatal(err)
		}
	}
	order("good*", 5)
	var now exposed
	await.Until(t, "five levels are won", func() bool {
		now = scrape(t, figures)
		return now.sum("tapwise_levels_won_total", "game", "flow") == 5 && now.sum("tapwise_fleet_jobs") == 0 && now.sum("tapwise_fleet_runs") == 0
	})
	now.agrees(t, filepath.Join(folder, "journal.db"))
	if now.sum("tapwise_fleet_workers") != 1 || now.sum("tapwise_fleet_phones") != 3 || now.sum("tapwise_fleet_jobs_submitted_total") != 5 || now.sum("tapwise_fleet_jobs_ended_total") != 5 ||
		now.sum("tapwise_fleet_jobs_given_up_total") != 0 || now.sum("tapwise_fleet_oldest_job_age_seconds") != 0 || now.sum("tapwise_fleet_leases") < 1 {
		t.Errorf("after five levels:\n%s", now.text)
	}
	await.Until(t, "the hub tells that the run is over", func() bool {
		told, _ := os.ReadFile(news) // it may not be there yet
		return regexp.MustCompile(`^\{"news":"end","text":"Run (\w+) is over: 5 of 5 levels won.","game":"flow","run":"\w+","won":5,"failed":0,"time":"[^"]+"\}\n$`).Match(told)
	})
	order("nobody", 4)
	await.Until(t, "four jobs wait for a phone that is not there", func() bool {
		now = scrape(t, figures)
		return now.sum("tapwise_fleet_jobs", "state", "waiting") == 4 && now.sum("tapwise_fleet_runs") == 1 && now.sum("tapwise_fleet_oldest_job_age_seconds") > 0
	})
	if strings.Contains(now.text, "secret") || strings.Contains(now.text, folder) {
		t.Errorf("the figures tell of boards or files:\n%s", now.text)
	}
	return now.families
}

// dashboard returns the expressions of the dashboard, whose data source is a variable.
func dashboard(t *testing.T) (expressions []string) {
	text, err := os.ReadFile("../../configs/grafana-dashboard.json")
	if err != nil {
		t.Fatal(err)
	}
	type source struct{ Type, UID string }
	var board struct {
		UID, Title string
		Templating struct {
			List []struct{ Name, Type, Definition string }
		}
		Panels []struct {
			ID         int
			Type       string
			Datasource source
			Targets    []struct {
				Expr       string
				Datasource source
			}
		}
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	ids := map[int]bool{}
	for _, p := range board.Panels {
		if ids[p.ID] {
			t.Errorf("two panels have the number %d", p.ID)
		}
		ids[p.ID] = true
		for _, target := range p.Targets {
			expressions = append(expressions, target.Expr)
			if target.Datasource != (source{"prometheus", "${datasource}"}) || p.Datasource != target.Datasource {
				t.Errorf("panel %d has the data source %v, expected the variable", p.ID, target.Datasource)
			}
		}
	}
	variables := map[string]string{}
	for _, v := range board.Templating.List {
		variables[v.Name] = v.Type
		if v.Definition != "" { // label_values(NAME, LABEL)
			expressions = append(expressions, regexp.MustCompile(`\((\w+),`).FindStringSubmatch(v.Definition)[1])
		}
	}
	if variables["datasource"] != "datasource" {
		t.Errorf("variables %v, expected one for the data source", variables)
	}
	return expressions
}

// alerts returns the expressions of the alerts, each of which says what it is about.
func alerts(t *testing.T) (expressions []string) {
	text, err := os.ReadFile("../../configs/prometheus-alerts.yml")
	if err != nil {
		t.Fatal(err)
	}
	node, err := boundedyaml.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var rules struct {
		Groups []struct {
			Name  string
			Rules []struct {
				Alert, Expr, For    string
				Labels, Annotations map[string]string
			}
		}
	}
	encoded, err := yaml.Marshal(node)
	if err != nil {
		t.Fatal(err)
	}
	decoder := yaml.NewDecoder(strings.NewReader(string(encoded)))
	decoder.KnownFields(true)
	if err := decoder.Decode(&rules); err != nil {
		t.Fatal(err)
	}
	for _, group := range rules.Groups {
		for _, rule := range group.Rules {
			if rule.Alert == "" || rule.Annotations["summary"] == "" || rule.Labels["severity"] == "" {
				t.Errorf("alert %+v lacks a name, a summary or a severity", rule)
			}
			expressions = append(expressions, rule.Expr)
		}
	}
	return expressions
}

// names expects every name in an expression to be one that is shown, and every label to be
// one that it has.
func names(t *testing.T, file, text string, shown map[string]*dto.MetricFamily) {
	t.Helper()
	find := func(name string) *dto.MetricFamily {
		if f := shown[name]; f != nil {
			return f
		}
		for _, end := range []string{"_bucket", "_sum", "_count"} {
			if f := shown[strings.TrimSuffix(name, end)]; strings.HasSuffix(name, end) && f.GetType() == dto.MetricType_HISTOGRAM {
				return f
			}
		}
		return nil
	}
	for _, found := range regexp.MustCompile(`(\w+)\{([^}]*)\}`).FindAllStringSubmatch(text, -1) {
		labels := []string{"instance"} // which Prometheus adds
		for _, l := range find(found[1]).GetMetric()[:min(1, len(find(found[1]).GetMetric()))] {
			for _, pair := range l.GetLabel() {
				labels = append(labels, pair.GetName())
			}
		}
		for _, l := range regexp.MustCompile(`(\w+)\s*=~?"`).FindAllStringSubmatch(found[2], -1) {
			if !slices.Contains(labels, l[1]) {
				t.Errorf("%s: %s has no label %s", file, found[1], l[1])
			}
		}
	}
	// What is left without labels, ranges, functions, words and numbers are names.
	left := text
	for _, other := range []string{`\{[^}]*\}`, `\[[^\]]*\]`, `\b(by|on|ignoring) \([^)]*\)`, `\w+\s*\(`, `\b(and|or|unless|sum|max|min|time|by|on)\b`, `\b[0-9][0-9.]*\b`} {
		left = regexp.MustCompile(other).ReplaceAllString(left, " ")
	}
	for _, name := range regexp.MustCompile(`[A-Za-z_]\w*`).FindAllString(left, -1) {
		if find(name) == nil {
			t.Errorf("%s: %s is not shown, in %s", file, name, text)
		}
	}
}
