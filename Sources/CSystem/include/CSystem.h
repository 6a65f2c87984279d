#pragma once
// Calls of glibc and the kernel that `import Glibc` does not show: Swift reads its headers without _GNU_SOURCE and
// imports no variadic function.
#include <spawn.h>

/// pipe2 with O_CLOEXEC. 0, or -1 with errno.
int csystem_pipe(int ends[2]);

/// In the child: closes every descriptor from `first` up. 0, or an errno.
int csystem_spawn_close_from(posix_spawn_file_actions_t *actions, int first);

/// Writes out everything of the file system that `fd` is on. 0, or -1 with errno.
int csystem_syncfs(int fd);

/// Starts writing a range of a file to the disk, without waiting for it. 0, or -1 with errno.
int csystem_start_writing(int fd, long long offset, long long count);

/// Shares the blocks of `from` with `to` where the file system can (FICLONE). 0, or -1 with errno.
int csystem_clone(int to, int from);

/// Renames within a file system, never over an existing name. 0, or -1 with errno (EEXIST where there is one).
int csystem_rename_new(int from_folder, const char *from, int to_folder, const char *to);

/// Limits this process for good: bytes of address space, seconds of CPU, open files, bytes of a written file; no core,
/// no new privileges. 0, or the errno of what failed.
int csystem_limit(unsigned long long memory, unsigned long long cpu, unsigned long long files, unsigned long long file_size);

/// Columns of the terminal behind `fd`, 0 where there is none.
int csystem_columns(int fd);

/// Shows nothing of what is typed on the terminal behind `fd`, and lets no key stop or end the program but Ctrl-C. 0, or -1
/// where there is none.
int csystem_hide_typing(int fd);

/// Makes the terminal what it was before. May be called in a signal's handler, and where nothing was hidden.
void csystem_show_typing(void);

/// The environment's `NAME=value` entries, up to a null pointer: a global that Swift 6 does not let in.
char **csystem_environment(void);
