// Connection strings: what people see of them.
#include "index/pg/client/conninfo.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "index/pg/servers/init.h"

namespace akin::test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Conninfo, SecretsAreKeptFromPeople) {
  EXPECT_EQ(pg::shown_conninfo("postgres://me:hush@h:5/db?connect_timeout=3"), "dbname=db host=h port=5");
}

TEST(Conninfo, WhatIsNoneIsNotRepeated) {
  for (const std::string wrong : {"host=a b password=hush", "postgres://a:hush@b:c:d/?x"}) {
    const auto refused = pg::init_database(wrong);
    ASSERT_TRUE(refused.has_error()) << wrong;
    EXPECT_EQ(refused.error().code, Errc::invalid_argument) << refused.error().message();
    EXPECT_THAT(refused.error().message(), Not(HasSubstr("hush")));
  }
}

}  // namespace
}  // namespace akin::test
