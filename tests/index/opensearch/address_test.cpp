#include "index/opensearch/client/address.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "index/opensearch/client/client.h"

namespace akin::opensearch {
namespace {

TEST(ClusterAddress, NamesNodesUserAndPrefix) {
  const Address address = parse_address("opensearch+https://akin:se@cret@one:9200,two:9201/library").value();
  EXPECT_EQ(address.nodes, (std::vector<std::string>{"https://one:9200", "https://two:9201"}));
  EXPECT_EQ(address.user, "akin");
  EXPECT_EQ(address.password, "se@cret");
  EXPECT_EQ(address.prefix, "library");
}

TEST(ClusterAddress, HasAPrefixOfItsOwnIfItNamesNone) {
  EXPECT_EQ(parse_address("opensearch+http://host:9200").value().prefix, "akin");
}

TEST(ClusterAddress, IsShownWithoutItsPassword) {
  EXPECT_EQ(shown_address("opensearch+https://akin:secret@host:9200/a"),
            "opensearch+https://akin@host:9200/a");
  EXPECT_EQ(shown_address("opensearch+https://host:9200/a"), "opensearch+https://host:9200/a");
}

TEST(ClusterAddress, IsRefusedWithAnExample) {
  for (const char* wrong :
       {"opensearch+ftp://host/a", "opensearch+https:/host", "opensearch+https:///a",
        "opensearch+https://host/A", "opensearch+https://host/-a", "opensearch+https://host/"}) {
    const auto parsed = parse_address(wrong);
    ASSERT_TRUE(parsed.has_error()) << wrong;
    EXPECT_EQ(parsed.error().code, Errc::invalid_argument);
    EXPECT_NE(parsed.error().remedy.find("opensearch+https://user@host:9200/akin"), std::string::npos);
  }
}

}  // namespace
}  // namespace akin::opensearch
