#include "dict/ask/compounds/compound_parts.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "dict/table/format.h"

namespace akin {
namespace {

constexpr std::array<char, 8> kPartsMagic{'A', 'K', 'I', 'N', 'P', 'A', 'R', 'T'};
constexpr std::uint64_t kNoKey = ~std::uint64_t{0};

/// The file's head. Special characters (u32) follow, then the keys (u64) of all parts, ascending, their roles
/// (u16), the keys (u64) of all stems, their lengths (u32) and their bytes.
struct PartsHeader {
  std::array<char, 8> magic = kPartsMagic;
  std::uint32_t byte_order = table_format::kByteOrder;
  std::uint32_t version = kPartsVersion;
  std::uint64_t name_high = 0, name_low = 0;
  std::uint64_t complete = 0, least_letters = 0, sharp_s = 0;
  std::uint64_t specials = 0, parts = 0, stems = 0;
  std::uint64_t body_high = 0, body_low = 0;      ///< content_hash of all that follows the head
  std::uint64_t header_high = 0, header_low = 0;  ///< of the head before this
};

Digest hash_of_header(const PartsHeader& header) {
  return content_hash({reinterpret_cast<const char*>(&header), offsetof(PartsHeader, header_high)});
}

template <class T>
void append_bytes(std::string& out, const T* values, std::size_t count) {
  if (count > 0) out.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

template <class T>
void copy_bytes(std::string_view& from, T* values, std::size_t count) {
  if (count > 0) std::memcpy(values, from.data(), count * sizeof(T));
  from.remove_prefix(count * sizeof(T));
}

}  // namespace

CompoundParts::CompoundParts(std::vector<Part> parts, std::vector<Stem> stems, CompoundSettings settings)
    : complete_(true), settings_(std::move(settings)), stems_(std::move(stems)) {
  std::ranges::sort(stems_);
  stems_.erase(std::unique(stems_.begin(), stems_.end()), stems_.end());
  std::ranges::sort(parts, {}, &Part::key);
  std::size_t kept = 0;
  for (const Part& part : parts) {
    if (part.key == kNoKey) {
      complete_ = false;  // no spelling is known that has it
    } else if (kept > 0 && parts[kept - 1].key == part.key) {
      parts[kept - 1].roles |= part.roles;
    } else {
      parts[kept++] = part;
    }
  }
  parts.resize(kept);
  place(parts);
}

/// A key is in the first free slot at or after its home, so that slots ascend.
void CompoundParts::place(const std::vector<Part>& parts) {
  size_ = parts.size();
  const std::size_t homes = std::bit_ceil(std::max<std::size_t>(2 * size_, 2));
  shift_ = 64U - static_cast<unsigned>(std::countr_zero(homes));
  keys_.assign(homes + size_ + 1, kNoKey);
  roles_.assign(keys_.size(), kNoPart);
  std::size_t next = 0;
  for (const Part& part : parts) {
    next = std::max<std::size_t>(next, part.key >> shift_);
    keys_[next] = part.key;
    roles_[next++] = part.roles;
    constexpr PartRoles kBefore = kFirstPart | kMiddlePart | kStopsFirst | kStopsMiddle | kHunspellAsPart;
    constexpr PartRoles kAlone = kAnalyzed | kForbiddenWord | kHunspellAlone | kPerhapsWord;
    if ((part.roles & kBefore) != 0) begins_[part.key % kFilterBits] = true;
    if ((part.roles & kAlone) != 0) alone_[part.key % kFilterBits] = true;
  }
}

std::string CompoundParts::pack(const Digest& name) const {
  std::string body;
  append_bytes(body, settings_.special.data(), settings_.special.size());
  for (const std::uint64_t key : keys_)
    if (key != kNoKey) append_bytes(body, &key, 1);
  for (std::size_t slot = 0; slot < keys_.size(); ++slot)
    if (keys_[slot] != kNoKey) append_bytes(body, &roles_[slot], 1);
  for (const Stem& stem : stems_) append_bytes(body, &stem.key, 1);
  for (const Stem& stem : stems_) {
    const auto size = static_cast<std::uint32_t>(stem.stem.size());
    append_bytes(body, &size, 1);
  }
  for (const Stem& stem : stems_) body += stem.stem;
  PartsHeader header;
  header.name_high = name.high;
  header.name_low = name.low;
  header.complete = complete_ ? 1 : 0;
  header.least_letters = settings_.least_letters;
  header.sharp_s = settings_.sharp_s ? 1 : 0;
  header.specials = settings_.special.size();
  header.parts = size_;
  header.stems = stems_.size();
  const Digest whole = content_hash(body);
  header.body_high = whole.high;
  header.body_low = whole.low;
  const Digest digest = hash_of_header(header);
  header.header_high = digest.high;
  header.header_low = digest.low;
  std::string bytes;
  append_bytes(bytes, &header, 1);
  return bytes + body;
}

std::optional<CompoundParts> CompoundParts::unpack(std::string_view bytes, const Digest& name) {
  PartsHeader header;
  if (bytes.size() < sizeof(header)) return std::nullopt;
  copy_bytes(bytes, &header, 1);
  if (header.magic != kPartsMagic || header.byte_order != table_format::kByteOrder ||
      header.version != kPartsVersion || Digest{header.name_high, header.name_low} != name ||
      Digest{header.header_high, header.header_low} != hash_of_header(header) ||
      Digest{header.body_high, header.body_low} != content_hash(bytes))
    return std::nullopt;
  // The hashes do not protect against someone who computes them: the numbers are checked as well.
  constexpr std::uint64_t kMost = std::uint64_t{1} << 32U;
  constexpr std::uint64_t kPartBytes = sizeof(std::uint64_t) + sizeof(PartRoles);
  constexpr std::uint64_t kStemBytes = sizeof(std::uint64_t) + sizeof(std::uint32_t);
  if (header.specials > kMost || header.parts > kMost || header.stems > kMost || header.least_letters < 1 ||
      header.least_letters > kMost ||
      bytes.size() <
          header.specials * sizeof(char32_t) + header.parts * kPartBytes + header.stems * kStemBytes)
    return std::nullopt;
  CompoundParts out;
  out.complete_ = header.complete != 0;
  out.settings_.least_letters = header.least_letters;
  out.settings_.sharp_s = header.sharp_s != 0;
  out.settings_.special.resize(header.specials);
  copy_bytes(bytes, out.settings_.special.data(), header.specials);
  std::vector<Part> parts(header.parts);
  for (Part& part : parts) copy_bytes(bytes, &part.key, 1);
  for (Part& part : parts) copy_bytes(bytes, &part.roles, 1);
  out.stems_.resize(header.stems);
  for (Stem& stem : out.stems_) copy_bytes(bytes, &stem.key, 1);
  std::string_view text = bytes;
  text.remove_prefix(header.stems * sizeof(std::uint32_t));
  for (Stem& stem : out.stems_) {
    std::uint32_t size = 0;
    copy_bytes(bytes, &size, 1);
    if (size > text.size()) return std::nullopt;
    stem.stem = text.substr(0, size);
    text.remove_prefix(size);
  }
  if (!text.empty() || !std::ranges::is_sorted(out.stems_) || !std::ranges::is_sorted(out.settings_.special))
    return std::nullopt;
  const auto not_ascending = [](const Part& a, const Part& b) { return a.key >= b.key; };
  if (std::ranges::adjacent_find(parts, not_ascending) != parts.end() ||
      (!parts.empty() && parts.back().key == kNoKey))
    return std::nullopt;
  out.place(parts);
  return out;
}

}  // namespace akin
