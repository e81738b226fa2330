// Writes packed blocks.
#include <algorithm>
#include <cassert>

#include "index/codec/encoding.h"
#include "index/lmdb/tables/packed_block.h"

namespace akin {

namespace {

/// The width of low parts that encodes n numbers up to `last` in nearly the fewest bits.
unsigned width_of(std::uint64_t last, std::size_t n) noexcept {
  const std::uint64_t distance = last / n;
  return distance == 0 ? 0 : static_cast<unsigned>(std::bit_width(distance)) - 1;
}

/// Whole words of the unary part.
std::size_t words_of(std::uint64_t last, std::size_t n, unsigned width) noexcept {
  return static_cast<std::size_t>((last >> width) + n + 63) / 64;
}

std::size_t mixed_bytes(std::uint64_t last, std::size_t n, std::uint32_t spread,
                        std::size_t exceptions) noexcept {
  const unsigned width = width_of(last, n);
  return kBlockHeaderBytes + words_of(last, n, width) * 8 + bytes_of_bits(n * width) +
         bytes_of_bits(n * static_cast<unsigned>(std::bit_width(spread))) + exceptions * kExceptionBytes +
         kBlockPadBytes;
}

std::size_t list_bytes(std::uint64_t last, std::size_t n, std::size_t exceptions) noexcept {
  const unsigned width = width_of(last, n);
  return kBlockHeaderBytes + words_of(last, n, width) * 8 + bytes_of_bits(n * width) +
         exceptions * kExceptionBytes + kBlockPadBytes;
}

/// The unary part and the low parts. `number(i)` counts from 0.
template <class Number>
void append_ascending(std::string& out, std::size_t n, std::uint64_t last, unsigned width, Number number) {
  const std::size_t words_end = out.size() + words_of(last, n, width) * 8;
  BitWriter unary(out);
  std::uint64_t high = 0;
  for (std::size_t i = 0; i < n; ++i) {
    unary.put_unary((number(i) >> width) - high);
    high = number(i) >> width;
  }
  unary.finish();
  out.resize(words_end, '\0');
  BitWriter lows(out);
  for (std::size_t i = 0; i < n; ++i) lows.put(number(i) & low_bits(width), width);
  lows.finish();
}

/// `index_of(i)`: what posting i is found by.
template <class IndexOf>
void append_exceptions(std::string& out, std::span<const std::uint32_t> counts, IndexOf index_of) {
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 1) continue;
    append_u16(out, static_cast<std::uint16_t>(index_of(i)));
    append_u32(out, counts[i]);
  }
}

/// How a block codes its numbers.
struct Coding {
  BlockKind kind = BlockKind::mixed;
  unsigned width = 0;  ///< of low parts
  unsigned document_bits = 0;
};

void append_header(std::string& out, const Coding& coding, std::size_t n, std::size_t exceptions,
                   std::uint32_t base_document) {
  out.push_back(static_cast<char>(coding.kind));
  out.push_back(static_cast<char>(coding.width));
  out.push_back(static_cast<char>(coding.document_bits));
  out.push_back('\0');
  append_u16(out, static_cast<std::uint16_t>(n));
  append_u16(out, static_cast<std::uint16_t>(exceptions));
  append_u32(out, base_document);
}

/// The first postings of a list, as many as fit into one block.
struct Prefix {
  std::size_t postings = 0;
  std::size_t exceptions = 0;
  std::size_t bytes = 0;  ///< of the block
};

/// Takes postings as long as bytes_of(index of the last, exceptions) is at most kBlockBytes.
template <class Bytes>
Prefix prefix_of(const ListRest& rest, Bytes bytes_of) {
  constexpr std::size_t kMost = 0xffff;
  Prefix prefix;
  for (; prefix.postings < std::min(rest.documents.size(), kMost); ++prefix.postings) {
    const std::size_t with = prefix.exceptions + (rest.counts[prefix.postings] != 1 ? 1 : 0);
    const std::size_t bytes = bytes_of(prefix.postings, with);
    if (prefix.postings > 0 && bytes > kBlockBytes) break;
    prefix.exceptions = with;
    prefix.bytes = bytes;
  }
  return prefix;
}

Prefix list_prefix(const ListRest& rest) {
  const auto base = static_cast<std::uint32_t>(rest.documents.front());
  return prefix_of(rest, [&](std::size_t last, std::size_t exceptions) {
    return list_bytes(static_cast<std::uint32_t>(rest.documents[last]) - base, last + 1, exceptions);
  });
}

std::uint32_t first_of_group(DocNumber document) noexcept {
  return static_cast<std::uint32_t>(document) / Bitmap::kGroup * Bitmap::kGroup;
}

std::size_t bitmap_bits(const ListRest& rest, std::size_t last) noexcept {
  return std::size_t{first_of_group(rest.documents[last])} + Bitmap::kGroup -
         first_of_group(rest.documents.front());
}

Prefix bitmap_prefix(const ListRest& rest) {
  return prefix_of(rest, [&](std::size_t last, std::size_t exceptions) {
    return kBlockHeaderBytes + bitmap_bits(rest, last) / 8 + exceptions * kExceptionBytes + kBlockPadBytes;
  });
}

void begin_list_block(std::string& out, const Coding& coding, const Prefix& prefix, std::uint32_t base,
                      std::uint32_t list_size) {
  out.clear();
  append_header(out, coding, prefix.postings, prefix.exceptions, base);
  append_u32(out, list_size);
  append_u32(out, 0);
}

void pack_numbers(const ListRest& rest, const Prefix& prefix, std::string& out) {
  const std::size_t n = prefix.postings;
  const auto base = static_cast<std::uint32_t>(rest.documents.front());
  const auto number = [&](std::size_t i) {
    return std::uint64_t{static_cast<std::uint32_t>(rest.documents[i])} - base;
  };
  const unsigned width = width_of(number(n - 1), n);
  begin_list_block(out, {BlockKind::list, width}, prefix, base, rest.list_size);
  append_ascending(out, n, number(n - 1), width, number);
  append_exceptions(out, rest.counts.first(n), [](std::size_t i) { return i; });
  out.append(kBlockPadBytes, '\0');
}

void pack_bitmap(const ListRest& rest, const Prefix& prefix, std::string& out) {
  const std::uint32_t base = first_of_group(rest.documents.front());
  const auto bit_of = [&](std::size_t i) { return static_cast<std::uint32_t>(rest.documents[i]) - base; };
  begin_list_block(out, {BlockKind::bitmap, 0}, prefix, base, rest.list_size);
  const std::size_t begin = out.size();
  out.resize(begin + bitmap_bits(rest, prefix.postings - 1) / 8, '\0');
  for (std::size_t i = 0; i < prefix.postings; ++i) {
    char& byte = out[begin + bit_of(i) / 8];
    byte = static_cast<char>(byte | 1 << bit_of(i) % 8);
  }
  append_exceptions(out, rest.counts.first(prefix.postings), bit_of);
  out.append(kBlockPadBytes, '\0');
}

}  // namespace

bool MixedBlockBuilder::add(Feature feature, std::span<const DocNumber> documents,
                            std::span<const std::uint32_t> counts) {
  assert(!documents.empty() && documents.size() == counts.size());
  const auto first = static_cast<std::uint32_t>(documents.front());
  const auto last = static_cast<std::uint32_t>(documents.back());
  const std::uint32_t least = empty() ? first : std::min(least_, first);
  const std::uint32_t most = empty() ? last : std::max(most_, last);
  const auto exceptions =
      exceptions_ + static_cast<std::size_t>(
                        std::count_if(counts.begin(), counts.end(), [](std::uint32_t c) { return c != 1; }));
  const std::uint64_t number = static_cast<std::uint64_t>(feature);
  const std::uint64_t base = empty() ? number : features_.front();
  const std::size_t n = features_.size() + documents.size();
  if (!empty() && mixed_bytes(number - base, n, most - least, exceptions) > kBlockBytes) return false;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    features_.push_back(number);
    documents_.push_back(documents[i]);
    counts_.push_back(counts[i]);
  }
  least_ = least;
  most_ = most;
  exceptions_ = exceptions;
  return true;
}

std::string MixedBlockBuilder::take() {
  const std::size_t n = features_.size();
  const std::uint64_t base = features_.front();
  const std::uint64_t last = features_.back() - base;
  const unsigned width = width_of(last, n);
  const auto document_bits = static_cast<unsigned>(std::bit_width(most_ - least_));
  std::string block;
  block.reserve(kBlockBytes + 8);
  append_header(block, {BlockKind::mixed, width, document_bits}, n, exceptions_, least_);
  append_u64(block, base);
  append_ascending(block, n, last, width, [&](std::size_t i) { return features_[i] - base; });
  BitWriter documents(block);
  for (DocNumber document : documents_)
    documents.put(static_cast<std::uint32_t>(document) - least_, document_bits);
  documents.finish();
  append_exceptions(block, counts_, [](std::size_t i) { return i; });
  block.append(kBlockPadBytes, '\0');
  features_.clear();
  documents_.clear();
  counts_.clear();
  exceptions_ = 0;
  return block;
}

std::size_t pack_list_block(const ListRest& rest, std::string& out) {
  // A bitmap is added to sums many times faster than numbers: it may take some more bytes.
  constexpr std::size_t kWorthBytes = 4;
  const Prefix list = list_prefix(rest);
  const Prefix bitmap = bitmap_prefix(rest);
  if (bitmap.bytes * list.postings <= kWorthBytes * list.bytes * bitmap.postings) {
    pack_bitmap(rest, bitmap, out);
    return bitmap.postings;
  }
  pack_numbers(rest, list, out);
  return list.postings;
}

}  // namespace akin
