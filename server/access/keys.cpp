#include "server/access/keys.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "base/hex.h"
#include "base/sha256.h"
#include "server/access/persons.h"
#include "server/access/secrets.h"
#include "server/audit/audit_log.h"
#include "server/json/strict_json.h"

namespace akin::access {

namespace {

using json::Json;
using json::read_time;
using json::time_or_null;
using state::Table;

constexpr std::string_view kPrefix = "akin_";
constexpr std::size_t kIdDigits = 16;
constexpr std::size_t kSecretBytes = 32;
constexpr std::size_t kSaltBytes = 16;
constexpr std::size_t kMaxLabel = 200;

constexpr std::array<std::pair<Scope, std::string_view>, 7> kScopes = {{{Scope::read, "read"},
                                                                        {Scope::write, "write"},
                                                                        {Scope::check, "check"},
                                                                        {Scope::submit, "submit"},
                                                                        {Scope::review, "review"},
                                                                        {Scope::decide, "decide"},
                                                                        {Scope::admin, "admin"}}};

Error unknown_key(std::string_view id) {
  return Error{Errc::not_found, "access key '" + std::string(id) + "'", "no key has this id",
               "akin key list prints the keys"};
}

Error not_valid(std::string reason) {
  return Error{Errc::unauthenticated, "access key", std::move(reason),
               "send 'Authorization: Bearer KEY' with a key that akin key create has made"};
}

/// Without random bytes no key can be verified, so this throws, which aborts the start of the program.
std::string new_process_secret() {
  Result<std::string> bytes = random_bytes(kSecretBytes);
  if (bytes.has_error()) throw std::runtime_error(bytes.error().message());
  return *std::move(bytes);
}

struct Record {
  KeyInfo info;
  std::string salt, hash, digest;
};

std::string write_record(const Record& record) {
  Json scopes = Json::array();
  for (const Scope scope : record.info.spec.scopes) scopes.push_back(scope_name(scope));
  Json object;
  object["label"] = record.info.spec.label;
  object["scopes"] = std::move(scopes);
  object["collections"] = record.info.spec.collections;
  object["created"] = format_time(record.info.created);
  object["expires"] = time_or_null(record.info.spec.expires);
  object["revoked"] = time_or_null(record.info.revoked);
  object["rate"] = record.info.spec.rate;
  object["concurrent"] = record.info.spec.concurrent;
  object["salt"] = hex_of(record.salt);
  object["scrypt"] = hex_of(record.hash);
  if (!record.info.spec.person.empty()) object["person"] = record.info.spec.person;
  if (!record.digest.empty()) object["sha256"] = hex_of(record.digest);
  return object.dump();
}

Result<Record> read_record(std::string_view id, std::string_view text) {
  try {
    const Json object = Json::parse(text);
    Record record;
    KeySpec& spec = record.info.spec;
    record.info.id = id;
    spec.label = object.at("label").get<std::string>();
    for (const Json& name : object.at("scopes")) {
      AKIN_TRY(const Scope scope, parse_scope(name.get_ref<const std::string&>()));
      spec.scopes.push_back(scope);
    }
    spec.collections = object.at("collections").get<std::vector<std::string>>();
    record.info.created = read_time(object.at("created")).value_or(Time());
    spec.expires = read_time(object.at("expires"));
    record.info.revoked = read_time(object.at("revoked"));
    spec.rate = object.at("rate").get<double>();
    spec.concurrent = object.at("concurrent").get<std::uint32_t>();
    spec.person = object.value("person", "");
    record.salt = bytes_of_hex(object.at("salt").get_ref<const std::string&>()).value_or("");
    record.hash = bytes_of_hex(object.at("scrypt").get_ref<const std::string&>()).value_or("");
    record.digest = bytes_of_hex(object.value("sha256", "")).value_or("");
    return record;
  } catch (const Json::exception&) {
    return Error{Errc::corrupt, "access key '" + std::string(id) + "'", "its record cannot be read",
                 "remove it with akin key delete, and make another"};
  }
}

/// Splits "akin_ID_SECRET"; both parts are empty for a token of another form.
std::pair<std::string_view, std::string_view> split(std::string_view token) {
  if (!token.starts_with(kPrefix)) return {};
  token.remove_prefix(kPrefix.size());
  if (token.size() <= kIdDigits || token[kIdDigits] != '_') return {};
  return {token.substr(0, kIdDigits), token.substr(kIdDigits + 1)};
}

/// The id of the key that a token claims to be; empty for a token that cannot be one.
std::string_view id_of(std::string_view token) {
  if (token.starts_with(kPrefix)) return split(token).second.empty() ? "" : split(token).first;
  return token.size() >= kShortestSecret && token.size() <= kLongestSecret ? kFileKeyId : "";
}

Error not_adopted(std::string_view id, std::string reason) {
  return Error{Errc::forbidden, "access key '" + std::string(id) + "' of the admin key file",
               std::move(reason), "put another secret into the file, or remove the key with akin key delete"};
}

/// Whether the secret is one that Keys::create made: nobody can guess it.
bool is_random(std::string_view token) {
  return split(token).second.size() == base64url(std::string(kSecretBytes, '\0')).size();
}

std::string digest_of(std::string_view token) {
  const Sha256 digest = sha256(token);
  return {digest.begin(), digest.end()};
}

/// The record of a new secret.
Result<Record> make_record(std::string id, const KeySpec& spec, std::string_view token) {
  Record record;
  record.info = {.id = std::move(id), .spec = spec, .created = time_now(), .revoked = {}};
  AKIN_TRY(record.salt, random_bytes(kSaltBytes));
  AKIN_TRY(record.hash, scrypt(token, record.salt));
  if (is_random(token)) record.digest = digest_of(token);
  return record;
}

Result<void> store_new(state::State& state, const Record& record, const state::Actor& by) {
  const KeySpec& spec = record.info.spec;
  const audit::Event event{
      by, "key.created", record.info.id, {{"label", spec.label}, {"person", spec.person}}};
  return state.write([&](state::Writer& writer) -> Result<void> {
    AKIN_CHECK(writer.put(Table::keys, record.info.id, write_record(record)));
    return audit::append(writer, event);
  });
}

/// Whether the key still is one for everything.
Result<KeyInfo> as_admin(const KeyInfo& key) {
  if (key.revoked) return not_adopted(key.id, "it has been revoked");
  if (key.spec.expires && *key.spec.expires <= time_now()) return not_adopted(key.id, "it has expired");
  if (!key.allows(Scope::admin) || !key.spec.collections.empty())
    return not_adopted(key.id, "it is not an admin key for all collections");
  return key;
}

/// The key with what its person's roles allow, unless it was revoked or has expired.
Result<KeyInfo> in_force(const state::State& state, KeyInfo key) {
  if (key.revoked) return not_valid("it has been revoked");
  if (key.spec.expires && *key.spec.expires <= time_now()) return not_valid("it has expired");
  AKIN_CHECK(Persons::empower(state, key));
  return key;
}

}  // namespace

std::string_view scope_name(Scope scope) noexcept {
  return std::ranges::find(kScopes, scope, &std::pair<Scope, std::string_view>::first)->second;
}

Result<Scope> parse_scope(std::string_view name) {
  const auto* found = std::ranges::find(kScopes, name, &std::pair<Scope, std::string_view>::second);
  if (found != kScopes.end()) return found->first;
  return Error{Errc::invalid_argument, "scope '" + std::string(name) + "'", "is not known",
               "give one of read, write, check, submit, review, decide, admin"};
}

bool KeyInfo::allows(Scope scope) const noexcept {
  return std::ranges::any_of(spec.scopes, [scope](Scope own) {
    return own == scope || own == Scope::admin ||
           (own == Scope::write && (scope == Scope::read || scope == Scope::submit)) ||
           (own == Scope::submit && scope == Scope::check) ||
           ((own == Scope::review || own == Scope::decide) &&
            (scope == Scope::read || scope == Scope::check)) ||
           (own == Scope::decide && scope == Scope::review);
  });
}

std::string KeyInfo::holder() const { return spec.person.empty() ? id : "person:" + spec.person; }

bool KeyInfo::allows_collection(std::string_view name) const noexcept {
  return spec.collections.empty() || std::ranges::find(spec.collections, name) != spec.collections.end();
}

Keys::Keys(std::shared_ptr<state::State> state)
    : state_(std::move(state)), process_secret_(new_process_secret()) {}

Result<NewKey> Keys::create(const KeySpec& spec, const state::Actor& by) {
  if (spec.scopes.empty() && spec.person.empty()) {
    return Error{Errc::invalid_argument, "access key", "it has no scope",
                 "give at least one of read, write, check, submit, review, decide, admin"};
  }
  if (spec.label.size() > kMaxLabel) {
    return Error{Errc::invalid_argument, "label", "it is longer than " + std::to_string(kMaxLabel) + " bytes",
                 "shorten it"};
  }
  const Time now = time_now();
  if (spec.expires && *spec.expires <= now) {
    return Error{Errc::invalid_argument, "expiry", "it is in the past", "give a time in the future"};
  }
  AKIN_TRY(const std::string id_bytes, random_bytes(kIdDigits / 2));
  AKIN_TRY(const std::string secret_bytes, random_bytes(kSecretBytes));
  const std::string id = hex_of(id_bytes);
  const std::string token = std::string(kPrefix) + id + "_" + base64url(secret_bytes);
  AKIN_TRY(const Record record, make_record(id, spec, token));
  AKIN_CHECK(store_new(*state_, record, by));
  return NewKey{record.info, token};
}

Result<void> check_admin_secret(std::string_view secret) {
  const bool visible = std::ranges::all_of(secret, [](char c) { return c > ' ' && c < 0x7f; });
  if (!visible || id_of(secret).empty()) {
    return Error{Errc::invalid_argument, "admin key file",
                 "it does not contain one line of " + std::to_string(kShortestSecret) + " to " +
                     std::to_string(kLongestSecret) + " visible ASCII characters",
                 "write a random secret into it, for instance with: openssl rand -hex 32"};
  }
  return {};
}

Result<KeyInfo> Keys::adopt(std::string_view secret) {
  AKIN_CHECK(check_admin_secret(secret));
  const std::string_view id = id_of(secret);
  AKIN_TRY(const auto text, state_->get(Table::keys, id));
  if (text) {
    AKIN_TRY(const Record stored, read_record(id, *text));
    AKIN_TRY(const std::string presented, scrypt(secret, stored.salt));
    if (equal_secrets(presented, stored.hash)) {
      remember({.id = id, .token = secret, .address = {}}, {stored.salt, stored.hash, stored.digest});
      return as_admin(stored.info);
    }
    if (id != kFileKeyId) return not_adopted(id, "its id belongs to a key with another secret");
  }
  const KeySpec spec{.label = "admin key file", .scopes = {Scope::admin}, .collections = {}, .expires = {}};
  AKIN_TRY(const Record record, make_record(std::string(id), spec, secret));
  AKIN_CHECK(store_new(*state_, record, {}));
  remember({.id = id, .token = secret, .address = {}}, {record.salt, record.hash, record.digest});
  return record.info;
}

Result<KeyInfo> Keys::find(std::string_view id) const {
  AKIN_TRY(const auto text, state_->get(Table::keys, id));
  if (!text) return unknown_key(id);
  AKIN_TRY(Record record, read_record(id, *text));
  return std::move(record.info);
}

Result<std::vector<KeyInfo>> Keys::list() const {
  constexpr std::size_t kPage = 1000;
  std::vector<KeyInfo> keys;
  for (std::string after;;) {
    AKIN_TRY(const auto entries, state_->list(Table::keys, "", after, kPage));
    for (const state::Entry& entry : entries) {
      AKIN_TRY(Record record, read_record(entry.key, entry.value));
      keys.push_back(std::move(record.info));
    }
    if (entries.size() < kPage) return keys;
    after = entries.back().key;
  }
}

Result<KeyInfo> Keys::revoke(std::string_view id, const state::Actor& by) {
  KeyInfo info;
  AKIN_CHECK(state_->write([&](state::Writer& writer) -> Result<void> {
    AKIN_TRY(const auto text, writer.get(Table::keys, id));
    if (!text) return unknown_key(id);
    AKIN_TRY(Record record, read_record(id, *text));
    if (!record.info.revoked) record.info.revoked = time_now();
    info = record.info;
    if (Result<void> noted = audit::append(writer, {by, "key.revoked", std::string(id)}); noted.has_error())
      return noted;
    return writer.put(Table::keys, id, write_record(record));
  }));
  return info;
}

Result<void> Keys::erase(std::string_view id, const state::Actor& by) {
  return state_->write([&](state::Writer& writer) -> Result<void> {
    AKIN_TRY(const bool erased, writer.erase(Table::keys, id));
    if (!erased) return unknown_key(id);
    return audit::append(writer, {by, "key.deleted", std::string(id)});
  });
}

Result<bool> Keys::any() const {
  AKIN_TRY(const std::uint64_t count, state_->count(Table::keys));
  return count > 0;
}

bool Keys::knows(std::string_view token) const {
  const std::string_view id = id_of(token);
  if (id.empty()) return true;  // refused without hashing
  const std::string quick = hmac_sha256(process_secret_, token);
  {
    const std::lock_guard lock(mutex_);
    const auto known = known_.find(std::string(id));
    if (known != known_.end() && equal_secrets(known->second.token_hash, quick)) return true;
  }
  if (state_->is_shared()) return id != kFileKeyId;
  const auto text = state_->get(Table::keys, id);
  if (text.has_error() || !*text) return true;
  const auto record = read_record(id, **text);
  return record.has_error() || !record->digest.empty();
}

Result<KeyInfo> Keys::authenticate(std::string_view token, std::string_view address) {
  const std::string_view id = id_of(token);
  if (id.empty()) return not_valid("it does not have the form of a key");
  AKIN_TRY(const auto text, state_->get(Table::keys, id));
  if (!text) return not_valid("it is not known");
  AKIN_TRY(Record record, read_record(id, *text));
  AKIN_CHECK(check_secret({.id = id, .token = token, .address = address},
                          {record.salt, record.hash, record.digest}));
  return in_force(*state_, std::move(record.info));
}

Result<KeyInfo> Keys::valid(std::string_view id) const {
  auto key = find(id);
  if (key.has_error() && key.error().code == Errc::not_found) return not_valid("it has been removed");
  if (key.has_error()) return key;
  return in_force(*state_, *std::move(key));
}

Result<void> Keys::check_secret(const Claim& claim, const Secret& stored) {
  if (!stored.digest.empty()) {
    if (equal_secrets(digest_of(claim.token), stored.digest)) return {};
    return not_valid("it is not known");
  }
  const std::string quick = hmac_sha256(process_secret_, claim.token);
  {
    const std::lock_guard lock(mutex_);
    const auto known = known_.find(std::string(claim.id));
    if (known != known_.end() && equal_secrets(known->second.token_hash, quick) &&
        equal_secrets(known->second.stored_hash, stored.hash)) {
      return {};
    }
  }
  if (!attempts_.begin(claim.id, claim.address, Attempts::Clock::now())) {
    return Error{Errc::rate_limited, "access key", "too many wrong secrets have been tried for it",
                 "try again later"};
  }
  AKIN_TRY(const std::string presented, scrypt(claim.token, stored.salt));
  if (!equal_secrets(presented, stored.hash)) return not_valid("it is not known");
  attempts_.succeeded(claim.id, claim.address);
  remember(claim, stored);
  return {};
}

void Keys::remember(const Claim& claim, const Secret& stored) {
  {
    const std::lock_guard lock(mutex_);
    known_.insert_or_assign(std::string(claim.id),
                            Known{hmac_sha256(process_secret_, claim.token), stored.hash});
  }
  if (!stored.digest.empty() || !is_random(claim.token)) return;
  // A digest that cannot be written is made when the key is used next.
  static_cast<void>(state_->write([&](state::Writer& writer) -> Result<void> {
    AKIN_TRY(const auto text, writer.get(Table::keys, claim.id));
    if (!text) return {};
    AKIN_TRY(Record record, read_record(claim.id, *text));
    if (!equal_secrets(record.hash, stored.hash)) return {};
    record.digest = digest_of(claim.token);
    return writer.put(Table::keys, claim.id, write_record(record));
  }));
}

}  // namespace akin::access
