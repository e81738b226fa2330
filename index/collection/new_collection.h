// What a new collection is built with.
#pragma once

#include <memory>
#include <string_view>

#include "dict/dictionary.h"
#include "index/collection/dictionaries.h"
#include "index/store/store.h"

namespace akin {

/// The arguments of Catalog::create.
struct WantedCollection {
  std::string_view name;
  std::string_view scheme;  ///< empty: the default
  bool store_text = true, store_file = true;
  std::string_view languages;  ///< empty: the configured ones
};

struct NewBuild {
  StoreIdentity identity;
  std::shared_ptr<const Dictionary> dictionary;
};

/// Errors: invalid_argument (the name); those of make_scheme, Dictionaries::of and features_fingerprint.
[[nodiscard]] Result<NewBuild> plan_collection(const WantedCollection& wanted, Dictionaries& dictionaries);

}  // namespace akin
