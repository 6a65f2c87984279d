#pragma once
// The one-way door of evergear-imaging, closed once its libraries are up.

/// From here on this process computes on the descriptors it has: opening a file, a socket or a program fails with
/// EPERM, whatever asks for it. 0, or an errno.
int csandbox_close(void);
