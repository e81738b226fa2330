// The dictionaries of a catalog: those that are configured, and those that collections were built with.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "dict/dictionary.h"
#include "index/store/store.h"

namespace akin {

/// New collections and reindexes use the configured dictionaries. A collection keeps the contents of those
/// that it was built with (Dictionary::packed), and is read and written with them whatever is configured
/// later. Members may be called from any number of threads.
class Dictionaries {
 public:
  using Open = std::function<Result<std::shared_ptr<const Dictionary>>()>;

  /// `open` is called when the configured dictionaries are first needed, and by `refresh`. `languages` names
  /// them, for error messages: "ru,en".
  Dictionaries(Open open, std::string languages) : open_(std::move(open)), languages_(std::move(languages)) {}
  /// These, whatever happens to their files.
  Dictionaries(std::shared_ptr<const Dictionary> dictionary, std::string languages)
      : Dictionaries([dictionary = std::move(
                          dictionary)] { return Result<std::shared_ptr<const Dictionary>>(dictionary); },
                     std::move(languages)) {}

  /// Errors: those of opening them, at every call until they can be opened.
  [[nodiscard]] Result<std::shared_ptr<const Dictionary>> configured();
  /// Opens the configured dictionaries again; whether they have changed. After an error those opened before
  /// stay.
  [[nodiscard]] Result<bool> refresh();
  [[nodiscard]] const std::string& languages() const noexcept { return languages_; }

  /// The dictionaries of a pack; equal packs that are in use at the same time share one object. Errors: those
  /// of Dictionary::unpack.
  [[nodiscard]] Result<std::shared_ptr<const Dictionary>> unpacked(std::string packed);

 private:
  const Open open_;
  const std::string languages_;
  std::mutex configured_mutex_;
  std::shared_ptr<const Dictionary> configured_;  ///< guarded by configured_mutex_
  std::mutex unpacked_mutex_;
  /// By their fingerprints; guarded by unpacked_mutex_.
  std::map<std::string, std::weak_ptr<const Dictionary>, std::less<>> unpacked_;
};

/// The fingerprint that the store would have if it were built with these dictionaries (features_fingerprint);
/// nothing if it could not be.
[[nodiscard]] std::optional<std::string> fingerprint_with(const StoreIdentity& identity,
                                                          const Dictionary& configured);

/// Whether a store was built with other dictionaries (or synonyms) than these, which a reindex would use.
[[nodiscard]] bool is_outdated(const StoreIdentity& identity, const Dictionary& configured);

/// Whether two lists ("ru,en") name the same languages, in any order; blanks around a name do not count, nor
/// do empty names.
[[nodiscard]] bool same_languages(std::string_view one, std::string_view other);

}  // namespace akin
