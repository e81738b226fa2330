#pragma once

#include <filesystem>

namespace akin::http {

/// The files of a certificate with its chain, and of its private key, in PEM.
struct TlsFiles {
  std::filesystem::path certificate, key;
};

}  // namespace akin::http
