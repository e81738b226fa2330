// A service with a collection "c" for tests of judging.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/server/api/service_fixture.h"

namespace akin::test {

using api::Json;

class JudgeApi : public ServiceTest {
 protected:
  void SetUp() override { expect(201, "PUT", "/v1/collections/c", kJson, "{}"); }

  void store(const std::string& id, const std::string& text, const Json& metadata = Json::object()) {
    const Json body = {{"text", text}, {"metadata", metadata}};
    expect(201, "PUT", "/v1/collections/c/documents/" + id, kJson, body.dump());
  }
  Json post(int status, const std::string& target, const Json& body) {
    return expect(status, "POST", target, kJson, body.dump());
  }
  Json put_labels(const Json& labels) {
    return expect(200, "PUT", "/v1/collections/c/labels", kJson, Json{{"labels", labels}}.dump());
  }
  /// A task that has ended.
  Json ended(const std::string& target, const Json& body) {
    return awaited(post(202, target, body)["id"].get<std::string>());
  }
  /// The same of one that was added before.
  Json awaited(const std::string& id) {
    for (;;) {
      Json task = expect(200, "GET", "/v1/tasks/" + id);
      if (task["status"] != "queued" && task["status"] != "running") return task;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  /// The id of a finished task.
  std::string finished(const std::string& target, const Json& body) {
    const Json task = ended(target, body);
    if (task["status"] != "done") throw std::runtime_error(task.dump());
    return task["id"].get<std::string>();
  }
  /// The result of a finished task, a line each.
  std::vector<Json> result(const std::string& target, const Json& body) {
    std::istringstream lines(call("GET", "/v1/tasks/" + finished(target, body) + "/result").body);
    std::vector<Json> objects;
    for (std::string line; std::getline(lines, line);) objects.push_back(Json::parse(line));
    return objects;
  }
};

}  // namespace akin::test
