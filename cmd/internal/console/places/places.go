package places

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"tapwise/cmd/internal/console/cause"
)

const own = "tapwise" // the program's folder within each of the user's

// State returns the user's folder for what tapwise has to remember: neither configuration, nor
// worthless like a cache. It need not exist yet.
func State() (string, error) {
	folder, err := userState()
	return within(folder, "XDG_STATE_HOME", err)
}

// within is the program's folder within one of the user's. Where there is none, the error
// says what to set: the variable that names it, or HOME.
func within(folder, variable string, err error) (string, error) {
	value := os.Getenv(variable)
	switch {
	case err == nil:
		return filepath.Join(folder, own), nil
	case runtime.GOOS == "windows":
		return "", err
	case value != "":
		return "", fmt.Errorf("%s is %q, expected a path from the root", variable, value)
	}
	return "", fmt.Errorf("neither HOME nor %s is set: set HOME", variable)
}

// userState does for state what os.UserCacheDir does for caches.
func userState() (string, error) {
	switch runtime.GOOS {
	case "windows":
		return os.UserCacheDir() // %LocalAppData%
	case "darwin":
		return os.UserConfigDir() // ~/Library/Application Support
	}
	if folder := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(folder) {
		return folder, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, ".local", "state"), nil
}

// Cache returns the user's cache folder for tapwise. It need not be there yet.
func Cache() (string, error) {
	folder, err := os.UserCacheDir()
	return within(folder, "XDG_CACHE_HOME", err)
}

// Config returns the user's folder of tapwise's configuration. It need not be there yet.
func Config() (string, error) {
	folder, err := os.UserConfigDir()
	return within(folder, "XDG_CONFIG_HOME", err)
}

// Journal returns the journal's file: the configured one or, where that is
// empty, the usual one.
func Journal(configured string) (string, error) {
	if configured != "" {
		return configured, nil
	}
	folder, err := State()
	if err != nil {
		return "", cause.Inputf("journal: %w, or say where it is to be with --journal", err)
	}
	return filepath.Join(folder, "journal.db"), nil
}

// Evidence returns the folder in which failed levels leave what was seen: the configured one
// or, if that is empty, the usual one.
func Evidence(configured string) (string, error) {
	if configured != "" {
		return configured, nil
	}
	folder, err := Cache()
	if err != nil {
		return "", cause.Inputf("evidence of failures: %w, or play.evidence in the configuration", err)
	}
	return filepath.Join(folder, "evidence"), nil
}

// Profiles returns the folder of the user's profiles: the configured one or, if that is empty,
// the usual one. Without a home it is empty.
func Profiles(configured string) string {
	if configured != "" {
		return configured
	}
	folder, err := Config()
	if err != nil {
		return ""
	}
	return filepath.Join(folder, "profiles")
}

// ClosePrivate closes the user's existing folders for tapwise to other users. They hold
// pictures of a phone's screen, and were open before. A folder that cannot be closed, because
// it is another user's, stays unchanged.
func ClosePrivate() {
	config := func() (string, error) {
		folder, err := os.UserConfigDir()
		return filepath.Join(folder, own), err
	}
	for _, place := range []func() (string, error){State, Cache, config} {
		folder, err := place()
		if err != nil {
			continue
		}
		if info, err := os.Stat(folder); err == nil && info.IsDir() && info.Mode().Perm()&0o077 != 0 {
			_ = os.Chmod(folder, 0o700)
		}
	}
}
