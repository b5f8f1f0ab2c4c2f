/* libcurl for Swift, which can't call variadic functions: one setter and one getter for each type of value. */
#ifndef LULL_CLULLCURL_SHIM_H
#define LULL_CLULLCURL_SHIM_H

#include <curl/curl.h>
#include <arpa/inet.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

static inline CURLcode lull_curl_set_number(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode lull_curl_set_large(CURL *easy, CURLoption option, int64_t value) {
    return curl_easy_setopt(easy, option, (curl_off_t)value);
}
static inline CURLcode lull_curl_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode lull_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}
/* Copies the bytes. */
static inline CURLcode lull_curl_set_body(CURL *easy, const void *bytes, size_t count) {
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    return curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, count > 0 ? bytes : "");
}
static inline CURLcode lull_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode lull_curl_on_write(CURL *easy, curl_write_callback function, void *context) {
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
    return curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, function);
}
static inline CURLcode lull_curl_on_header(CURL *easy, curl_write_callback function, void *context) {
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
    return curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, function);
}
static inline CURLcode lull_curl_on_read(CURL *easy, curl_read_callback function, void *context) {
    curl_easy_setopt(easy, CURLOPT_READDATA, context);
    return curl_easy_setopt(easy, CURLOPT_READFUNCTION, function);
}
static inline CURLcode lull_curl_on_seek(CURL *easy, curl_seek_callback function, void *context) {
    curl_easy_setopt(easy, CURLOPT_SEEKDATA, context);
    return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, function);
}

/* Whether an address is of this machine, or of the link that it is on. */
static inline int lull_is_near(const struct sockaddr *address) {
    struct in_addr four;
    if (address->sa_family == AF_INET6) {
        const struct in6_addr *six = &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
        if (IN6_IS_ADDR_LOOPBACK(six) || IN6_IS_ADDR_LINKLOCAL(six) || IN6_IS_ADDR_UNSPECIFIED(six)) return 1;
        if (!IN6_IS_ADDR_V4MAPPED(six)) return 0;
        memcpy(&four, six->s6_addr + 12, sizeof four);
    } else if (address->sa_family == AF_INET) {
        four = ((const struct sockaddr_in *)(const void *)address)->sin_addr;
    } else {
        return 0;
    }
    uint32_t number = ntohl(four.s_addr);
    return number >> 24 == 127 || number >> 24 == 0 || number >> 16 == 0xA9FE;
}
static inline curl_socket_t lull_curl_open_far(void *met, curlsocktype purpose, struct curl_sockaddr *address) {
    (void)purpose;
    if (lull_is_near(&address->addr)) {
        *(int *)met = 1;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}
/* Connects to no address of this machine or its link; `met` becomes 1 if a name leads to one. */
static inline CURLcode lull_curl_stay_far(CURL *easy, int *met) {
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, met);
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, lull_curl_open_far);
}

/* -1 and NULL: not known. */
static inline long lull_curl_number(CURL *easy, CURLINFO info) {
    long value = -1;
    return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : -1;
}
static inline int64_t lull_curl_large(CURL *easy, CURLINFO info) {
    curl_off_t value = -1;
    return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : -1;
}
static inline const char *lull_curl_text(CURL *easy, CURLINFO info) {
    char *value = NULL;
    return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : NULL;
}

static inline CURLMcode lull_curl_multi_set_number(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}
static inline CURLMcode lull_curl_on_socket(CURLM *multi, curl_socket_callback function, void *context) {
    curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
    return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, function);
}
static inline CURLMcode lull_curl_on_timer(CURLM *multi, curl_multi_timer_callback function, void *context) {
    curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
    return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, function);
}
/* The handle that is done next and its result; NULL: none is. */
static inline CURL *lull_curl_next_done(CURLM *multi, CURLcode *result) {
    int rest = 0;
    for (CURLMsg *message; (message = curl_multi_info_read(multi, &rest));) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

/* Macros that Swift can't import. */
enum { LULL_AUTH_BASIC = CURLAUTH_BASIC, LULL_AUTH_DIGEST = CURLAUTH_DIGEST };

/* A part of a URL, for the caller to give back with curl_free; NULL: it has none, or is no URL of http or https. */
static inline char *lull_curl_url_part(const char *text, CURLUPart part) {
    CURLU *url = curl_url();
    char *value = NULL;
    if (url && curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK) {
        if (curl_url_get(url, part, &value, CURLU_DEFAULT_PORT) != CURLUE_OK) value = NULL;
    }
    curl_url_cleanup(url);
    return value;
}

/* A digest by the libcrypto that libcurl has brought: its headers are not needed, and its code is fast. NULL: there is none, or
   it does not know the algorithm. */
static inline void *lull_digest_begin(const char *algorithm) {
    const void *(*by_name)(const char *) = (const void *(*)(const char *))dlsym(RTLD_DEFAULT, "EVP_get_digestbyname");
    void *(*make)(void) = (void *(*)(void))dlsym(RTLD_DEFAULT, "EVP_MD_CTX_new");
    int (*begin)(void *, const void *, void *) =
        (int (*)(void *, const void *, void *))dlsym(RTLD_DEFAULT, "EVP_DigestInit_ex");
    const void *kind = by_name && make && begin ? by_name(algorithm) : NULL;
    void *digest = kind ? make() : NULL;
    return digest && begin(digest, kind, NULL) == 1 ? digest : NULL;
}
static inline void lull_digest_add(void *digest, const void *bytes, size_t count) {
    int (*add)(void *, const void *, size_t) =
        (int (*)(void *, const void *, size_t))dlsym(RTLD_DEFAULT, "EVP_DigestUpdate");
    if (add) add(digest, bytes, count);
}
/* Writes the digest into 64 bytes, returns its length, and frees it. */
static inline unsigned lull_digest_end(void *digest, unsigned char *bytes) {
    int (*end)(void *, unsigned char *, unsigned *) =
        (int (*)(void *, unsigned char *, unsigned *))dlsym(RTLD_DEFAULT, "EVP_DigestFinal_ex");
    void (*give_back)(void *) = (void (*)(void *))dlsym(RTLD_DEFAULT, "EVP_MD_CTX_free");
    unsigned length = 0;
    if (!end || end(digest, bytes, &length) != 1) length = 0;
    if (give_back) give_back(digest);
    return length;
}

#endif
