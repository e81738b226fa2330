#include "index/collection/dictionaries.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/waiting.h"
#include "morph/schemes/scheme.h"

namespace akin {

Result<std::shared_ptr<const Dictionary>> Dictionaries::configured() {
  const auto lock = lock_waiting(configured_mutex_);
  if (configured_ == nullptr) {
    AKIN_TRY(configured_, open_());
  }
  return configured_;
}

Result<bool> Dictionaries::refresh() {
  AKIN_TRY(std::shared_ptr<const Dictionary> now, open_());
  const std::lock_guard lock(configured_mutex_);
  const bool same =
      configured_ != nullptr && configured_->synonym_fingerprint() == now->synonym_fingerprint();
  // Open collections share the object that is in use, and with it the words that it has met.
  if (!same) configured_ = std::move(now);
  return !same;
}

Result<std::shared_ptr<const Dictionary>> Dictionaries::unpacked(std::string packed) {
  const std::string fingerprint(Dictionary::fingerprint_of_packed(packed));
  const auto lock = lock_waiting(unpacked_mutex_);
  std::erase_if(unpacked_, [](const auto& known) { return known.second.expired(); });
  if (const auto known = unpacked_.find(fingerprint); known != unpacked_.end()) {
    if (auto dictionary = known->second.lock()) return dictionary;
  }
  AKIN_TRY(std::shared_ptr<const Dictionary> dictionary, Dictionary::unpack(std::move(packed)));
  unpacked_.insert_or_assign(fingerprint, dictionary);
  return dictionary;
}

std::optional<std::string> fingerprint_with(const StoreIdentity& identity, const Dictionary& configured) {
  const auto scheme = make_scheme(identity.scheme);
  if (scheme.has_error()) return std::nullopt;
  auto fingerprint = features_fingerprint(**scheme, configured);
  return fingerprint.has_error() ? std::nullopt : std::optional(*std::move(fingerprint));
}

bool is_outdated(const StoreIdentity& identity, const Dictionary& configured) {
  return fingerprint_with(identity, configured) != identity.fingerprint;
}

bool same_languages(std::string_view one, std::string_view other) {
  const auto sorted = [](std::string_view list) {
    std::vector<std::string_view> languages = split(list, ',');
    for (std::string_view& language : languages) language = trimmed(language);
    std::erase(languages, std::string_view());
    std::ranges::sort(languages);
    return languages;
  };
  return sorted(one) == sorted(other);
}

}  // namespace akin
