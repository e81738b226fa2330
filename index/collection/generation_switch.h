// Replaces a collection's generation by one that is built from it, while searches and writes continue. The
// sequence is the same in every engine; how it notices writes and makes writers wait is the engine's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "index/collection/collection.h"
#include "index/collection/dictionaries.h"
#include "index/collection/transfer.h"
#include "index/store/store.h"

namespace akin {

/// What one engine does in each step of replace_generation.
class GenerationSwitch {
 public:
  GenerationSwitch() = default;
  GenerationSwitch(const GenerationSwitch&) = delete;
  GenerationSwitch& operator=(const GenerationSwitch&) = delete;
  virtual ~GenerationSwitch() = default;

  /// Makes the new store, with all documents that the old one had at some moment during the call.
  [[nodiscard]] virtual Result<void> build() = 0;
  /// Copies what has been written to the old store so far; returns how many documents were copied or removed.
  [[nodiscard]] virtual Result<std::uint64_t> follow() = 0;
  /// Does as much of the remaining work as possible before writers have to wait.
  [[nodiscard]] virtual Result<void> prepare() = 0;
  /// Makes writers wait, until the object is destroyed, and copies what they have left. Returns the last
  /// revision that the old store has assigned. Error: busy.
  [[nodiscard]] virtual Result<Revision> stop_writers() = 0;
  /// Puts the new store, which by now has every document of the old one, into use. Durable when it returns.
  [[nodiscard]] virtual Result<void> switch_over() = 0;
  /// Valid from build() to switch_over().
  [[nodiscard]] virtual Store& new_store() = 0;
};

/// Builds and switches. Until the switch, and after an error, nothing visible to others has changed. Errors:
/// those of the steps; unsupported (stopped).
[[nodiscard]] Result<void> replace_generation(GenerationSwitch& engine, const Transfer& transfer);

/// A switch for engines that copy documents by their revisions, and removals by comparison. The references
/// must outlive it.
class CopyingSwitch : public GenerationSwitch {
 public:
  CopyingSwitch(const Store& from, Store& to, Transfer& transfer)
      : from_(from), to_(to), transfer_(transfer) {}

  [[nodiscard]] Result<void> build() override;
  [[nodiscard]] Result<std::uint64_t> follow() override;
  [[nodiscard]] Store& new_store() override { return to_; }

 protected:
  /// Copies what has been written, and removes what has been removed; returns how many documents that were.
  [[nodiscard]] Result<std::uint64_t> follow_writes();
  /// Removes the documents of the new store that `view`, of the old one, does not have; returns how many.
  [[nodiscard]] virtual Result<std::uint64_t> follow_removals(const Snapshot& view);

  const Store& from_;
  Store& to_;
  Transfer& transfer_;
  Revision seen_;  ///< the last one copied
};

/// A guard for engines whose writers notice a switch by their store, which it retires. `current` is asked for
/// the generation in use.
[[nodiscard]] std::shared_ptr<const WriteGuard> make_write_guard(std::function<Result<Generation>()> current);

/// What to build the next generation with.
struct ReindexPlan {
  Dictionaries& dictionaries;
  std::string_view scheme;  ///< empty = the collection's own
};

/// How the documents of a collection are analysed for its next generation, and the identity of its store.
struct Reindex {
  Analysis analysis;
  StoreIdentity identity;
};

/// `current` is the store in use; `what` names the collection in errors. Errors: as make_scheme and
/// features_fingerprint; unsupported (it keeps no texts).
[[nodiscard]] Result<Reindex> plan_reindex(const std::string& what, const StoreIdentity& current,
                                           const ReindexPlan& plan);

/// The size of a store's files.
[[nodiscard]] Result<std::uint64_t> disk_bytes(const Store& store);

}  // namespace akin
