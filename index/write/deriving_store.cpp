#include "index/write/deriving_store.h"

#include <utility>

#include "index/write/prepared_document.h"

namespace akin {

Result<PreparedDocument> DerivingStore::prepare(NewDocument document) const {
  const StoredForm form{form_.hashes, form_.derives && derive() != nullptr,
                        keeps_words() ? &derivation_.get()->words : nullptr};
  return akin::prepare(std::move(document), identity_, form);
}

bool DerivingStore::keeps_words() const {
  const Derivation* const derivation = derivation_.get();
  return identity_.store_text && derivation != nullptr && derivation->words;
}

const DeriveFeatures* DerivingStore::derive() const noexcept {
  const Derivation* const derivation = derivation_.get();
  return derivation != nullptr && derivation->features ? &derivation->features : nullptr;
}

}  // namespace akin
