#include "tests/server/service_fixture.h"

#include <cstdlib>
#include <stdexcept>

#include "server/api/task_kinds.h"

namespace akin::testing {

TemporaryFolder::TemporaryFolder() {
  std::string pattern = ::testing::TempDir() + "akin-server-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make " + pattern);
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::shared_ptr<const Dictionary> empty_dictionary() {
  static const TemporaryFolder cache;
  static const auto dictionary = [] {
    DictionaryConfig config;
    config.cache = cache.path();
    return Dictionary::open(config).value();
  }();
  return dictionary;
}

api::Service open_service(const std::filesystem::path& folder) {
  auto dictionary = empty_dictionary();
  const auto catalog = Catalog::open(folder, dictionary, "none", /*create=*/true).value();
  const auto state = state::State::open(folder).value();
  return {.catalog = catalog,
          .dictionary = dictionary,
          .tasks =
              api::Tasks::open(
                  state, folder / "tasks",
                  api::task_kinds(catalog, state,
                                  {.data = folder, .backups = folder / "backups", .inbox = folder / "inbox"}))
                  .value(),
          .state = state,
          .checks = std::make_shared<check::Checks>(state, 0),
          .policies = std::make_shared<check::Policies>(state)};
}

std::string sentences(int from, int count) {
  std::string text;
  for (int number = from; number < from + count; ++number) {
    for (const char* word : {"Alpha", "beta", "gamma", "delta", "epsilon"}) {
      text.append(word).append("n").append(std::to_string(number)).append(" ");
    }
    text += "zeta. ";
  }
  return text;
}

api::Response ServiceTest::call(std::string_view method, std::string_view target, std::string_view type,
                                std::string_view body) const {
  return api::handle(service_, {.method = std::string(method),
                                .target = std::string(target),
                                .content_type = std::string(type),
                                .body = std::string(body)});
}

api::Json ServiceTest::expect(int status, std::string_view method, std::string_view target,
                              std::string_view type, std::string_view body) const {
  const api::Response response = call(method, target, type, body);
  EXPECT_EQ(response.status, status) << method << " " << target << ": " << response.body;
  return api::Json::parse(response.body);
}

}  // namespace akin::testing
