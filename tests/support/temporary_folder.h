// A folder for one test, and results that must not be errors.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "base/error.h"

namespace akin::test {

/// A folder that goes with its owner.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

/// Fails the test and stops it if a result is an error.
template <class T>
T must(Result<T> result) {
  if (result.has_error()) {
    ADD_FAILURE() << result.error().message();
    throw std::runtime_error(result.error().message());
  }
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

}  // namespace akin::test
