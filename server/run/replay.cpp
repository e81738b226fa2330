#include "server/run/replay.h"

#include <string>
#include <utility>

#include "base/sha256.h"
#include "server/audit/audit_log.h"
#include "server/check/certificate.h"
#include "server/check/checks.h"
#include "server/json/strict_json.h"
#include "server/run/checking.h"

namespace akin::api {

namespace {

/// Collects what is not as it was.
class Changes {
 public:
  void compare(std::string what, const Json& then, const Json& now) {
    if (then != now) list_.push_back({{"what", std::move(what)}, {"then", then}, {"now", now}});
  }
  [[nodiscard]] Json take() { return std::move(list_); }

 private:
  Json list_ = Json::array();
};

Json source_of(const Json& source) {
  Json one;
  for (const char* field : {"collection", "id", "revision", "share", "letters"})
    one[field] = source.at(field);
  return one;
}

/// The entry of the log that was its head; null if it is gone.
Result<Json> logged_head(const state::State& state, const Json& audit) {
  const auto number = audit.at("entries").get<std::uint64_t>();
  if (number == 0) return Json("");
  AKIN_TRY(const auto lines, audit::lines(state, number - 1, 1));
  if (lines.empty()) return Json(nullptr);
  AKIN_TRY(const Json entry, json::parse_json(lines.front(), json::kAnyJsonValues));
  return entry.at("number") == number ? entry.at("hash") : Json(nullptr);
}

Json index_of(const Json& index, const std::string& collection) {
  for (const Json& one : index) {
    if (one.at("collection") == Json(collection)) return one;
  }
  return nullptr;
}

/// Computes the outcome again; whether its numbers are those certified.
Result<bool> recompute(Catalog& catalog, const Json& check, std::string text, const Json& certificate,
                       Changes& changes, Json& shown) {
  AKIN_TRY(check::CheckRequest request, request_of(check, std::move(text)));
  AKIN_TRY(const Json outcome, outcome_of(catalog, request));
  for (const Json& then : certificate.at("index")) {
    const std::string name = then.at("collection").get<std::string>();
    changes.compare("index " + name, then, index_of(outcome.at("index"), name));
  }
  changes.compare("dictionaries", certificate.at("fingerprint"), outcome.at("fingerprint"));
  changes.compare("version", certificate.at("version"), outcome.at("version"));
  bool same = true;
  for (const char* field : {"verdict", "share", "own_share", "letters", "sources_total"}) {
    changes.compare(field, certificate.at(field), outcome.at(field));
    same = same && certificate.at(field) == outcome.at(field);
    shown[field] = outcome.at(field);
  }
  Json sources = Json::array();
  for (const Json& source : outcome.at("sources")) sources.push_back(source_of(source));
  changes.compare("sources", certificate.at("sources"), sources);
  return same && certificate.at("sources") == sources;
}

Result<Json> replay_genuine(Catalog& catalog, const std::shared_ptr<state::State>& state,
                            const Json& certificate) {
  const check::Checks checks(state, 0);
  const auto& id = certificate.at("check").get_ref<const std::string&>();
  Changes changes;
  Json outcome = nullptr;
  bool same = false;
  const auto check = checks.get(id);
  if (check.has_error() && check.error().code != Errc::not_found) return check.error();
  if (check.has_error()) {
    changes.compare("check", certificate.at("outcome_sha256"), nullptr);
  } else {
    changes.compare("check", certificate.at("outcome_sha256"), check::outcome_sha256(*check));
    AKIN_TRY(std::string text, checks.text(id));
    changes.compare("text", certificate.at("text_sha256"), sha256_hex(text));
    const Json& original = check->at("original");
    changes.compare("file", certificate.at("file_sha256"),
                    original.is_null() ? Json(nullptr) : original.at("sha256"));
    AKIN_TRY(same, recompute(catalog, *check, std::move(text), certificate, changes, outcome));
    const Json& decision = check->at("decision");
    for (const char* field : {"state", "revision", "share"})
      changes.compare(std::string("decision ") + field, certificate.at("decision").at(field),
                      decision.at(field));
  }
  AKIN_TRY(const Json head, logged_head(*state, certificate.at("audit")));
  changes.compare("audit log", certificate.at("audit").at("head"), head);
  Json object;
  object["check"] = id;
  object["key"] = certificate.at("key");
  object["issued"] = certificate.at("issued");
  object["same"] = same;
  object["changes"] = changes.take();
  object["outcome"] = std::move(outcome);
  return object;
}

}  // namespace

Result<Json> replay(Catalog& catalog, const std::shared_ptr<state::State>& state, const Json& certificate) {
  AKIN_CHECK(check::CertificateKeys(state).verify(certificate));
  return replay_genuine(catalog, state, certificate);
}

}  // namespace akin::api
