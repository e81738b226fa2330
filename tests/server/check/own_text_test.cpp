// What the owner of a text stored earlier hides nothing.

#include <gtest/gtest.h>

#include <string>

#include "server/check/run.h"
#include "tests/server/api/service_fixture.h"

namespace akin::check {
namespace {

using test::sentences;

/// What somebody copied and stored under their own name is still copied.
TEST(OwnText, IsComparedWithAllOthers) {
  const test::TemporaryFolder folder;
  const api::Service service = test::open_service(folder.path());
  const std::string half = sentences(100, 10) + "\n\n" + sentences(500, 10);
  for (const char* scheme : {"sentence-pairs", "tiers(pairs=sentence-pairs,passages=winnow(k=5,t=12))"}) {
    const std::string name = scheme[0] == 't' ? "tiers" : "pairs";
    ASSERT_TRUE(service.catalog->create(name, scheme).has_value());
    const auto collection = service.catalog->get(name).value();
    ASSERT_TRUE(collection->put({"source", "", "", sentences(100, 10)}).has_value());
    ASSERT_TRUE(collection->put({"draft", "", R"({"owner":"petrov"})", half}).has_value());
    CheckRequest request;
    request.collections = {name};
    request.text = half + "\n\n" + sentences(700, 10);
    const Outcome nobody = run_check(*service.catalog, request).value();
    request.owner = "petrov";
    const Outcome owner = run_check(*service.catalog, request).value();
    ASSERT_EQ(owner.sources.size(), 1U) << scheme;
    EXPECT_EQ(owner.sources[0].document.id, "source");
    EXPECT_NEAR(owner.share(), 1.0 / 3, 0.01) << scheme;
    EXPECT_NEAR(owner.own_share(), 2.0 / 3, 0.01) << scheme;
    EXPECT_EQ(owner.letters.compared, owner.letters.total);
    ASSERT_FALSE(owner.own.passages.empty());
    EXPECT_EQ(owner.own.passages[0].id, "draft");
    EXPECT_EQ(nobody.sources_total, 2U) << scheme;
    EXPECT_EQ(nobody.own_share(), 0.0);
    request.policy.review_own_share = 0.5;
    request.policy.review_share = request.policy.review_source_share = std::nullopt;
    const Outcome reviewed = run_check(*service.catalog, request).value();
    ASSERT_EQ(reviewed.reasons.size(), 1U) << scheme;
    EXPECT_EQ(reviewed.reasons[0].kind, Reason::Kind::own_share);
    EXPECT_EQ(reviewed.verdict, Verdict::review);
  }
}

}  // namespace
}  // namespace akin::check
