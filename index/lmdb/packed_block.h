// Packed blocks of postings: the values of the run table. Keys of a mixed block and documents of a list block
// are coded as Elias and Fano did (P. Elias, "Efficient storage and retrieval by content and address of
// static files", JACM 21, 1974): of n ascending numbers below u, the low log2(u/n) bits verbatim and the rest
// in unary, about 2 + log2(u/n) bits each, and a number is found without decoding those before it. Layout:
// docs/format.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/bits.h"
#include "index/posting.h"

namespace akin {

/// The most bytes of a block: what fits on one overflow page of 4096 bytes in LMDB, with a check after it.
inline constexpr std::size_t kBlockBytes = 4076;

/// A posting list of at least this many postings has blocks of its own.
inline constexpr std::size_t kLongList = 32;

/// Ascending numbers as in the block. Views the block.
struct EliasFano {
  const char* highs = nullptr;  ///< whole words
  std::size_t words = 0;
  const char* lows = nullptr;
  unsigned width = 0;  ///< bits of a low part
  std::uint32_t size = 0;

  [[nodiscard]] std::uint64_t low(std::uint32_t i) const noexcept {
    return get_bits(lows, std::size_t{i} * width, width);
  }
  /// Bit of the unary part at which numbers with high part `high` begin; past the end if there is none as
  /// large.
  [[nodiscard]] std::size_t begin_of(std::uint64_t high) const noexcept;
  [[nodiscard]] bool bit(std::size_t at) const noexcept {
    return (load_u64(highs + at / 64 * 8) >> (at % 64) & 1U) != 0;
  }

  /// Calls visit(i, number) for the numbers in order, from the first one on; false if the unary part holds
  /// fewer than `size` numbers.
  template <class Visit>
  bool for_each(Visit&& visit) const {
    std::uint32_t i = 0;
    for (std::size_t word = 0; word < words; ++word) {
      for (std::uint64_t rest = load_u64(highs + word * 8); rest != 0; rest &= rest - 1) {
        if (i == size) return false;
        const std::uint64_t high = word * 64 + static_cast<unsigned>(std::countr_zero(rest)) - i;
        visit(i, high << width | low(i));
        ++i;
      }
    }
    return i == size;
  }
};

/// The counts that are not 1. Views the block.
struct CountExceptions {
  const char* bytes = nullptr;  ///< pairs of index u16 and count u32, indices ascending
  std::uint32_t size = 0;
  /// The count of posting i.
  [[nodiscard]] std::uint32_t count(std::uint32_t i) const noexcept;
  [[nodiscard]] std::uint32_t index_at(std::uint32_t e) const noexcept;
  [[nodiscard]] std::uint32_t count_at(std::uint32_t e) const noexcept;
};

enum class BlockKind : std::uint8_t { mixed = 1, list = 2 };

/// A block decoded from its bytes. Every offset has been checked to lie inside the bytes, so that no call
/// reads beyond them; results are meaningless if the bytes are damaged (see `has_checksum`).
class PackedBlock {
 public:
  /// Nothing if the bytes cannot be a block.
  [[nodiscard]] static std::optional<PackedBlock> open(std::string_view bytes) noexcept;

  /// Whether the bytes are those that were written. Look-ups rely on the check that the table adds, if it
  /// does.
  [[nodiscard]] bool has_checksum() const noexcept;

  [[nodiscard]] BlockKind kind() const noexcept { return kind_; }
  [[nodiscard]] std::uint32_t size() const noexcept { return ascending_.size; }

  // Mixed: whole posting lists of several features.
  /// Indices [first, last) of the postings of a feature.
  struct Slice {
    std::uint32_t first = 0, last = 0;
  };
  [[nodiscard]] Slice find(Feature feature) const noexcept;
  /// The document of posting i.
  [[nodiscard]] std::uint32_t mixed_document(std::uint32_t i) const noexcept {
    return base_document_ +
           static_cast<std::uint32_t>(get_bits(documents_, std::size_t{i} * document_bits_, document_bits_));
  }
  [[nodiscard]] std::uint32_t count(std::uint32_t i) const noexcept { return exceptions_.count(i); }

  // List: consecutive postings of one feature.
  /// Postings of the whole list, over all of its blocks.
  [[nodiscard]] std::uint32_t list_size() const noexcept { return list_size_; }
  /// The document of the last posting.
  [[nodiscard]] DocNumber last_document() const noexcept;
  /// The count in a document, 0 if the document is not in the block.
  [[nodiscard]] std::uint32_t find(DocNumber document) const noexcept;

  /// Calls visit(document, count) for the postings of a list block in order.
  template <class Visit>
  bool for_each_document(Visit&& visit) const {
    std::uint32_t exception = 0;
    std::uint32_t next_exception = exceptions_.size > 0 ? exceptions_.index_at(0) : ~0U;
    return ascending_.for_each([&](std::uint32_t i, std::uint64_t number) {
      std::uint32_t count = 1;
      if (i == next_exception) {
        count = exceptions_.count_at(exception);
        next_exception = ++exception < exceptions_.size ? exceptions_.index_at(exception) : ~0U;
      }
      visit(base_document_ + static_cast<std::uint32_t>(number), count);
    });
  }

  /// Appends all postings of a mixed block, features and documents ascending. False if the block is damaged.
  [[nodiscard]] bool append_mixed(std::vector<Feature>& features, std::vector<DocNumber>& documents,
                                  std::vector<std::uint32_t>& counts) const;
  /// The same for a list block's documents.
  [[nodiscard]] bool append_list(std::vector<DocNumber>& documents, std::vector<std::uint32_t>& counts) const;

 private:
  std::string_view bytes_;
  BlockKind kind_ = BlockKind::mixed;
  EliasFano ascending_;
  CountExceptions exceptions_;
  std::uint32_t base_document_ = 0;
  std::uint64_t base_feature_ = 0;
  std::uint32_t list_size_ = 0;
  const char* documents_ = nullptr;
  unsigned document_bits_ = 0;
};

/// Builds a mixed block.
class MixedBlockBuilder {
 public:
  [[nodiscard]] bool empty() const noexcept { return features_.empty(); }
  [[nodiscard]] Feature first_feature() const noexcept { return Feature{features_.front()}; }
  [[nodiscard]] DocNumber first_document() const noexcept { return documents_.front(); }
  /// Adds a whole list if the block then still has at most kBlockBytes; an empty block takes any list of
  /// fewer than kLongList postings. Features ascend.
  [[nodiscard]] bool add(Feature feature, std::span<const DocNumber> documents,
                         std::span<const std::uint32_t> counts);
  /// Returns the block's bytes and empties the builder.
  [[nodiscard]] std::string take();

 private:
  std::vector<std::uint64_t> features_;
  std::vector<DocNumber> documents_;
  std::vector<std::uint32_t> counts_;
  std::uint32_t least_ = 0, most_ = 0;  ///< documents
  std::size_t exceptions_ = 0;
};

/// Packs the longest prefix of a list that fits into one block; `size` is that of the whole list. Returns how
/// many postings it took, at least one.
[[nodiscard]] std::size_t pack_list_block(std::span<const DocNumber> documents,
                                          std::span<const std::uint32_t> counts, std::uint32_t size,
                                          std::string& out);

}  // namespace akin
