/*
 * What Foundation's networking asks of libcurl, for a program that never asks it for anything.
 *
 * The package FlyingFox, through whose sockets the page is served, can pass requests on to other servers, which Lull
 * has it do nowhere. But a program that carries Swift's runtime is linked with all that its packages name, and would
 * need libcurl's headers where it is built and libcurl where it runs. `make release` links `lull` with these in its
 * place.
 */
#include <stdlib.h>

#define ABSENT(name)                                                                                              \
    __attribute__((visibility("hidden"))) void name(void);                                                        \
    void name(void) { abort(); }

ABSENT(curl_easy_cleanup)
ABSENT(curl_easy_getinfo)
ABSENT(curl_easy_init)
ABSENT(curl_easy_pause)
ABSENT(curl_easy_setopt)
ABSENT(curl_easy_strerror)
ABSENT(curl_free)
ABSENT(curl_global_init)
ABSENT(curl_multi_add_handle)
ABSENT(curl_multi_assign)
ABSENT(curl_multi_cleanup)
ABSENT(curl_multi_info_read)
ABSENT(curl_multi_init)
ABSENT(curl_multi_remove_handle)
ABSENT(curl_multi_setopt)
ABSENT(curl_multi_socket_action)
ABSENT(curl_slist_append)
ABSENT(curl_slist_free_all)
ABSENT(curl_url)
ABSENT(curl_url_get)
ABSENT(curl_url_set)
ABSENT(curl_version)
ABSENT(curl_version_info)
