// Package places says where tapwise keeps its files when the configuration does
// not: the journal, the evidence, the profiles, the locks of phones.
package places
