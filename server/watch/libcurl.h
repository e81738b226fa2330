// libcurl, loaded when the first webhook is declared or a server starts: other commands start without it and
// what it needs. In this namespace its functions have their own names and are called as usual; calling one
// requires that load_libcurl has succeeded.
#pragma once

#include <curl/curl.h>

#include "base/error.h"
#include "base/late_library.h"

namespace akin::watch {

/// Any thread may call it at any time. Error: unsupported.
[[nodiscard]] const Result<void>& load_libcurl();

extern LateFunction<decltype(::curl_easy_cleanup)> curl_easy_cleanup;
extern LateFunction<decltype(::curl_easy_getinfo)> curl_easy_getinfo;
extern LateFunction<decltype(::curl_easy_init)> curl_easy_init;
extern LateFunction<decltype(::curl_easy_setopt)> curl_easy_setopt;
extern LateFunction<decltype(::curl_easy_strerror)> curl_easy_strerror;
extern LateFunction<decltype(::curl_free)> curl_free;
extern LateFunction<decltype(::curl_global_init)> curl_global_init;
extern LateFunction<decltype(::curl_multi_add_handle)> curl_multi_add_handle;
extern LateFunction<decltype(::curl_multi_cleanup)> curl_multi_cleanup;
extern LateFunction<decltype(::curl_multi_info_read)> curl_multi_info_read;
extern LateFunction<decltype(::curl_multi_init)> curl_multi_init;
extern LateFunction<decltype(::curl_multi_perform)> curl_multi_perform;
extern LateFunction<decltype(::curl_multi_poll)> curl_multi_poll;
extern LateFunction<decltype(::curl_multi_remove_handle)> curl_multi_remove_handle;
extern LateFunction<decltype(::curl_multi_wakeup)> curl_multi_wakeup;
extern LateFunction<decltype(::curl_slist_append)> curl_slist_append;
extern LateFunction<decltype(::curl_slist_free_all)> curl_slist_free_all;
extern LateFunction<decltype(::curl_url)> curl_url;
extern LateFunction<decltype(::curl_url_cleanup)> curl_url_cleanup;
extern LateFunction<decltype(::curl_url_get)> curl_url_get;
extern LateFunction<decltype(::curl_url_set)> curl_url_set;

}  // namespace akin::watch
