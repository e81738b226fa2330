// Access keys: who may do what, in which collections, until when.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "server/access/attempts.h"
#include "server/state/actor.h"
#include "server/state/state.h"

namespace akin::access {

enum class Scope : std::uint8_t {
  read,    ///< view collections and documents, search, compare
  write,   ///< as read, and store and remove documents, also at a gate
  check,   ///< submission checks; of the collections only what their answers show
  submit,  ///< as check, and store documents at a gate, which decides about them
  review,  ///< as read and check, and see all checks and mark their findings
  decide,  ///< as review, and decide about checks
  admin,   ///< everything
};

/// "read", "write" …
[[nodiscard]] std::string_view scope_name(Scope scope) noexcept;
/// Error: invalid_argument lists the names.
[[nodiscard]] Result<Scope> parse_scope(std::string_view name);

/// The specification of a key. A limit of 0 means the server's default.
struct KeySpec {
  std::string label;                     ///< for people
  std::vector<Scope> scopes;             ///< at least one, unless it is a person's
  std::vector<std::string> collections;  ///< their names; none = all
  std::optional<Time> expires;
  double rate = 0;               ///< requests a second
  std::uint32_t concurrent = 0;  ///< requests at once
  std::string person = {};       ///< id of the person whose secret it is, whose roles decide about scopes and
                                 ///< collections; empty: no person's
};

struct KeyInfo {
  std::string id;  ///< 16 hex digits; not secret
  KeySpec spec;
  Time created;
  std::optional<Time> revoked;

  [[nodiscard]] bool allows(Scope scope) const noexcept;
  /// "person:" and the id of the person whose key it is, else its own id.
  [[nodiscard]] std::string holder() const;
  [[nodiscard]] bool allows_collection(std::string_view name) const noexcept;
};

/// The result of create(): the only time that the whole key is shown.
struct NewKey {
  KeyInfo info;
  std::string token;  ///< "akin_", the id, "_", 256 random bits in base64url
};

/// The id of the key whose secret is in a file, unless the secret has the form of a key itself.
inline constexpr std::string_view kFileKeyId = "0000000000000000";
/// A secret in a file has this many characters.
inline constexpr std::size_t kShortestSecret = 32, kLongestSecret = 512;
/// Whether Keys::adopt may take the secret. Error: invalid_argument (not so many visible ASCII characters).
[[nodiscard]] Result<void> check_admin_secret(std::string_view secret);

/// Keys in the server's state. Of a secret that create() made, whose 256 random bits nobody can guess, the
/// SHA-256 digest is stored; of any other only the scrypt hash (RFC 7914; N 2^14, r 8, p 1, salt of 128
/// random bits). Creating, revoking and removing a
/// key is recorded in the audit log, with who did it. Members may be called from any number of threads.
class Keys {
 public:
  explicit Keys(std::shared_ptr<state::State> state);

  /// Error: invalid_argument (no scope, a label over 200 bytes, an expiry in the past).
  [[nodiscard]] Result<NewKey> create(const KeySpec& spec, const state::Actor& by = {});
  /// Makes sure that `secret` is a valid key of scope admin for all collections: stores it as one unless it
  /// is. Another secret that was adopted before is replaced; a whole key is stored under its own id. Errors:
  /// invalid_argument (check_admin_secret); forbidden (the key exists, but is revoked, expired or limited, or
  /// its id belongs to a key with another secret).
  [[nodiscard]] Result<KeyInfo> adopt(std::string_view secret);
  /// All keys, in the order of their ids.
  [[nodiscard]] Result<std::vector<KeyInfo>> list() const;
  /// Error: not_found.
  [[nodiscard]] Result<KeyInfo> find(std::string_view id) const;
  /// Revokes a key: it is refused from now on, by running servers too. Error: not_found.
  [[nodiscard]] Result<KeyInfo> revoke(std::string_view id, const state::Actor& by = {});
  /// Removes a key. Error: not_found.
  [[nodiscard]] Result<void> erase(std::string_view id, const state::Actor& by = {});
  /// Whether any key exists, valid or not.
  [[nodiscard]] Result<bool> any() const;

  /// The key that a token belongs to. Its digest is compared at once. A key without one is hashed, which
  /// takes about 50 ms: that of a file, and one that an earlier akin made, which gets its digest so. A token
  /// that was valid before is recognized at once too (by a keyed hash in memory), but its record is still
  /// looked up, so that revoking takes effect immediately. Errors: unauthenticated; rate_limited when too
  /// many wrong tokens have been hashed for the key, of all clients or of the one at `address` (see
  /// Attempts).
  [[nodiscard]] Result<KeyInfo> authenticate(std::string_view token, std::string_view address = {});
  /// The key with this id, as authenticate returns it. Errors: unauthenticated (also if it was removed).
  [[nodiscard]] Result<KeyInfo> valid(std::string_view id) const;
  /// Whether authenticate needs no hashing; of keys in a database, which take a round trip, unless they are
  /// from a file, it is assumed.
  [[nodiscard]] bool knows(std::string_view token) const;

 private:
  struct Claim {
    std::string_view id, token, address;
  };
  struct Secret {
    std::string salt, hash, digest;  ///< the digest may be missing
  };
  [[nodiscard]] Result<void> check_secret(const Claim& claim, const Secret& stored);
  void remember(const Claim& claim, const Secret& stored);

  const std::shared_ptr<state::State> state_;
  const std::string process_secret_;  ///< for the hashes in `known_`
  Attempts attempts_;
  mutable std::mutex mutex_;  // guards the following members
  struct Known {
    std::string token_hash;   ///< keyed with process_secret_
    std::string stored_hash;  ///< the stored hash that it matched: the record of an id may be replaced
  };
  std::unordered_map<std::string, Known> known_;  ///< valid tokens, by id
};

}  // namespace akin::access
