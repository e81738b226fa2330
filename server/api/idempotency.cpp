#include "server/api/idempotency.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>

#include "base/ascii.h"
#include "base/sha256.h"
#include "server/state/lived_time.h"

namespace akin::api {

namespace {

constexpr std::size_t kLongestIdempotencyKey = 255;

// Keys of the table: an answer under "a" and a name; an empty entry under "t", the time of it and the name,
// so that old ones are found without reading the others.
constexpr std::string_view kAnswerPrefix = "a", kTimePrefix = "t";

std::uint64_t microseconds(Time time) { return static_cast<std::uint64_t>(time.time_since_epoch().count()); }

std::string time_key(std::uint64_t time, std::string_view name) {
  constexpr std::size_t kDigits = 20;
  const std::string digits = std::to_string(time);
  return std::string(kTimePrefix) + std::string(kDigits - std::min(digits.size(), kDigits), '0') + digits +
         std::string(name);
}

/// The key in the field, which may be quoted, as in the draft.
Result<std::string> idempotency_key_in(std::string_view field) {
  std::string_view key = field;
  if (key.size() >= 2 && key.starts_with('"') && key.ends_with('"')) key = key.substr(1, key.size() - 2);
  const auto is_visible = [](char c) { return c > 0x20 && c < 0x7f && c != '"' && c != ','; };
  if (!key.empty() && key.size() <= kLongestIdempotencyKey && std::ranges::all_of(key, is_visible))
    return std::string(key);
  return Error{Errc::invalid_argument, "header field Idempotency-Key",
               "it is not one key of 1 to 255 visible ASCII characters", "give a new UUID for each thing"};
}

/// The name under which a request's answer is stored: keys of different clients are different.
std::string name_of_answer(const Request& request, std::string_view key) {
  const std::string client = request.grant ? request.grant->key().id : "";
  return sha256_hex(state::pair_key(client, key));
}

/// A form without its delimiters, which a client chooses again for each repetition. The first line is one.
std::string without_delimiters(std::string_view body) {
  const std::string_view delimiter = body.substr(0, body.find("\r\n"));
  std::string rest;
  while (!delimiter.empty()) {
    const std::size_t end = body.find(delimiter);
    rest += body.substr(0, end);
    if (end == std::string_view::npos) return rest;
    body.remove_prefix(end + delimiter.size());
  }
  return std::string(body);
}

/// What a repetition must have in common with the first request.
std::string fingerprint_of(const Request& request) {
  if (ascii_lower(request.content_type).starts_with("multipart/form-data")) {
    return sha256_hex(sha256_hex(request.method + " " + request.target) +
                      sha256_hex(without_delimiters(request.body)));
  }
  return sha256_hex(sha256_hex(request.method + " " + request.target) + sha256_hex(request.content_type) +
                    sha256_hex(request.body));
}

/// The stored answer, null if there is none that is still replayed.
Result<Json> stored_answer(const state::State& state, const std::string& name) {
  AKIN_TRY(const auto bytes, state.get(state::Table::answers, std::string(kAnswerPrefix) + name));
  if (!bytes) return Json(nullptr);
  Json answer = Json::parse(*bytes, nullptr, false);
  if (!answer.is_object()) {
    return Error{Errc::corrupt, "state", "the answer under an Idempotency-Key cannot be read",
                 "use another key"};
  }
  const Time until = Time(std::chrono::microseconds(answer.at("time").get<std::int64_t>())) + kAnswersKept;
  AKIN_TRY(const Time now, state::lived_time(state, state::ClockReading::now()));
  return until <= now ? Json(nullptr) : answer;
}

Result<void> store_answer(state::State& state, const std::string& name, Json answer) {
  AKIN_TRY(const Time lived, state::lived_time(state, state::ClockReading::now()));
  const std::uint64_t now = microseconds(lived);
  answer["time"] = now;
  return state.write([&](state::Writer& writer) -> Result<void> {
    AKIN_CHECK(writer.put(state::Table::answers, std::string(kAnswerPrefix) + name, answer.dump()));
    return writer.put(state::Table::answers, time_key(now, name), {});
  });
}

Json answer_of(const Response& response, const std::string& fingerprint, Creation creation) {
  Json answer{{"request", fingerprint}, {"status", response.status}};
  if (creation == Creation::secret) {
    answer["made"] = Json::parse(response.body).at("id");
    return answer;
  }
  answer["headers"] = response.headers;
  answer["body"] = response.body;
  return answer;
}

Response replay(const Json& answer, const std::string& fingerprint) {
  const std::string what = "request with this Idempotency-Key";
  if (answer.at("request") != Json(fingerprint)) {
    return error_response(Error{Errc::invalid_argument, what, "another request was made with it before",
                                "use a new key for each request that makes something"},
                          "key_reused");
  }
  if (answer.contains("made")) {
    return error_response(Error{Errc::already_exists, what,
                                "it has made " + in_quotes(answer.at("made").get<std::string>()) +
                                    ", whose secret only the first answer shows",
                                "revoke that one, and make another with a new Idempotency-Key"});
  }
  return Response{answer.at("status").get<int>(),
                  answer.at("headers").get<std::vector<std::pair<std::string, std::string>>>(),
                  answer.at("body").get<std::string>()};
}

bool is_success(const Response& response) { return response.status >= 200 && response.status < 300; }

}  // namespace

Result<Response> answer_once(const Call& call, Handler handler, Creation creation) {
  const auto field = call.request.header("idempotency-key");
  if (!field || call.service.state == nullptr) return handler(call);
  AKIN_TRY(const std::string key, idempotency_key_in(*field));
  const std::string name = name_of_answer(call.request, key);
  const std::string fingerprint = fingerprint_of(call.request);
  state::State& state = *call.service.state;
  AKIN_TRY(const auto lease, state.try_lease("answer " + name));
  if (lease == nullptr) {
    return error_response(Error{Errc::busy, "request with this Idempotency-Key",
                                "the first one is in progress", "repeat it later"},
                          "request_in_progress");
  }
  AKIN_TRY(const Json stored, stored_answer(state, name));
  if (!stored.is_null()) return replay(stored, fingerprint);
  AKIN_TRY(Response response, handler(call));
  if (is_success(response)) AKIN_CHECK(store_answer(state, name, answer_of(response, fingerprint, creation)));
  return response;
}

Result<void> forget_old_answers(state::State& state, Time lived) {
  constexpr std::size_t kAtOnce = 256;
  const std::string now = time_key(microseconds(lived - kAnswersKept), "");
  AKIN_TRY(const auto entries, state.list(state::Table::answers, kTimePrefix, "", kAtOnce));
  if (entries.empty() || entries.front().key >= now) return {};
  return state.write([&](state::Writer& writer) -> Result<void> {
    for (const state::Entry& entry : entries) {
      if (entry.key >= now) break;
      const std::string answer = std::string(kAnswerPrefix) + entry.key.substr(now.size());
      AKIN_TRY(const auto stored, writer.get(state::Table::answers, answer));
      // Another request may have used the key again after a day.
      if (stored && time_key(Json::parse(*stored).at("time").get<std::uint64_t>(), "") < now)
        AKIN_CHECK(writer.erase(state::Table::answers, answer));
      AKIN_CHECK(writer.erase(state::Table::answers, entry.key));
    }
    return {};
  });
}

}  // namespace akin::api
