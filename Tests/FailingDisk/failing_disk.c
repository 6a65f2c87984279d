#define _GNU_SOURCE
#include "failing_disk.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long calls;

// Whether this call is one to fail; errno is set then.
static int fails(int fd) {
    static long limit = -2;
    static int error = EIO;
    if (limit == -2) {
        const char *text = getenv("FAILING_DISK");
        const char *number = getenv("FAILING_DISK_ERROR");
        if (number) error = atoi(number);
        limit = text ? atol(text) : -1;
    }
    if (limit < 0) return 0;
    struct stat status;
    if (fstat(fd, &status) != 0 || !(S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))) return 0;
    if (atomic_fetch_add(&calls, 1) < limit) return 0;
    errno = error;
    return 1;
}

#define FAIL(result, name, parameters, arguments) \
    result name parameters { \
        static result(*real) parameters; \
        if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name); \
        return fails(fd) ? -1 : real arguments; \
    }

FAIL(ssize_t, write, (int fd, const void *bytes, size_t count), (fd, bytes, count))
FAIL(ssize_t, pwrite, (int fd, const void *bytes, size_t count, off_t offset), (fd, bytes, count, offset))
FAIL(ssize_t, pwrite64, (int fd, const void *bytes, size_t count, off64_t offset), (fd, bytes, count, offset))
FAIL(ssize_t, writev, (int fd, const struct iovec *pieces, int count), (fd, pieces, count))
FAIL(int, fsync, (int fd), (fd))
FAIL(int, fdatasync, (int fd), (fd))
FAIL(int, syncfs, (int fd), (fd))
FAIL(int, ftruncate, (int fd, off_t size), (fd, size))
FAIL(int, ftruncate64, (int fd, off64_t size), (fd, size))
