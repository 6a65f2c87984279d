#pragma once
#include <sqlite3.h>

// A macro with a cast, which Swift does not import: the bytes are copied before the call returns.
static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }
