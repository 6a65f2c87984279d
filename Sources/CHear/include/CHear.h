#pragma once
// What libxslt and libxml2 said on this thread since chear_start(). Their handlers are variadic, so not Swift's to write.

/// Once in a process, before the first parse.
void chear_install(void);
/// Forgets what was said on this thread.
void chear_start(void);
/// What was said, at most 2 KiB; the bytes stay until the next call on this thread.
const char *chear_said(void);
