#include "index/lmdb/tables/packed_block.h"

#include "index/codec/encoding.h"

namespace akin {

namespace {

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

bool is_kind_of_list(std::uint8_t kind) noexcept {
  return kind == static_cast<std::uint8_t>(BlockKind::list) ||
         kind == static_cast<std::uint8_t>(BlockKind::bitmap);
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
  if (bytes.size() < kBlockHeaderBytes + kBlockPadBytes) return std::nullopt;
  PackedBlock block;
  const auto kind = static_cast<std::uint8_t>(bytes[0]);
  const auto width = static_cast<unsigned char>(bytes[1]);
  const auto document_bits = static_cast<unsigned char>(bytes[2]);
  const std::uint32_t n = load_u16(bytes.data() + 4);
  block.exceptions_.size = load_u16(bytes.data() + 6);
  block.base_document_ = load_u32(bytes.data() + 8);
  if (width > 63 || document_bits > 32 || n == 0) return std::nullopt;

  // The header determines the lengths of all parts except the unary one.
  std::size_t behind =
      bytes_of_bits(std::size_t{n} * width) + block.exceptions_.size * kExceptionBytes + kBlockPadBytes;
  if (kind == static_cast<std::uint8_t>(BlockKind::mixed)) {
    block.base_feature_ = load_u64(bytes.data() + 12);
    behind += bytes_of_bits(std::size_t{n} * document_bits);
  } else if (is_kind_of_list(kind) && document_bits == 0) {
    block.list_size_ = load_u32(bytes.data() + 12);
  } else {
    return std::nullopt;
  }
  if (bytes.size() < kBlockHeaderBytes + behind) return std::nullopt;
  const std::size_t unary = bytes.size() - kBlockHeaderBytes - behind;
  if (unary % 8 != 0 || unary == 0) return std::nullopt;
  if (kind == static_cast<std::uint8_t>(BlockKind::bitmap)) {
    const bool whole_groups = unary % (Bitmap::kGroup / 8) == 0 && block.base_document_ % Bitmap::kGroup == 0;
    if (!whole_groups || width != 0) return std::nullopt;
  }

  block.kind_ = static_cast<BlockKind>(kind);
  const char* at = bytes.data() + kBlockHeaderBytes;
  block.ascending_ = {at, unary / 8, at + unary, width, n};
  at += unary + bytes_of_bits(std::size_t{n} * width);
  block.documents_ = at;
  block.document_bits_ = document_bits;
  block.exceptions_.bytes = at + bytes_of_bits(std::size_t{n} * document_bits);
  return block;
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
    const std::uint64_t bit = word * 64 + 63 - static_cast<unsigned>(std::countl_zero(bits));
    if (kind_ == BlockKind::bitmap) return DocNumber{base_document_ + static_cast<std::uint32_t>(bit)};
    const std::uint64_t high = bit - last;
    return DocNumber{base_document_ +
                     static_cast<std::uint32_t>(high << ascending_.width | ascending_.low(last))};
  }
  return DocNumber{base_document_};
}

std::uint32_t PackedBlock::find(DocNumber document) const noexcept {
  const auto wanted = static_cast<std::uint32_t>(document);
  if (wanted < base_document_) return 0;
  const std::uint64_t distance = wanted - base_document_;
  const std::size_t end = ascending_.words * 64;
  if (kind_ == BlockKind::bitmap) {
    return distance < end && ascending_.bit(distance) ? count(static_cast<std::uint32_t>(distance)) : 0;
  }
  const std::uint64_t high = distance >> ascending_.width;
  const std::uint64_t low = distance & low_bits(ascending_.width);
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

}  // namespace akin
