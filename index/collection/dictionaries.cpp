#include "index/collection/dictionaries.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/waiting.h"
#include "morph/schemes/scheme.h"

namespace akin {

Result<std::shared_ptr<const Dictionary>> Dictionaries::of(const std::string& languages) {
  auto lock = lock_waiting(opened_mutex_);
  while (opening_.contains(languages)) {
    const Waiting waiting;
    opened_more_.wait(lock);
  }
  if (const auto known = opened_.find(languages); known != opened_.end()) return known->second;
  opening_.insert(languages);
  // Runs however this ends, before `lock` is released.
  const std::shared_ptr<void> done(nullptr, [&](std::nullptr_t) {
    if (!lock.owns_lock()) lock.lock();
    opening_.erase(languages);
    opened_more_.notify_all();
  });
  lock.unlock();
  AKIN_TRY(auto dictionary, open_(languages));
  lock.lock();
  return opened_.emplace(languages, std::move(dictionary)).first->second;
}

Result<bool> Dictionaries::refresh() {
  std::map<std::string, std::shared_ptr<const Dictionary>> before;
  {
    const auto lock = lock_waiting(opened_mutex_);
    before = opened_;
  }
  before.try_emplace(languages_);
  Result<bool> changed = false;
  for (const auto& [languages, known] : before) {
    auto now = open_(languages);
    if (now.has_error() && languages == languages_) changed = now.error();
    // Open collections share the object that is in use, and with it the words that it has met.
    if (now.has_error() ||
        (known != nullptr && known->synonym_fingerprint() == (*now)->synonym_fingerprint()))
      continue;
    const auto lock = lock_waiting(opened_mutex_);
    opened_.insert_or_assign(languages, *std::move(now));
    ++version_;
    if (changed.has_value()) changed = true;
  }
  return changed;
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

std::optional<std::string> fingerprint_with(const StoreIdentity& identity, Dictionaries& dictionaries) {
  const auto scheme = make_scheme(identity.scheme);
  const auto dictionary = dictionaries.for_store(identity);
  if (scheme.has_error() || dictionary.has_error()) return std::nullopt;
  auto fingerprint = features_fingerprint(**scheme, **dictionary);
  return fingerprint.has_error() ? std::nullopt : std::optional(*std::move(fingerprint));
}

bool is_outdated(const StoreIdentity& identity, Dictionaries& dictionaries) {
  return fingerprint_with(identity, dictionaries) != identity.fingerprint;
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
