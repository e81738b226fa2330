// Certificates: what a check found, over which state of the indexes and by whose decision, signed so that it
// can be proved years later. docs/checks.md describes the object.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "server/json/json.h"
#include "server/state/actor.h"
#include "server/state/state.h"

namespace akin::check {

/// The keys by which certificates are signed (Ed25519). One is in use; the former ones only verify: their
/// secrets are gone. Members may be called from any number of threads, of any number of servers.
class CertificateKeys {
 public:
  explicit CertificateKeys(std::shared_ptr<state::State> state) noexcept : state_(std::move(state)) {}

  /// Makes the first key, if there is none.
  [[nodiscard]] Result<void> ensure(Time now);
  /// Makes a new key in place of the one in use, and returns it as in the list.
  [[nodiscard]] Result<json::Json> rotate(const state::Actor& by, Time now);
  /// [{"id", "algorithm", "public", "created", "retired"}], the oldest first.
  [[nodiscard]] Result<std::vector<json::Json>> list() const;

  /// Adds "key" and "signature" to a certificate, which has neither. Makes the first key, if there is none.
  [[nodiscard]] Result<json::Json> sign(json::Json certificate, Time now);
  /// Errors: corrupt (a byte was changed), not_found (signed by a key that is not known here).
  [[nodiscard]] Result<void> verify(const json::Json& certificate) const;

 private:
  std::shared_ptr<state::State> state_;
};

/// What is certified of a check beside its object.
struct Certified {
  const json::Json& check;
  std::string text_sha256;
  std::vector<json::Json> history;  ///< of its decision
};

/// The certificate without its signature; the head of the audit log is that of now.
[[nodiscard]] Result<json::Json> make_certificate(const state::State& state, const Certified& certified,
                                                  Time now);

/// The digest of what a check found: of its object without what may change later.
[[nodiscard]] std::string outcome_sha256(const json::Json& check);

}  // namespace akin::check
