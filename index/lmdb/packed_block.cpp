#include "index/lmdb/packed_block.h"

#include <algorithm>
#include <cassert>

#include "index/encoding.h"

namespace akin {

namespace {

// Header: check u32, kind u8, width of low parts u8, width of documents u8, 0, size u16, exceptions u16, base
// document u32, base feature u64 (list: size of the whole list u32, words of the unary part u16, 0 u16). Then
// the unary part, the low parts, the documents, the exceptions, and zeros so that a field may be read as a
// word.
constexpr std::size_t kHeaderBytes = 24;
constexpr std::size_t kPadBytes = 8;
constexpr std::size_t kExceptionBytes = 6;

constexpr std::size_t bytes_of(std::size_t bits) noexcept { return (bits + 7) / 8; }

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
  return kHeaderBytes + words_of(last, n, width) * 8 + bytes_of(n * width) +
         bytes_of(n * static_cast<unsigned>(std::bit_width(spread))) + exceptions * kExceptionBytes +
         kPadBytes;
}

std::size_t list_bytes(std::uint64_t last, std::size_t n, std::size_t exceptions) noexcept {
  const unsigned width = width_of(last, n);
  return kHeaderBytes + words_of(last, n, width) * 8 + bytes_of(n * width) + exceptions * kExceptionBytes +
         kPadBytes;
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

void append_exceptions(std::string& out, std::span<const std::uint32_t> counts) {
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 1) continue;
    append_u16(out, static_cast<std::uint16_t>(i));
    append_u32(out, counts[i]);
  }
}

/// Pads, and writes the checksum of everything after it.
void seal(std::string& block) {
  block.append(kPadBytes, '\0');
  std::string check;
  append_u32(check, checksum(std::string_view(block).substr(4)));
  block.replace(0, 4, check);
}

void append_header(std::string& out, BlockKind kind, unsigned width, unsigned document_bits, std::size_t n,
                   std::size_t exceptions, std::uint32_t base_document) {
  append_u32(out, 0);
  out.push_back(static_cast<char>(kind));
  out.push_back(static_cast<char>(width));
  out.push_back(static_cast<char>(document_bits));
  out.push_back('\0');
  append_u16(out, static_cast<std::uint16_t>(n));
  append_u16(out, static_cast<std::uint16_t>(exceptions));
  append_u32(out, base_document);
}

/// Position of the `rank`-th (from 0) set bit of a word that has it.
unsigned select_in_word(std::uint64_t word, unsigned rank) noexcept {
  unsigned at = 0;
  for (unsigned half = 32; half > 0; half /= 2) {
    const auto below = static_cast<unsigned>(std::popcount(word >> at & low_bits(half)));
    if (rank >= below) {
      rank -= below;
      at += half;
    }
  }
  return at;
}

}  // namespace

std::size_t EliasFano::begin_of(std::uint64_t high) const noexcept {
  if (high == 0) return 0;
  std::uint64_t zeros = high;  // the wanted zero's rank, from 1
  for (std::size_t word = 0; word < words; ++word) {
    const std::uint64_t inverted = ~load_u64(highs + word * 8);
    const auto here = static_cast<std::uint64_t>(std::popcount(inverted));
    if (zeros <= here) return word * 64 + select_in_word(inverted, static_cast<unsigned>(zeros - 1)) + 1;
    zeros -= here;
  }
  return words * 64;
}

std::uint32_t CountExceptions::index_at(std::uint32_t e) const noexcept {
  return load_u16(bytes + e * kExceptionBytes);
}
std::uint32_t CountExceptions::count_at(std::uint32_t e) const noexcept {
  return load_u32(bytes + e * kExceptionBytes + 2);
}

std::uint32_t CountExceptions::count(std::uint32_t i) const noexcept {
  std::uint32_t low = 0;
  for (std::uint32_t high = size; low < high;) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (index_at(middle) < i) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < size && index_at(low) == i ? count_at(low) : 1;
}

std::optional<PackedBlock> PackedBlock::open(std::string_view bytes) noexcept {
  if (bytes.size() < kHeaderBytes + kPadBytes) return std::nullopt;
  PackedBlock block;
  block.bytes_ = bytes;
  const auto kind = static_cast<std::uint8_t>(bytes[4]);
  const auto width = static_cast<unsigned char>(bytes[5]);
  const auto document_bits = static_cast<unsigned char>(bytes[6]);
  const std::uint32_t n = load_u16(bytes.data() + 8);
  block.exceptions_.size = load_u16(bytes.data() + 10);
  block.base_document_ = load_u32(bytes.data() + 12);
  if (width > 63 || document_bits > 32 || n == 0) return std::nullopt;

  // The header determines the lengths of all parts except the unary one.
  std::size_t behind =
      bytes_of(std::size_t{n} * width) + block.exceptions_.size * kExceptionBytes + kPadBytes;
  if (kind == static_cast<std::uint8_t>(BlockKind::mixed)) {
    block.base_feature_ = load_u64(bytes.data() + 16);
    behind += bytes_of(std::size_t{n} * document_bits);
  } else if (kind == static_cast<std::uint8_t>(BlockKind::list) && document_bits == 0) {
    block.list_size_ = load_u32(bytes.data() + 16);
  } else {
    return std::nullopt;
  }
  if (bytes.size() < kHeaderBytes + behind) return std::nullopt;
  const std::size_t unary = bytes.size() - kHeaderBytes - behind;
  if (unary % 8 != 0 || unary == 0) return std::nullopt;

  block.kind_ = static_cast<BlockKind>(kind);
  const char* at = bytes.data() + kHeaderBytes;
  block.ascending_ = {at, unary / 8, at + unary, width, n};
  at += unary + bytes_of(std::size_t{n} * width);
  block.documents_ = at;
  block.document_bits_ = document_bits;
  block.exceptions_.bytes = at + bytes_of(std::size_t{n} * document_bits);
  return block;
}

bool PackedBlock::has_checksum() const noexcept {
  return checksum(bytes_.substr(4)) == load_u32(bytes_.data());
}

PackedBlock::Slice PackedBlock::find(Feature feature) const noexcept {
  const auto wanted = static_cast<std::uint64_t>(feature);
  if (wanted < base_feature_) return {};
  const std::uint64_t distance = wanted - base_feature_;
  const std::uint64_t high = distance >> ascending_.width;
  const std::uint64_t low = distance & low_bits(ascending_.width);
  std::size_t at = ascending_.begin_of(high);
  auto i = static_cast<std::uint32_t>(at - high);
  const std::size_t end = ascending_.words * 64;
  const auto inside = [&] { return at < end && i < ascending_.size && ascending_.bit(at); };
  for (; inside() && ascending_.low(i) < low; ++i) ++at;
  const std::uint32_t first = i;
  for (; inside() && ascending_.low(i) == low; ++i) ++at;
  return {first, i};
}

DocNumber PackedBlock::last_document() const noexcept {
  const std::uint32_t last = ascending_.size - 1;
  for (std::size_t word = ascending_.words; word-- > 0;) {
    const std::uint64_t bits = load_u64(ascending_.highs + word * 8);
    if (bits == 0) continue;
    const std::uint64_t high = word * 64 + 63 - static_cast<unsigned>(std::countl_zero(bits)) - last;
    return DocNumber{base_document_ +
                     static_cast<std::uint32_t>(high << ascending_.width | ascending_.low(last))};
  }
  return DocNumber{base_document_};
}

std::uint32_t PackedBlock::find(DocNumber document) const noexcept {
  const auto wanted = static_cast<std::uint32_t>(document);
  if (wanted < base_document_) return 0;
  const std::uint64_t distance = wanted - base_document_;
  const std::uint64_t high = distance >> ascending_.width;
  const std::uint64_t low = distance & low_bits(ascending_.width);
  const std::size_t end = ascending_.words * 64;
  std::size_t at = ascending_.begin_of(high);
  for (auto i = static_cast<std::uint32_t>(at - high); at < end && i < ascending_.size && ascending_.bit(at);
       ++at, ++i) {
    const std::uint64_t here = ascending_.low(i);
    if (here == low) return count(i);
    if (here > low) return 0;
  }
  return 0;
}

bool PackedBlock::append_mixed(std::vector<Feature>& features, std::vector<DocNumber>& documents,
                               std::vector<std::uint32_t>& counts) const {
  const std::size_t before = features.size();
  const std::uint32_t n = ascending_.size;
  features.resize(before + n);
  documents.resize(before + n);
  counts.resize(before + n, 1);
  const bool whole = ascending_.for_each(
      [&](std::uint32_t i, std::uint64_t number) { features[before + i] = Feature{base_feature_ + number}; });
  if (!whole) return false;
  for (std::uint32_t i = 0; i < n; ++i) documents[before + i] = DocNumber{mixed_document(i)};
  for (std::uint32_t e = 0; e < exceptions_.size; ++e) {
    const std::uint32_t i = exceptions_.index_at(e);
    if (i >= n || exceptions_.count_at(e) == 0) return false;
    counts[before + i] = exceptions_.count_at(e);
  }
  for (std::size_t i = before + 1; i < features.size(); ++i) {
    if (features[i] < features[i - 1] || (features[i] == features[i - 1] && documents[i] <= documents[i - 1]))
      return false;
  }
  return documents.back() != kEnd;
}

bool PackedBlock::append_list(std::vector<DocNumber>& documents, std::vector<std::uint32_t>& counts) const {
  const std::size_t before = documents.size();
  documents.reserve(before + size());
  counts.reserve(before + size());
  const bool whole = for_each_document([&](std::uint32_t document, std::uint32_t count) {
    documents.push_back(DocNumber{document});
    counts.push_back(count);
  });
  if (!whole) return false;
  for (std::size_t i = before; i < documents.size(); ++i) {
    if (counts[i] == 0 || documents[i] == kEnd || (i > before && documents[i] <= documents[i - 1]))
      return false;
  }
  return true;
}

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
  features_.insert(features_.end(), documents.size(), number);
  documents_.insert(documents_.end(), documents.begin(), documents.end());
  counts_.insert(counts_.end(), counts.begin(), counts.end());
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
  append_header(block, BlockKind::mixed, width, document_bits, n, exceptions_, least_);
  append_u64(block, base);
  append_ascending(block, n, last, width, [&](std::size_t i) { return features_[i] - base; });
  BitWriter documents(block);
  for (DocNumber document : documents_)
    documents.put(static_cast<std::uint32_t>(document) - least_, document_bits);
  documents.finish();
  append_exceptions(block, counts_);
  seal(block);
  features_.clear();
  documents_.clear();
  counts_.clear();
  exceptions_ = 0;
  return block;
}

std::size_t pack_list_block(std::span<const DocNumber> documents, std::span<const std::uint32_t> counts,
                            std::uint32_t size, std::string& out) {
  const auto base = static_cast<std::uint32_t>(documents.front());
  const auto number = [&](std::size_t i) {
    return std::uint64_t{static_cast<std::uint32_t>(documents[i])} - base;
  };
  std::size_t n = 0;
  std::size_t exceptions = 0;
  constexpr std::size_t kMost = 0xffff;
  for (; n < std::min(documents.size(), kMost); ++n) {
    const std::size_t with = exceptions + (counts[n] != 1 ? 1 : 0);
    if (n > 0 && list_bytes(number(n), n + 1, with) > kBlockBytes) break;
    exceptions = with;
  }
  const unsigned width = width_of(number(n - 1), n);
  out.clear();
  append_header(out, BlockKind::list, width, 0, n, exceptions, base);
  append_u32(out, size);
  append_u32(out, 0);
  append_ascending(out, n, number(n - 1), width, number);
  append_exceptions(out, counts.subspan(0, n));
  seal(out);
  return n;
}

}  // namespace akin
