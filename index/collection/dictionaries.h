// The dictionaries of a catalog: those that are configured, and those that collections were built with.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "dict/dictionary.h"
#include "index/store/store.h"

namespace akin {

/// New collections use the configured languages unless they name others, and reindexes those of their
/// collection. A collection keeps the contents of the dictionaries that it was built with
/// (Dictionary::packed), and is read and written with them whatever is installed later. Members may be called
/// from any number of threads.
class Dictionaries {
 public:
  /// `languages`: "ru,en".
  using Open = std::function<Result<std::shared_ptr<const Dictionary>>(const std::string& languages)>;
  /// Which languages a reindex takes.
  enum class Rebuild { own, configured };

  /// `open` is called when dictionaries are first needed, and by `refresh`. `languages`: the configured ones.
  Dictionaries(Open open, std::string languages, Rebuild rebuild = Rebuild::own)
      : open_(std::move(open)), languages_(std::move(languages)), rebuild_(rebuild) {}
  /// These for everything, whatever happens to their files.
  Dictionaries(const std::shared_ptr<const Dictionary>& dictionary, std::string languages)
      : Dictionaries(
            [dictionary](const std::string&) {
              return Result<std::shared_ptr<const Dictionary>>(dictionary);
            },
            std::move(languages), Rebuild::configured) {}

  /// Those of these languages. Waits while another thread opens the same ones, not for others. Errors: those
  /// of opening them, at every call until they can be opened.
  [[nodiscard]] Result<std::shared_ptr<const Dictionary>> of(const std::string& languages);
  [[nodiscard]] Result<std::shared_ptr<const Dictionary>> configured() { return of(languages_); }
  /// Those that a reindex takes for a store.
  [[nodiscard]] Result<std::shared_ptr<const Dictionary>> for_store(const StoreIdentity& identity) {
    return of(languages_for(identity));
  }
  /// Opens the configured dictionaries, and others in use, again; whether any have changed. After an error
  /// those opened before stay; the error is that of the configured ones.
  [[nodiscard]] Result<bool> refresh();
  /// How often `refresh` has found changed ones.
  [[nodiscard]] std::uint64_t version() const noexcept { return version_; }
  [[nodiscard]] const std::string& languages() const noexcept { return languages_; }
  [[nodiscard]] const std::string& languages_for(const StoreIdentity& identity) const noexcept {
    return rebuild_ == Rebuild::own ? identity.languages : languages_;
  }

  /// The dictionaries of a pack; equal packs that are in use at the same time share one object. Errors: those
  /// of Dictionary::unpack.
  [[nodiscard]] Result<std::shared_ptr<const Dictionary>> unpacked(std::string packed);

 private:
  const Open open_;
  const std::string languages_;
  const Rebuild rebuild_;
  std::mutex opened_mutex_;
  std::condition_variable opened_more_;  ///< `opening_` has fewer
  // Guarded by opened_mutex_.
  std::map<std::string, std::shared_ptr<const Dictionary>> opened_;  ///< by languages
  std::set<std::string> opening_;                                    ///< languages

  std::atomic<std::uint64_t> version_ = 0;
  std::mutex unpacked_mutex_;
  /// By their fingerprints; guarded by unpacked_mutex_.
  std::map<std::string, std::weak_ptr<const Dictionary>, std::less<>> unpacked_;
};

/// The fingerprint that a reindex would give the store (features_fingerprint); nothing if it could not be
/// rebuilt.
[[nodiscard]] std::optional<std::string> fingerprint_with(const StoreIdentity& identity,
                                                          Dictionaries& dictionaries);

/// Whether a reindex would use other dictionaries (or synonyms) than those that the store was built with.
[[nodiscard]] bool is_outdated(const StoreIdentity& identity, Dictionaries& dictionaries);

/// Whether two lists ("ru,en") name the same languages, in any order; blanks around a name do not count, nor
/// do empty names.
[[nodiscard]] bool same_languages(std::string_view one, std::string_view other);

}  // namespace akin
