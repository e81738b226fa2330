// Packed blocks of postings: the values of the run table. Keys of a mixed block and documents of a list block
// are coded as Elias and Fano did (P. Elias, "Efficient storage and retrieval by content and address of
// static files", JACM 21, 1974): of n ascending numbers below u, the low log2(u/n) bits verbatim and the rest
// in unary, about 2 + log2(u/n) bits each, and a number is found without decoding those before it. A part of
// a list that many documents are in is a bitmap instead. Layout: docs/index-format.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/codec/bits.h"
#include "index/codec/posting.h"

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
  /// The count of posting i; in a bitmap, of the document at bit i.
  [[nodiscard]] std::uint32_t count(std::uint32_t i) const noexcept;
  [[nodiscard]] std::uint32_t index_at(std::uint32_t e) const noexcept;
  [[nodiscard]] std::uint32_t count_at(std::uint32_t e) const noexcept;
};

/// Documents of consecutive numbers, one bit each. Views the block.
struct Bitmap {
  /// Documents of a bitmap come in whole groups, of which the first begins at a multiple.
  static constexpr std::uint32_t kGroup = 512;

  const char* bits = nullptr;
  std::uint32_t words = 0;  ///< a multiple of kGroup / 64
  std::uint32_t first = 0;  ///< the document of the first bit: a multiple of kGroup

  [[nodiscard]] std::uint64_t word(std::uint32_t at) const noexcept {
    return load_u64(bits + std::size_t{at} * 8);
  }
};

enum class BlockKind : std::uint8_t { mixed = 1, list = 2, bitmap = 3 };

/// A block decoded from its bytes. Every offset has been checked to lie inside the bytes, so that no call
/// reads beyond them; results are meaningless if the bytes are damaged, for which the table has a check.
class PackedBlock {
 public:
  /// Nothing if the bytes cannot be a block.
  [[nodiscard]] static std::optional<PackedBlock> open(std::string_view bytes) noexcept;

  [[nodiscard]] BlockKind kind() const noexcept { return kind_; }
  /// Whether it has postings of one feature only: a list or a bitmap.
  [[nodiscard]] bool is_of_list() const noexcept { return kind_ != BlockKind::mixed; }
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
  /// Calls visit(Feature) for each posting of a mixed block, features ascending; false if there are not
  /// `size` of them.
  template <class Visit>
  bool for_each_feature(Visit&& visit) const {
    return ascending_.for_each(
        [&](std::uint32_t, std::uint64_t number) { visit(Feature{base_feature_ + number}); });
  }

  // List and bitmap: consecutive postings of one feature.
  /// Postings of the whole list, over all of its blocks.
  [[nodiscard]] std::uint32_t list_size() const noexcept { return list_size_; }
  /// The document of the last posting.
  [[nodiscard]] DocNumber last_document() const noexcept;
  /// The count in a document, 0 if the document is not in the block.
  [[nodiscard]] std::uint32_t find(DocNumber document) const noexcept;

  /// Calls visit(document, count) for the postings in order; false if there are not `size` of them.
  template <class Visit>
  bool for_each_document(Visit&& visit) const {
    std::uint32_t exception = 0;
    std::uint32_t next_exception = exceptions_.size > 0 ? exceptions_.index_at(0) : ~0U;
    const auto visit_one = [&](std::uint32_t i, std::uint64_t number) {
      std::uint32_t count = 1;
      if (i == next_exception) {
        count = exceptions_.count_at(exception);
        next_exception = ++exception < exceptions_.size ? exceptions_.index_at(exception) : ~0U;
      }
      visit(base_document_ + static_cast<std::uint32_t>(number), count);
    };
    return kind_ == BlockKind::bitmap ? for_each_bit(visit_one) : ascending_.for_each(visit_one);
  }
  /// The documents of a bitmap block.
  [[nodiscard]] Bitmap bitmap() const noexcept { return {ascending_.highs, words(), base_document_}; }
  /// Calls visit(document, count) for the postings of a bitmap block whose counts are not 1.
  template <class Visit>
  void for_each_exception(Visit&& visit) const {
    for (std::uint32_t e = 0; e < exceptions_.size; ++e)
      visit(base_document_ + exceptions_.index_at(e), exceptions_.count_at(e));
  }

  /// Appends all postings of a mixed block, features and documents ascending. False if the block is damaged.
  [[nodiscard]] bool append_mixed(std::vector<Feature>& features, std::vector<DocNumber>& documents,
                                  std::vector<std::uint32_t>& counts) const;
  /// The same for the documents of a list or bitmap block.
  [[nodiscard]] bool append_list(std::vector<DocNumber>& documents, std::vector<std::uint32_t>& counts) const;

 private:
  [[nodiscard]] std::uint32_t words() const noexcept { return static_cast<std::uint32_t>(ascending_.words); }
  template <class Visit>
  bool for_each_bit(const Visit& visit) const {
    const Bitmap map = bitmap();
    std::uint32_t seen = 0;
    for (std::uint32_t at = 0; at < map.words; ++at) {
      for (std::uint64_t rest = map.word(at); rest != 0; rest &= rest - 1) {
        if (seen++ == size()) return false;
        const std::uint32_t bit = at * 64 + static_cast<std::uint32_t>(std::countr_zero(rest));
        visit(bit, bit);
      }
    }
    return seen == size();
  }

  BlockKind kind_ = BlockKind::mixed;
  EliasFano ascending_;  ///< bitmap: `highs` are the bits, and there are no low parts
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

/// A whole posting list, or the rest of one after its first blocks; neither is empty.
struct ListRest {
  std::span<const DocNumber> documents;  ///< ascending
  std::span<const std::uint32_t> counts;
  std::uint32_t list_size = 0;  ///< postings of the whole list
};

/// Packs the longest prefix that fits into one block. Returns how many postings it took, at least one.
[[nodiscard]] std::size_t pack_list_block(const ListRest& rest, std::string& out);

// Header: kind u8, width of low parts u8, width of documents u8, 0, size u16, exceptions u16, base document
// u32, base feature u64 (list and bitmap: size of the whole list u32, 0 u32). Then the unary part or the
// bits, the low parts, the documents, the exceptions, and zeros so that a field may be read as a word.
inline constexpr std::size_t kBlockHeaderBytes = 20;
inline constexpr std::size_t kBlockPadBytes = 8;
inline constexpr std::size_t kExceptionBytes = 6;

[[nodiscard]] constexpr std::size_t bytes_of_bits(std::size_t bits) noexcept { return (bits + 7) / 8; }

}  // namespace akin
