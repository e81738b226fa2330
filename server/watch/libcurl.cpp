#include "server/watch/libcurl.h"

namespace akin::watch {

constinit LateFunction<decltype(::curl_easy_cleanup)> curl_easy_cleanup{"curl_easy_cleanup"};
constinit LateFunction<decltype(::curl_easy_getinfo)> curl_easy_getinfo{"curl_easy_getinfo"};
constinit LateFunction<decltype(::curl_easy_init)> curl_easy_init{"curl_easy_init"};
constinit LateFunction<decltype(::curl_easy_setopt)> curl_easy_setopt{"curl_easy_setopt"};
constinit LateFunction<decltype(::curl_easy_strerror)> curl_easy_strerror{"curl_easy_strerror"};
constinit LateFunction<decltype(::curl_free)> curl_free{"curl_free"};
constinit LateFunction<decltype(::curl_global_init)> curl_global_init{"curl_global_init"};
constinit LateFunction<decltype(::curl_multi_add_handle)> curl_multi_add_handle{"curl_multi_add_handle"};
constinit LateFunction<decltype(::curl_multi_cleanup)> curl_multi_cleanup{"curl_multi_cleanup"};
constinit LateFunction<decltype(::curl_multi_info_read)> curl_multi_info_read{"curl_multi_info_read"};
constinit LateFunction<decltype(::curl_multi_init)> curl_multi_init{"curl_multi_init"};
constinit LateFunction<decltype(::curl_multi_perform)> curl_multi_perform{"curl_multi_perform"};
constinit LateFunction<decltype(::curl_multi_poll)> curl_multi_poll{"curl_multi_poll"};
constinit LateFunction<decltype(::curl_multi_remove_handle)> curl_multi_remove_handle{
    "curl_multi_remove_handle"};
constinit LateFunction<decltype(::curl_multi_wakeup)> curl_multi_wakeup{"curl_multi_wakeup"};
constinit LateFunction<decltype(::curl_slist_append)> curl_slist_append{"curl_slist_append"};
constinit LateFunction<decltype(::curl_slist_free_all)> curl_slist_free_all{"curl_slist_free_all"};
constinit LateFunction<decltype(::curl_url)> curl_url{"curl_url"};
constinit LateFunction<decltype(::curl_url_cleanup)> curl_url_cleanup{"curl_url_cleanup"};
constinit LateFunction<decltype(::curl_url_get)> curl_url_get{"curl_url_get"};
constinit LateFunction<decltype(::curl_url_set)> curl_url_set{"curl_url_set"};

const Result<void>& load_libcurl() {
  static const Result<void> loaded = load_library(AKIN_LIBCURL, "install it: apt install libcurl4",
                                                  {&curl_easy_cleanup,   &curl_easy_getinfo,
                                                   &curl_easy_init,      &curl_easy_setopt,
                                                   &curl_easy_strerror,  &curl_free,
                                                   &curl_global_init,    &curl_multi_add_handle,
                                                   &curl_multi_cleanup,  &curl_multi_info_read,
                                                   &curl_multi_init,     &curl_multi_perform,
                                                   &curl_multi_poll,     &curl_multi_remove_handle,
                                                   &curl_multi_wakeup,   &curl_slist_append,
                                                   &curl_slist_free_all, &curl_url,
                                                   &curl_url_cleanup,    &curl_url_get,
                                                   &curl_url_set});
  return loaded;
}

}  // namespace akin::watch
