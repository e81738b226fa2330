// Where a cluster keeps a store.
//
//   PREFIX-catalog       documents of JSON: collections ("c:NAME"), heads of stores ("s:STORE", head.h),
//                        pieces of dictionaries ("dictionary:KEY:I"), jobs under way ("j:NAME")
//   PREFIX-store-STORE   the documents of a store, and their parts
//
// A document of akin is one of the engine's, whose _id is its number; it is never changed. It has the first
// piece of each of its parts; the others are documents of their own: the number, one letter (PartKind) and
// the piece, "4711t1". The number has the turn (head.h) in which it was written above its lowest kTurnBits
// bits.
//
// The field "features" has the document's features as words, of seven or eight digits for seeds, of up to ten
// for others; the second occurrence of a feature is a word of its own, and so on, with ".2" after it: as many
// words of a query as a document has is X.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/opensearch/client/client.h"
#include "index/write/directory_changes.h"
#include "morph/schemes/scheme.h"

namespace akin::opensearch {

/// Names a store in its cluster. No two have the same, ever.
using StoreName = std::string;

[[nodiscard]] std::string catalog_index(const Client& client);
/// Makes the catalog's index, if it is missing.
[[nodiscard]] Result<void> make_catalog_index(Client& client);

/// Which version of a document was read or written; a new one: the document is not there.
struct Version {
  std::int64_t sequence = 0, term = 0;

  Version() = default;
  explicit Version(const Json& answer);
  bool operator==(const Version&) const = default;
};

/// A document of the catalog.
struct CatalogDocument {
  Json body;
  Version version;
};
[[nodiscard]] Result<std::optional<CatalogDocument>> read_catalog(Client& client, const std::string& id);

/// Replaces a document of the catalog by the body, or removes it if that is empty, unless it is another than
/// `version`, which becomes that of the document that is then there. Returns whether the document is the
/// body: by its field "change", a random one if it has none, whatever happens to the answer on its way. The
/// change is neither repeated nor given up.
[[nodiscard]] Result<bool> change_catalog(Client& client, const std::string& id, Version& version,
                                          Json body = nullptr);

/// The index of a store.
struct StoreIndex {
  std::shared_ptr<Client> client;
  StoreName store;

  [[nodiscard]] std::string path() const { return "/" + client->prefix() + "-store-" + store; }
  /// `rest`: what follows the index in the path.
  [[nodiscard]] Result<Json> ask(const char* method, const std::string& rest, std::string body = "") const;
  /// As Client::search.
  [[nodiscard]] Result<Json> search(const Json& body) const;
  [[nodiscard]] Result<void> refresh() const;
  /// Makes it: one write is acknowledged when it is on the disks of all copies in use, and none begins unless
  /// more than half of the copies are. How many shards and copies there are is the cluster's setting.
  [[nodiscard]] Result<void> make() const;
  /// Bytes of the index on all disks, its segments, and the deleted documents of the engine that its shards
  /// still have.
  struct Extent {
    std::uint64_t disk_bytes = 0, segments = 0, deleted = 0;
  };
  [[nodiscard]] Result<Extent> extent() const;
  /// Makes the engine merge segments, and waits until it has, however long that takes. `how`: parameters of
  /// the engine's. Error also: that of check_work; the merge then continues.
  [[nodiscard]] Result<void> merge(const std::string& how) const;
};

inline constexpr unsigned kTurnBits = 24;
[[nodiscard]] constexpr std::int64_t first_number(std::int64_t turn) noexcept { return turn << kTurnBits; }

enum class PartKind : std::uint8_t { text, sequence, file, words };
inline constexpr std::array kPartKinds{PartKind::text, PartKind::sequence, PartKind::file, PartKind::words};

/// A piece of a part, before it is written as base64.
inline constexpr std::uint64_t kPieceBytes = std::uint64_t{4} << 20U;
struct Piece {
  std::int64_t number = 0;  ///< of the document
  PartKind kind = PartKind::text;
  std::uint64_t at = 0;

  /// The _id of the engine's document that has it, and its field there.
  [[nodiscard]] std::string id() const;
  [[nodiscard]] const char* field() const noexcept;
};

/// The field "record" of a document.
struct RecordField {
  std::uint64_t postings = 0;
  std::array<std::uint64_t, kPartKinds.size()> parts{};  ///< their bytes
  std::string record;                                    ///< as encode_record gives it

  [[nodiscard]] std::uint64_t bytes_of(PartKind kind) const noexcept {
    return parts[static_cast<std::size_t>(kind)];
  }
  [[nodiscard]] std::string encoded() const;
  /// Error: corrupt. The record is unchecked.
  [[nodiscard]] static Result<RecordField> decoded(std::string_view bytes);
  /// Sets what it says.
  void count(DocumentCounts& counts) const noexcept;
  /// The _ids of the engine's other documents that have pieces of it.
  [[nodiscard]] std::vector<std::string> further_ids(std::int64_t number) const;
};

/// Adds the word of a feature's n-th occurrence and a blank.
void add_word(std::string& words, Feature feature, std::uint64_t occurrence);

}  // namespace akin::opensearch
