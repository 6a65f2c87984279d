#pragma once
// A disk that fails, for tests: preloaded into a program (LD_PRELOAD), it lets a number of writes and syncs through and
// fails all that come after. FAILING_DISK has the number, FAILING_DISK_ERROR the errno (5 is EIO, 28 is ENOSPC). What goes
// to pipes, terminals and sockets is left alone.
