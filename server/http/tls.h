// The certificate of TLS connections, which can be replaced while the server runs.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <memory>
#include <optional>

#include "base/error.h"
#include "base/time.h"
#include "server/http/tls_files.h"

namespace akin::http {

/// Reads both files for TLS 1.2 and later. Errors name the file: not_found, invalid_argument (not a
/// certificate or key, or the key of another certificate).
[[nodiscard]] Result<std::shared_ptr<boost::asio::ssl::context>> load_tls(const TlsFiles& files);

/// When the certificate expires.
[[nodiscard]] Time certificate_end(boost::asio::ssl::context& context);

/// What is wrong with the certificate at a time, if anything: clients refuse it, since it has expired or is
/// not valid yet; or it expires within 14 days, or within 3, or sooner if it is valid for a few days only.
[[nodiscard]] std::optional<Error> untimely_certificate(boost::asio::ssl::context& context,
                                                        const TlsFiles& files, Time now);

}  // namespace akin::http
