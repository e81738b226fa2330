// Runs tests over PostgreSQL; 77 where it is not installed.
#include <gmock/gmock.h>

#include <cstdio>

#include "tests/support/database.h"
#include "tests/support/store_kind.h"

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  if (!akin::test::has_postgresql()) {
    std::puts("PostgreSQL 15 is not installed: tests over it are skipped");
    return 77;
  }
  akin::test::run_over_postgresql();
  return RUN_ALL_TESTS();
}
