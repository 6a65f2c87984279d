#include "CCurl.h"

#include <dlfcn.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

// The name is of the interface that the headers describe, and changes with it.
static const char *const name = "libcurl.so.4";
static void *library;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void end(void) {
    dprintf(STDERR_FILENO, "evergear: %s cannot be loaded: %s\n", name, dlerror());
    _exit(127);
}

static void load(void) {
    library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (!library) end();
}

static void *find(const char *function) {
    pthread_once(&once, load);
    void *found = dlsym(library, function);
    if (!found) end();
    return found;
}

// Looked for once. Two threads that do so at the same time find the same.
#define CURL_CALL(function)                                                          \
    ({                                                                               \
        static void *known;                                                          \
        void *found = __atomic_load_n(&known, __ATOMIC_ACQUIRE);                     \
        if (!found) __atomic_store_n(&known, found = find(#function), __ATOMIC_RELEASE); \
        (__typeof__(&function))found;                                                \
    })

CURLcode ccurl_global_init(long flags) { return CURL_CALL(curl_global_init)(flags); }
void ccurl_free(void *text) { CURL_CALL(curl_free)(text); }
time_t ccurl_getdate(const char *text) { return CURL_CALL(curl_getdate)(text, NULL); }

struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *text) {
    return CURL_CALL(curl_slist_append)(list, text);
}
void ccurl_slist_free_all(struct curl_slist *list) { CURL_CALL(curl_slist_free_all)(list); }

CURLU *ccurl_url(void) { return CURL_CALL(curl_url)(); }
void ccurl_url_cleanup(CURLU *url) { CURL_CALL(curl_url_cleanup)(url); }
CURLUcode ccurl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags) {
    return CURL_CALL(curl_url_set)(url, part, text, flags);
}
CURLUcode ccurl_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags) {
    return CURL_CALL(curl_url_get)(url, part, text, flags);
}

CURLM *ccurl_multi_init(void) { return CURL_CALL(curl_multi_init)(); }
CURLMcode ccurl_multi_cleanup(CURLM *multi) { return CURL_CALL(curl_multi_cleanup)(multi); }
CURLMcode ccurl_multi_add_handle(CURLM *multi, CURL *easy) { return CURL_CALL(curl_multi_add_handle)(multi, easy); }
CURLMcode ccurl_multi_remove_handle(CURLM *multi, CURL *easy) {
    return CURL_CALL(curl_multi_remove_handle)(multi, easy);
}
CURLMcode ccurl_multi_perform(CURLM *multi, int *running) { return CURL_CALL(curl_multi_perform)(multi, running); }
CURLMcode ccurl_multi_poll(CURLM *multi, struct curl_waitfd extra[], unsigned int count, int milliseconds, int *ready) {
    return CURL_CALL(curl_multi_poll)(multi, extra, count, milliseconds, ready);
}
CURLMsg *ccurl_multi_info_read(CURLM *multi, int *left) { return CURL_CALL(curl_multi_info_read)(multi, left); }

CURL *ccurl_easy_init(void) { return CURL_CALL(curl_easy_init)(); }
void ccurl_easy_cleanup(CURL *easy) { CURL_CALL(curl_easy_cleanup)(easy); }
const char *ccurl_easy_strerror(CURLcode code) { return CURL_CALL(curl_easy_strerror)(code); }

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return CURL_CALL(curl_easy_setopt)(easy, option, value);
}
CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return CURL_CALL(curl_easy_setopt)(easy, option, value);
}
CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
    return CURL_CALL(curl_easy_setopt)(easy, option, value);
}
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return CURL_CALL(curl_easy_setopt)(easy, option, value);
}
CURLcode ccurl_set_read(CURL *easy, curl_read_callback call) {
    return CURL_CALL(curl_easy_setopt)(easy, CURLOPT_READFUNCTION, call);
}
CURLcode ccurl_set_seek(CURL *easy, curl_seek_callback call) {
    return CURL_CALL(curl_easy_setopt)(easy, CURLOPT_SEEKFUNCTION, call);
}
CURLcode ccurl_set_write(CURL *easy, CURLoption option, curl_write_callback call) {
    return CURL_CALL(curl_easy_setopt)(easy, option, call);
}
CURLcode ccurl_set_beginning(CURL *easy, curl_prereq_callback call) {
    return CURL_CALL(curl_easy_setopt)(easy, CURLOPT_PREREQFUNCTION, call);
}
CURLcode ccurl_set_socket(CURL *easy, curl_sockopt_callback call) {
    return CURL_CALL(curl_easy_setopt)(easy, CURLOPT_SOCKOPTFUNCTION, call);
}
CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value) {
    return CURL_CALL(curl_easy_getinfo)(easy, info, value);
}
CURLcode ccurl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return CURL_CALL(curl_easy_getinfo)(easy, info, value);
}

void ccurl_keep_queue_short(curl_socket_t socket, int bytes) {
    setsockopt(socket, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &bytes, sizeof bytes);
}
