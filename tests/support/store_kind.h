// Over which store this program's tests run.
#pragma once

#include <gtest/gtest.h>

namespace akin::test {

/// Over LMDB's, which is the default; else over another.
[[nodiscard]] bool is_lmdb() noexcept;
/// Over that of a cluster.
[[nodiscard]] bool is_opensearch() noexcept;

// From now on tests run over that store: main calls it before any test.
void run_over_postgresql() noexcept;
void run_over_opensearch() noexcept;

}  // namespace akin::test

/// Skips a test that is about the files of LMDB's store.
#define AKIN_SKIP_UNLESS_LMDB() \
  if (!akin::test::is_lmdb()) GTEST_SKIP() << "is about LMDB's files"
