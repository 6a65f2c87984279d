#pragma once
// The one-way door of evergear-imaging, closed once its libraries are up.

/// From here on this process computes on the descriptors it has: opening a file, a socket or a program, starting a
/// process, making memory executable fails with EPERM, whatever asks for it. Threads can be started. 0, or an errno.
int csandbox_close(void);

/// Each thing that the sandbox forbids, tried: `name errno` a line, errno 0 for what worked. At most `size` bytes with
/// the NUL.
void csandbox_probe(char *report, int size);
