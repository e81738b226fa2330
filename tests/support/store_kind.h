// Over which store this program's tests run.
#pragma once

#include <gtest/gtest.h>

namespace akin::test {

/// Over LMDB's, which is the default; else over PostgreSQL's.
[[nodiscard]] bool is_lmdb() noexcept;

/// From now on is_lmdb() is false: main calls it before any test.
void run_over_postgresql() noexcept;

}  // namespace akin::test

/// Skips a test that is about the files of LMDB's store.
#define AKIN_SKIP_UNLESS_LMDB() \
  if (!akin::test::is_lmdb()) GTEST_SKIP() << "is about LMDB's files"
