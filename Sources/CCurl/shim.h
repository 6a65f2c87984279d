#pragma once
#include <curl/curl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

// curl_easy_setopt and curl_easy_getinfo are variadic, and Swift imports no such function: one for each type of value.

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_read(CURL *easy, curl_read_callback call) {
    return curl_easy_setopt(easy, CURLOPT_READFUNCTION, call);
}

static inline CURLcode ccurl_set_seek(CURL *easy, curl_seek_callback call) {
    return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, call);
}

static inline CURLcode ccurl_set_write(CURL *easy, CURLoption option, curl_write_callback call) {
    return curl_easy_setopt(easy, option, call);
}

static inline CURLcode ccurl_set_beginning(CURL *easy, curl_prereq_callback call) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, call);
}

static inline CURLcode ccurl_set_socket(CURL *easy, curl_sockopt_callback call) {
    return curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, call);
}

static inline CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode ccurl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

// A header that Swift's Glibc leaves out: at most `bytes` wait in the kernel to be sent for the first time (tcp(7)).
static inline void ccurl_keep_queue_short(curl_socket_t socket, int bytes) {
    setsockopt(socket, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &bytes, sizeof bytes);
}
