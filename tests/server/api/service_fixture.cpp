#include "tests/server/api/service_fixture.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "index/lmdb/catalog.h"
#include "server/run/hand_ins.h"
#include "server/run/task_kinds.h"

namespace akin::test {

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
  const auto dictionaries = std::make_shared<Dictionaries>(empty_dictionary(), "none");
  const auto catalog = open_data_folder(folder, dictionaries, /*create=*/true).value();
  const auto state = state::State::open(folder).value();
  api::Service service = {.catalog = catalog,
                          .dictionaries = dictionaries,
                          .tasks = tasks::Tasks::open(state, folder / "tasks",
                                                      api::task_kinds(catalog, state, folder / "backups"))
                                       .value(),
                          .state = state,
                          .checks = std::make_shared<check::Checks>(state, 0),
                          .policies = std::make_shared<check::Policies>(state),
                          .gates = std::make_shared<gate::Gates>(state),
                          .models = std::make_shared<judge::Models>(state)};
  service.hand_ins = api::open_hand_ins(service, folder / "hand-ins", 1).value();
  return service;
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

namespace {

/// Keeps an exchange to be held against the description of the interface, as tests/e2e/exchanges.py does:
/// where AKIN_EXCHANGES names a file.
void keep(const api::Request& request, const api::Response& response) {
  const char* file = std::getenv("AKIN_EXCHANGES");
  if (file == nullptr) return;
  api::Json fields = {{"x-request-id", "test"},
                      {"content-type", api::kJsonType}};  // as the transport adds them
  for (const auto& [name, value] : response.headers) {
    std::string lower = name;
    std::ranges::transform(lower, lower.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    fields[lower] = value;
  }
  api::Json headers = api::Json::array();
  for (const auto& [name, value] : fields.items()) headers.push_back(api::Json::array({name, value}));
  api::Json exchange;
  exchange["request"] = {
      {"method", request.method},
      {"target", request.target},
      {"headers", api::Json::array({api::Json::array({"content-type", request.content_type})})},
      {"body", request.body}};
  exchange["answer"] = {{"status", response.status}, {"headers", headers}, {"body", response.body}};
  const std::string line = exchange.dump(-1, ' ', false, api::Json::error_handler_t::replace) + "\n";
  const int descriptor = ::open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0 || ::write(descriptor, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    ADD_FAILURE() << "cannot write " << file;
  }
  if (descriptor >= 0) ::close(descriptor);
}

}  // namespace

api::Response ServiceTest::call(std::string_view method, std::string_view target, std::string_view type,
                                std::string_view body) const {
  const api::Request request{.method = std::string(method),
                             .target = std::string(target),
                             .content_type = std::string(type),
                             .body = std::string(body)};
  api::Response response = api::handle(service_, request);
  keep(request, response);
  return response;
}

api::Json ServiceTest::expect(int status, std::string_view method, std::string_view target,
                              std::string_view type, std::string_view body) const {
  const api::Response response = call(method, target, type, body);
  EXPECT_EQ(response.status, status) << method << " " << target << ": " << response.body;
  return api::Json::parse(response.body);
}

}  // namespace akin::test
