// The API over a real store in a folder that vanishes, without dictionaries: every word is its own folded
// spelling or stem.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "server/api/service.h"
#include "tests/support/temporary_folder.h"

namespace akin::test {

inline constexpr std::string_view kText = "text/plain; charset=utf-8";
inline constexpr std::string_view kJson = "application/json";

/// The dictionary without languages, made once.
std::shared_ptr<const Dictionary> empty_dictionary();

/// A service on a fresh data folder.
api::Service open_service(const std::filesystem::path& folder);

/// `sentences` different sentences of six words each, the first numbered `from`.
std::string sentences(int from, int count);

class ServiceTest : public ::testing::Test {
 protected:
  api::Response call(std::string_view method, std::string_view target, std::string_view type = {},
                     std::string_view body = {}) const;
  /// The same, with the answer's JSON; fails the test on another status.
  api::Json expect(int status, std::string_view method, std::string_view target, std::string_view type = {},
                   std::string_view body = {}) const;

  TemporaryFolder folder_;
  api::Service service_ = open_service(folder_.path());
};

}  // namespace akin::test
