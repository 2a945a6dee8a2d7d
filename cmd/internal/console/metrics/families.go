package metrics

import "github.com/prometheus/client_golang/prometheus"

// Family is one thing that is measured, for each combination of its labels' values. Labels
// are few by their nature: games, verdicts, states, and phones by their serials.
type Family struct {
	desc *prometheus.Desc
	kind prometheus.ValueType // not of durations
}

func counter(name, help string, labels ...string) *Family {
	return &Family{prometheus.NewDesc(name, help, labels, nil), prometheus.CounterValue}
}

// times is a family of durations.
func times(name, help string, labels ...string) *Family {
	return &Family{desc: prometheus.NewDesc(name, help, labels, nil)}
}

func gauge(name, help string, labels ...string) *Family {
	return &Family{prometheus.NewDesc(name, help, labels, nil), prometheus.GaugeValue}
}

// Of the program.
var (
	buildInfo = gauge("tapwise_build_info", "The version of tapwise; the value is 1.", "version")
	sourceUp  = gauge("tapwise_source_up", "Whether a source of figures could be read: 1, or 0, and then its figures are missing.", "source")
)

// Of the journal.
var (
	Attempts  = counter("tapwise_attempts_total", "Attempts at levels that are over, by the journal.", "game", "verdict")
	LevelsWon = counter("tapwise_levels_won_total", "Levels that were won, each counted once, by the journal.", "game")
	Captures  = counter("tapwise_captures_total", "Frames captured for attempts that are over, by the journal.", "game")
	LastWin   = gauge("tapwise_last_win_timestamp_seconds", "When a level was won last, in Unix time, by the journal.", "game")
	Stages    = times("tapwise_stage_duration_seconds", "Time that a stage of an attempt took: read (until the board stood still and was read), solve, play (until the win was seen).", "game", "stage")
)

// Of the page.
var (
	Phones      = gauge("tapwise_phones", "Phones that the page knows, by their state at the adb server; away: no longer listed there.", "state")
	PhoneReady  = gauge("tapwise_phone_ready", "Whether a phone that the page knows can be used: 1, or 0.", "serial")
	PhoneFrames = counter("tapwise_phone_frames_total", "Frames of a phone that the page was given, captured or pushed.", "serial")
	Runs        = gauge("tapwise_runs", "Runs of the page that go on, by state: playing or paused.", "state")
	RunProgress = gauge("tapwise_run_progress_timestamp_seconds", "When the page's run on a phone began, went on or ended a level last, in Unix time; only while it plays.", "serial")
)

// Of a fleet's hub.
var (
	FleetWorkers       = gauge("tapwise_fleet_workers", "Workers that the hub has just heard of.")
	FleetPhones        = gauge("tapwise_fleet_phones", "Phones of the fleet, by state.", "state")
	FleetLeases        = gauge("tapwise_fleet_leases", "Leases of phones that are in force.")
	FleetRuns          = gauge("tapwise_fleet_runs", "Runs that are not over.")
	FleetJobs          = gauge("tapwise_fleet_jobs", "Jobs that are not over, by state: waiting or handed_out.", "state")
	FleetJobsSubmitted = counter("tapwise_fleet_jobs_submitted_total", "Jobs that were submitted.")
	FleetJobsEnded     = counter("tapwise_fleet_jobs_ended_total", "Jobs that are over: played, given up or cancelled.")
	FleetJobsGivenUp   = counter("tapwise_fleet_jobs_given_up_total", "Jobs that were given up, since they were handed out too often.")
	FleetOldestJob     = gauge("tapwise_fleet_oldest_job_age_seconds", "Age of the oldest job that is not over; 0 without one.")
	FleetResultBytes   = gauge("tapwise_fleet_result_bytes", "Size of the results that are kept.")
)
