import EvergearCLI
import Glibc
import Layouts

// The child in which a stylesheet of the user's own is rendered.
if CommandLine.arguments.dropFirst().first == StylesheetProcess.argument { exit(StylesheetProcess.serve()) }

Program.main()
