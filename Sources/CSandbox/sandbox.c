#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// What computing on open descriptors takes: input and output, memory, threads, time, signals to oneself, the end.
static const int allowed[] = {
    SCMP_SYS(read), SCMP_SYS(write), SCMP_SYS(readv), SCMP_SYS(writev), SCMP_SYS(close), SCMP_SYS(fstat),
    SCMP_SYS(lseek), SCMP_SYS(poll), SCMP_SYS(ppoll),
    SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise),
    SCMP_SYS(futex), SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(membarrier), SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity), SCMP_SYS(getcpu),
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep),
    SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(alarm), SCMP_SYS(setitimer),
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(getrandom), SCMP_SYS(getrusage), SCMP_SYS(sysinfo), SCMP_SYS(uname),
    SCMP_SYS(exit), SCMP_SYS(exit_group),
};

static int add_rules(scmp_filter_ctx filter) {
    int e = 0;
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        if (allowed[i] >= 0 && (e = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0))) return e;
    // Memory, but none that runs.
    const int memory[] = {SCMP_SYS(mmap), SCMP_SYS(mprotect)};
    for (int i = 0; i < 2; i++)
        if ((e = seccomp_rule_add(filter, SCMP_ACT_ALLOW, memory[i], 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)))) return e;
    // A thread of this process. What clone3 asks for lies in memory, out of a filter's sight: the C library falls back
    // to clone where it does not exist.
    if ((e = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD)))) return e;
    if ((e = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0))) return e;
    // A thread's name, a limit's value, abort().
    if ((e = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prctl), 1, SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME)))) return e;
    if ((e = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 1, SCMP_A2(SCMP_CMP_EQ, 0)))) return e;
    return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid()));
}

int csandbox_close(void) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!filter) return ENOMEM;
    int e = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);  // threads that are there already, too
    if (!e) e = add_rules(filter);
    if (!e) e = seccomp_load(filter);
    seccomp_release(filter);
    return e < 0 ? -e : e;
}

void csandbox_probe(char *report, int size) {
    int used = 0;
    report[0] = 0;
#define TRY(name, call)                                                                    \
    do {                                                                                   \
        errno = 0;                                                                         \
        long result = (long)(call);                                                        \
        if (used < size)                                                                   \
            used += snprintf(report + used, size - used, "%s %d\n", name, result == -1 ? errno : 0); \
    } while (0)
    char *none[] = {NULL};
    struct stat status;
    TRY("open", syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY));
    TRY("create", syscall(SYS_openat, AT_FDCWD, "/tmp/evergear-imaging-probe", O_WRONLY | O_CREAT, 0600));
    TRY("unlink", unlink("/tmp/evergear-imaging-probe"));
    TRY("stat", syscall(SYS_newfstatat, AT_FDCWD, "/etc/passwd", &status, 0));
    TRY("socket", socket(AF_INET, SOCK_STREAM, 0));
    TRY("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){0}));
    TRY("execute-memory", mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    TRY("signal-parent", kill(getppid(), 0));
    TRY("trace", syscall(SYS_ptrace, 0, 0, 0, 0));
    TRY("fork", syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
    TRY("execute", execve("/bin/true", none, none));
#undef TRY
}
