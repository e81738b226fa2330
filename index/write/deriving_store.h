// What stores of databases and clusters do alike: they prepare documents, and learn what they may derive.
#pragma once

#include "base/set_once.h"
#include "index/codec/sequence_codec.h"
#include "index/store/store.h"

namespace akin {

class DerivingStore : public Store {
 public:
  [[nodiscard]] const StoreIdentity& identity() const noexcept override { return identity_; }
  [[nodiscard]] Result<PreparedDocument> prepare(NewDocument document) const override;
  void derive_by(Derivation derivation) override { derivation_.set(std::move(derivation)); }
  [[nodiscard]] bool keeps_words() const override;

 protected:
  /// What the engine's format has room for.
  struct Form {
    HashWidth hashes = HashWidth::narrowest;
    bool derives = false;  ///< whether features that a stored text gives are left out
  };
  DerivingStore(StoreIdentity identity, const Form& form) : identity_(std::move(identity)), form_(form) {}
  /// Null: features are stored, and those that are not stored cannot be derived.
  [[nodiscard]] const DeriveFeatures* derive() const noexcept;

 private:
  const StoreIdentity identity_;
  const Form form_;
  SetOnce<Derivation> derivation_;
};

}  // namespace akin
