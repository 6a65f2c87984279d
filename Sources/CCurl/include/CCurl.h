#pragma once
#include <curl/curl.h>

// libcurl, loaded when it is first called: it brings two dozen libraries with it, which would take a third of the time that
// a short command takes. Each function is libcurl's own of the name without the first c. Where the library is not there,
// the program ends as one does whose libraries are missing: with a line about it, and status 127.

CURLcode ccurl_global_init(long flags);
void ccurl_free(void *text);
time_t ccurl_getdate(const char *text);

struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *text);
void ccurl_slist_free_all(struct curl_slist *list);

CURLU *ccurl_url(void);
void ccurl_url_cleanup(CURLU *url);
CURLUcode ccurl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags);
CURLUcode ccurl_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags);

CURLM *ccurl_multi_init(void);
CURLMcode ccurl_multi_cleanup(CURLM *multi);
CURLMcode ccurl_multi_add_handle(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_remove_handle(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_perform(CURLM *multi, int *running);
CURLMcode ccurl_multi_poll(CURLM *multi, struct curl_waitfd extra[], unsigned int count, int milliseconds, int *ready);
CURLMsg *ccurl_multi_info_read(CURLM *multi, int *left);

CURL *ccurl_easy_init(void);
void ccurl_easy_cleanup(CURL *easy);
const char *ccurl_easy_strerror(CURLcode code);

// curl_easy_setopt and curl_easy_getinfo are variadic, and Swift imports no such function: one for each type of value.

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value);
CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value);
CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value);
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value);
CURLcode ccurl_set_read(CURL *easy, curl_read_callback call);
CURLcode ccurl_set_seek(CURL *easy, curl_seek_callback call);
CURLcode ccurl_set_write(CURL *easy, CURLoption option, curl_write_callback call);
CURLcode ccurl_set_beginning(CURL *easy, curl_prereq_callback call);
CURLcode ccurl_set_socket(CURL *easy, curl_sockopt_callback call);
CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value);
CURLcode ccurl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value);

// A header that Swift's Glibc leaves out: at most `bytes` wait in the kernel to be sent for the first time (tcp(7)).
void ccurl_keep_queue_short(curl_socket_t socket, int bytes);
