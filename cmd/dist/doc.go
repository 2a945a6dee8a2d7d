// Command dist builds what people install, for the Debian or Ubuntu that it runs on: a
// .deb, a tar archive, a list of what is in them (an SBOM in CycloneDX's JSON) and their
// checksums. `make dist` runs it.
//
// It is a separate module, so that the program does not depend on the packaging code. The
// same commit gives the same bytes: times are the commit's, and no path of the machine
// is in the files. It needs no network once the modules are downloaded.
package main
