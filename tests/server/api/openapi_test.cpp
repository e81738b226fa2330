// Compares the description of the interface with the table of routes. tests/contract compares answers with
// it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "server/api/embedded.h"
#include "tests/server/api/service_fixture.h"

namespace akin::test {
namespace {

using api::Json;

/// "GET /v1/collections, read"
std::string line(std::string_view method, std::string_view path, std::string_view scope) {
  return std::string(method) + " " + std::string(path) + ", " + std::string(scope);
}

std::set<std::string> served() {
  std::set<std::string> lines;
  for (const api::OfferedMethod& offered : api::offered_methods()) {
    if (offered.pattern.starts_with("/desk")) continue;  // pages for people
    std::string path(offered.pattern);
    std::erase(path, '*');
    lines.insert(line(offered.method, path, offered.scope ? access::scope_name(*offered.scope) : "anyone"));
  }
  return lines;
}

std::set<std::string> described() {
  std::set<std::string> lines;
  const Json description = Json::parse(api::openapi_description());
  for (const auto& [path, item] : description.at("paths").items()) {
    for (const auto& [name, operation] : item.items()) {
      if (name == "parameters") continue;
      std::string method = name;
      for (char& c : method) c = static_cast<char>(c - 'a' + 'A');
      const Json& security = operation.at("security");
      lines.insert(line(method, path,
                        security.empty() ? "anyone" : security.at(0).at("bearer").at(0).get<std::string>()));
    }
  }
  return lines;
}

TEST(Description, HasWhatIsServedAndNothingElse) { EXPECT_EQ(described(), served()); }

TEST(Description, NamesEachOperationOnce) {
  std::set<std::string> names;
  std::size_t operations = 0;
  const Json description = Json::parse(api::openapi_description());
  for (const auto& [path, item] : description.at("paths").items()) {
    for (const auto& [method, operation] : item.items()) {
      if (method == "parameters") continue;
      ++operations;
      names.insert(operation.at("operationId").get<std::string>());
    }
  }
  EXPECT_EQ(names.size(), operations);
}

class DescriptionPage : public ServiceTest {};

TEST_F(DescriptionPage, IsServed) { EXPECT_EQ(expect(200, "GET", "/openapi.json").at("openapi"), "3.1.0"); }

}  // namespace
}  // namespace akin::test
