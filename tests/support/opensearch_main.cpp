// Runs tests over OpenSearch; 77 where its jars are not there.
#include <gmock/gmock.h>

#include <cstdio>

#include "tests/support/opensearch_cluster.h"
#include "tests/support/store_kind.h"

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  if (!akin::test::has_opensearch()) {
    std::puts(
        "the jars of OpenSearch are not there (./test opensearch fetches them): tests over it are skipped");
    return 77;
  }
  akin::test::run_over_opensearch();
  return RUN_ALL_TESTS();
}
