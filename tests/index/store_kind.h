// Over which store this program's tests run.
#pragma once

#include <gtest/gtest.h>

namespace akin::test {

/// LMDB's; else PostgreSQL's.
constexpr bool is_lmdb() noexcept {
#ifdef AKIN_TEST_POSTGRESQL
  return false;
#else
  return true;
#endif
}

}  // namespace akin::test

/// Skips a test that is about the files of LMDB's store.
#define AKIN_SKIP_UNLESS_LMDB() \
  if (!akin::test::is_lmdb()) GTEST_SKIP() << "is about LMDB's files"
