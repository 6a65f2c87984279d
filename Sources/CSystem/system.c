#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <termios.h>
#include <unistd.h>

int csystem_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int csystem_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

int csystem_syncfs(int fd) { return syncfs(fd); }

int csystem_clone(int to, int from) { return ioctl(to, FICLONE, from); }

int csystem_rename_new(int from_folder, const char *from, int to_folder, const char *to) {
    return renameat2(from_folder, from, to_folder, to, RENAME_NOREPLACE);
}

static int limit(int what, rlim_t soft, rlim_t hard) {
    struct rlimit now;
    if (getrlimit(what, &now)) return errno;
    if (hard > now.rlim_max) hard = now.rlim_max;  // a lower limit from outside stays
    struct rlimit want = {soft < hard ? soft : hard, hard};
    return setrlimit(what, &want) ? errno : 0;
}

int csystem_limit(unsigned long long memory, unsigned long long cpu, unsigned long long files, unsigned long long file_size) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return errno;
    int e;
    if ((e = limit(RLIMIT_AS, memory, memory)) || (e = limit(RLIMIT_CPU, cpu, cpu + 1)) ||
        (e = limit(RLIMIT_NOFILE, files, files)) || (e = limit(RLIMIT_FSIZE, file_size, file_size)) ||
        (e = limit(RLIMIT_CORE, 0, 0)))
        return e;
    return 0;
}

int csystem_columns(int fd) {
    struct winsize size;
    return isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 ? (size.ws_col ? size.ws_col : 80) : 0;
}

// One terminal at a time, so that a signal's handler finds it.
static struct termios shown;
static volatile sig_atomic_t hidden = -1;

int csystem_hide_typing(int fd) {
    if (hidden >= 0 || tcgetattr(fd, &shown)) return -1;
    struct termios silent = shown;
    silent.c_lflag &= ~(tcflag_t)ECHO;
    silent.c_lflag |= ECHONL;
    // Ctrl-Backslash and Ctrl-Z would leave the terminal as it is now.
    silent.c_cc[VQUIT] = silent.c_cc[VSUSP] = _POSIX_VDISABLE;
    hidden = fd;
    if (tcsetattr(fd, TCSADRAIN, &silent) == 0) return 0;
    hidden = -1;
    return -1;
}

void csystem_show_typing(void) {
    if (hidden < 0) return;
    tcsetattr(hidden, TCSANOW, &shown);
    hidden = -1;
}

char **csystem_environment(void) { return environ; }

int csystem_start_writing(int fd, long long offset, long long count) {
    return sync_file_range(fd, offset, count, SYNC_FILE_RANGE_WRITE);
}
