// Whether this akin can read a collection: it needs dictionaries that give the features that are stored.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "dict/dictionary.h"
#include "index/collection/dictionaries.h"
#include "index/store/store.h"
#include "morph/schemes/scheme.h"

namespace akin {

struct OutdatedCollections;

/// The fingerprints of the dictionaries that a collection keeps; nothing if it keeps none. Errors: those of
/// Dictionary::unpack, if what it keeps cannot be used.
using KeptFingerprints = Result<std::optional<DictionaryFingerprints>>;

/// `packed`: as kept, unchecked.
[[nodiscard]] KeptFingerprints fingerprints_of_kept(std::string_view packed);

/// Whether an error of opening a collection comes from what it contains, so that it stays until that changes.
[[nodiscard]] inline bool is_of_contents(const Error& error) noexcept {
  return error.code == Errc::mismatch || error.code == Errc::corrupt;
}

/// Whether dictionaries with these fingerprints give texts the features that a store has.
[[nodiscard]] bool fits(const StoreIdentity& built, const Scheme& scheme,
                        const DictionaryFingerprints& dictionaries);

/// The scheme that a collection was built with. Error: mismatch (this akin does not know it).
[[nodiscard]] Result<std::shared_ptr<const Scheme>> scheme_of(std::string_view name,
                                                              const StoreIdentity& built);

/// Why a collection cannot be read, and the remedy. Requires that neither the configured dictionaries nor
/// those that it keeps fit. Errors: mismatch; those of opening the configured dictionaries.
[[nodiscard]] Error unreadable(std::string_view name, const StoreIdentity& built, const Scheme& scheme,
                               Dictionaries& dictionaries, const KeptFingerprints& kept);

/// Refuses a collection that Collection::open would refuse, with its error, but without opening its store or
/// its dictionaries. `kept` is called if the configured dictionaries do not fit; its errors are passed on
/// unless they come from the contents.
[[nodiscard]] Result<void> check_readable(std::string_view name, const StoreIdentity& built,
                                          Dictionaries& dictionaries,
                                          const std::function<KeptFingerprints()>& kept);

/// Adds a collection that was built with other dictionaries, which `readable` (check_readable) says can be
/// read or not. Error: one of `readable` that does not come from the contents.
[[nodiscard]] Result<void> add_outdated(OutdatedCollections& found, const std::string& name,
                                        Result<void> readable);

}  // namespace akin
