// Compares the description of the interface with the table of routes. tests/contract compares answers with
// it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "server/api/declared_parameter.h"
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

/// The names of a body's fields, those of each variant joined.
std::set<std::string> fields_of(const Json& description, const Json& schema) {
  if (schema.contains("$ref")) {
    const auto path = schema.at("$ref").get<std::string>().substr(1);
    return fields_of(description, description.at(Json::json_pointer(path)));
  }
  std::set<std::string> names;
  const Json properties = schema.value("properties", Json::object());
  for (const auto& [name, field] : properties.items()) names.insert(name);
  for (const Json& variant : schema.value("oneOf", Json::array()))
    names.merge(fields_of(description, variant));
  return names;
}

/// Each operation whose body may be JSON: its method, path, and the parameters that it takes.
struct ParametersAlike : ServiceTest {
  static std::vector<std::tuple<std::string, Json, std::span<const api::DeclaredParameter>>> operations() {
    std::vector<std::tuple<std::string, Json, std::span<const api::DeclaredParameter>>> all;
    const Json description = Json::parse(api::openapi_description());
    for (const auto& [path, item] : description.at("paths").items()) {
      for (const auto& [method, operation] : item.items()) {
        const Json::json_pointer schema("/requestBody/content/application~1json/schema");
        if (method != "post" || !operation.contains(schema)) continue;
        std::string handler;
        for (const char c : operation.at("operationId").get<std::string>())
          handler +=
              std::isupper(c) != 0 ? std::string{'_', static_cast<char>(std::tolower(c))} : std::string{c};
        Json fields = fields_of(description, operation.at(schema));
        all.emplace_back(path, std::move(fields), api::parameters_of(handler));
      }
    }
    return all;
  }
};

TEST_F(ParametersAlike, AreTakenFromTheQueryAndFromTheBody) {
  expect(201, "PUT", "/v1/collections/c");
  std::size_t asked = 0;
  for (const auto& [pattern, fields, parameters] : operations()) {
    std::string path = pattern;
    if (const auto at = path.find("{collection}"); at != std::string::npos) path.replace(at, 12, "c");
    for (const api::DeclaredParameter& one : parameters) {
      if (one.name == "file_name" || one.name == "encoding") continue;  // of bodies that are files
      EXPECT_TRUE(std::ranges::count(fields, Json(one.name))) << path << " " << one.name;
      if (one.accepts("nonsense")) continue;
      ++asked;
      for (const bool in_query : {true, false}) {
        const std::string target = in_query ? path + "?" + std::string(one.name) + "=nonsense" : path;
        const Json body = in_query ? Json::object() : Json{{one.name, "nonsense"}};
        const Json refused = expect(400, "POST", target, kJson, body.dump());
        EXPECT_EQ(refused.at("what"),
                  (in_query ? "query parameter '" : "field '") + std::string(one.name) + "'")
            << target << body;
      }
    }
  }
  EXPECT_GT(asked, 30U);
}

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
