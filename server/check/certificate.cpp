#include "server/check/certificate.h"

#include <algorithm>
#include <utility>

#include "base/ed25519.h"
#include "base/hex.h"
#include "base/sha256.h"
#include "server/audit/audit_log.h"
#include "server/json/quoted.h"
#include "server/json/strict_json.h"

namespace akin::check {

namespace {

using json::Json;
using state::Table;

constexpr std::size_t kKeyIdDigits = 16;
constexpr const char* kFormat = "akin-certificate-1";

Error forged(std::string reason) {
  return Error{Errc::corrupt, "certificate", std::move(reason), "ask for the original file"};
}

struct NewKey {
  std::string id;
  Json record;
};

Result<NewKey> make_key(Time now) {
  AKIN_TRY(const Ed25519Keys keys, make_ed25519_keys());
  NewKey made{sha256_hex(keys.open).substr(0, kKeyIdDigits), {}};
  made.record["public"] = hex_of(std::string_view(keys.open));
  made.record["secret"] = hex_of(std::string_view(keys.secret));
  made.record["created"] = format_time(now);
  made.record["retired"] = nullptr;
  return made;
}

Json listed(std::string_view id, const Json& record) {
  return {{"id", id},
          {"algorithm", "Ed25519"},
          {"public", record.at("public")},
          {"created", record.at("created")},
          {"retired", record.at("retired")}};
}

struct StoredKey {
  std::string id;
  Json record;
};

Result<std::vector<StoredKey>> stored_keys(const state::State& state) {
  constexpr std::size_t kMost = 10'000;
  AKIN_TRY(const auto entries, state.list(Table::certificate_keys, "", "", kMost));
  std::vector<StoredKey> keys;
  for (const state::Entry& entry : entries) {
    AKIN_TRY(Json record, json::parse_json(entry.value, json::kAnyJsonValues));
    keys.push_back({entry.key, std::move(record)});
  }
  std::ranges::stable_sort(keys, {},
                           [](const StoredKey& key) { return key.record.at("created").get<std::string>(); });
  return keys;
}

/// Sources with what identifies them and what they share.
Json certified_sources(const Json& check) {
  Json sources = Json::array();
  for (const Json& source : check.at("sources")) {
    Json one;
    for (const char* field : {"collection", "id", "revision", "share", "letters"})
      one[field] = source.at(field);
    sources.push_back(std::move(one));
  }
  return sources;
}

Json certified_history(const std::vector<Json>& history) {
  Json entries = Json::array();
  for (const Json& entry : history)
    entries.push_back({{"number", entry.at("number")},
                       {"time", entry.at("time")},
                       {"action", entry.at("action")},
                       {"sha256", sha256_hex(entry.dump())}});
  return entries;
}

/// With digests in place of the templates' texts.
Json certified_policy(Json policy) {
  for (Json& entry : policy.at("exclude").at("templates")) {
    if (entry.contains("text"))
      entry = {{"text_sha256", sha256_hex(entry.at("text").get_ref<const std::string&>())}};
  }
  return policy;
}

Result<Json> audit_head(const state::State& state) {
  AKIN_TRY(const auto newest, audit::newest_lines(state, 0, 1));
  if (newest.empty()) return Json{{"entries", 0}, {"head", ""}};
  AKIN_TRY(const Json entry, json::parse_json(newest.front(), json::kAnyJsonValues));
  return Json{{"entries", entry.at("number")}, {"head", entry.at("hash")}};
}

}  // namespace

Result<void> CertificateKeys::ensure(Time now) {
  AKIN_TRY(const auto keys, stored_keys(*state_));
  if (!keys.empty()) return {};
  AKIN_TRY(const NewKey made, make_key(now));
  return state_->write([&](state::Writer& writer) -> Result<void> {
    AKIN_TRY(const bool has_one, writer.has_any(Table::certificate_keys, ""));
    return has_one ? Result<void>() : writer.put(Table::certificate_keys, made.id, made.record.dump());
  });
}

Result<Json> CertificateKeys::rotate(const state::Actor& by, Time now) {
  AKIN_TRY(const auto keys, stored_keys(*state_));
  AKIN_TRY(const NewKey made, make_key(now));
  const auto written = state_->write([&](state::Writer& writer) -> Result<void> {
    for (const auto& [id, record] : keys) {
      if (!record.at("retired").is_null()) continue;
      Json retired = record;
      retired.erase("secret");
      retired["retired"] = format_time(now);
      AKIN_CHECK(writer.put(Table::certificate_keys, id, retired.dump()));
    }
    AKIN_CHECK(writer.put(Table::certificate_keys, made.id, made.record.dump()));
    return audit::append(writer, {.by = by, .action = "certificate_key.created", .about = made.id});
  });
  AKIN_CHECK(written);
  return listed(made.id, made.record);
}

Result<std::vector<Json>> CertificateKeys::list() const {
  AKIN_TRY(const auto keys, stored_keys(*state_));
  std::vector<Json> list;
  for (const auto& [id, record] : keys) list.push_back(listed(id, record));
  return list;
}

Result<Json> CertificateKeys::sign(Json certificate, Time now) {
  AKIN_CHECK(ensure(now));
  AKIN_TRY(const auto keys, stored_keys(*state_));
  const auto in_use = std::ranges::find_if(
      keys.rbegin(), keys.rend(), [](const StoredKey& key) { return key.record.contains("secret"); });
  const auto secret =
      in_use == keys.rend() ? std::nullopt : bytes_of_hex(in_use->record.at("secret").get<std::string>());
  if (!secret) {
    return Error{Errc::corrupt, "certificate keys", "none can sign",
                 "make one with POST /v1/certificate-keys"};
  }
  certificate["key"] = in_use->id;
  AKIN_TRY(const std::string signature, sign_ed25519(*secret, certificate.dump()));
  certificate["signature"] = hex_of(std::string_view(signature));
  return certificate;
}

Result<void> CertificateKeys::verify(const Json& certificate) const {
  if (!certificate.is_object() || certificate.value("format", "") != kFormat)
    return forged("it is not one of akin");
  const auto key = certificate.find("key"), signature = certificate.find("signature");
  if (key == certificate.end() || !key->is_string() || signature == certificate.end() ||
      !signature->is_string())
    return forged("it has no signature");
  const auto& id = key->get_ref<const std::string&>();
  if (state::check_key(id).has_error()) return forged("its key has no id");
  AKIN_TRY(const auto stored, state_->get(Table::certificate_keys, id));
  if (!stored) {
    return Error{Errc::not_found, "certificate key " + json::in_quotes(id), "is not known here",
                 "replay the certificate where it was issued, or at a copy"};
  }
  AKIN_TRY(const Json record, json::parse_json(*stored, json::kAnyJsonValues));
  Json unsigned_part = certificate;
  unsigned_part.erase("signature");
  const auto open = bytes_of_hex(record.at("public").get<std::string>());
  const auto bytes = bytes_of_hex(signature->get<std::string>());
  if (open && bytes && is_signed_ed25519(*open, unsigned_part.dump(), *bytes)) return {};
  return forged("its signature does not fit: it was changed after it was issued");
}

std::string outcome_sha256(const Json& check) {
  Json found = check;
  for (const char* field : {"expires", "original", "admitted", "decision", "later"}) found.erase(field);
  return sha256_hex(found.dump());
}

Result<Json> make_certificate(const state::State& state, const Certified& certified, Time now) {
  const Json& check = certified.check;
  const Json& original = check.at("original");
  Json certificate;
  certificate["format"] = kFormat;
  certificate["issued"] = format_time(now);
  certificate["check"] = check.at("id");
  certificate["created"] = check.at("created");
  certificate["text_sha256"] = certified.text_sha256;
  certificate["file_sha256"] = original.is_null() ? Json(nullptr) : original.at("sha256");
  certificate["outcome_sha256"] = outcome_sha256(check);
  for (const char* field : {"verdict", "reasons", "share", "own_share", "letters", "sources_total",
                            "collections", "index", "policy", "fingerprint", "version"})
    certificate[field] = check.at(field);
  certificate["policy"] = certified_policy(std::move(certificate["policy"]));
  certificate["sources"] = certified_sources(check);
  const Json& decision = check.at("decision");
  for (const char* field : {"state", "revision", "share", "letters", "by", "time"})
    certificate["decision"][field] = decision.at(field);
  certificate["decision"]["history"] = certified_history(certified.history);
  AKIN_TRY(certificate["audit"], audit_head(state));
  return certificate;
}

}  // namespace akin::check
