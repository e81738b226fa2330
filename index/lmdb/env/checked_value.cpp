#include "index/lmdb/env/checked_value.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>

#include "base/bytes.h"
#include "base/crc32c.h"
#include "base/hash.h"
#include "base/hex.h"
#include "base/utf8.h"
#include "index/lmdb/env/lmdb.h"
#include "index/lmdb/env/page_file.h"

namespace akin::lmdb {

namespace {

/// Smaller values are checked each time: that costs no more than to look them up.
constexpr std::size_t kRemembered = 512;

std::uint32_t seed_of(const Table& table, std::string_view key) noexcept {
  return crc32c(key, table.seed ^ static_cast<std::uint32_t>(key.size()));
}

std::uint64_t fingerprint(const char* value, std::uint32_t seed, std::uint32_t check) noexcept {
  // An empty slot is 0.
  return mix64((std::uint64_t{seed} << 32 | check) ^ mix64(std::bit_cast<std::uintptr_t>(value))) | 1U;
}

}  // namespace

std::uint32_t check_of(const Table& table, std::string_view key, std::string_view value) noexcept {
  return crc32c(value, seed_of(table, key));
}

void CheckedValues::Free::operator()(std::uint64_t* slots) const noexcept { std::free(slots); }  // NOLINT

void CheckedValues::resize(std::uint64_t pages) {
  const std::size_t slots = std::bit_ceil(std::clamp<std::size_t>(pages, 1U << 10U, 1U << 20U));
  // Memory that is never touched takes no space.
  slots_.reset(static_cast<std::uint64_t*>(std::calloc(slots, sizeof(std::uint64_t))));  // NOLINT
  mask_ = slots - 1;
}

std::size_t CheckedValues::slot_of(const char* value) const noexcept {
  constexpr unsigned kPageBits = 12;
  return static_cast<std::size_t>(mix64(std::bit_cast<std::uintptr_t>(value) >> kPageBits)) & mask_;
}

bool CheckedValues::contains(const char* value, std::uint32_t seed, std::uint32_t check) const noexcept {
  if (slots_ == nullptr) return false;
  const std::atomic_ref<std::uint64_t> slot(slots_[slot_of(value)]);
  return slot.load(std::memory_order_relaxed) == fingerprint(value, seed, check);
}

void CheckedValues::add(const char* value, std::uint32_t seed, std::uint32_t check) noexcept {
  if (slots_ == nullptr) return;
  const std::atomic_ref<std::uint64_t> slot(slots_[slot_of(value)]);
  slot.store(fingerprint(value, seed, check), std::memory_order_relaxed);
}

std::optional<std::string_view> take_check(const Table& table, std::string_view key, std::string_view stored,
                                           CheckedValues& known) noexcept {
  if (stored.size() < kCheckBytes) return std::nullopt;
  const std::string_view value = stored.substr(0, stored.size() - kCheckBytes);
  const std::uint32_t check = load_u32(stored.data() + value.size());
  const std::uint32_t seed = seed_of(table, key);
  const bool is_large = value.size() >= kRemembered;
  if (is_large && known.contains(value.data(), seed, check)) return value;
  if (crc32c(value, seed) != check) return std::nullopt;
  if (is_large) known.add(value.data(), seed, check);
  return value;
}

bool is_sound_leaf(const char* page, const char* map, std::size_t page_bytes) noexcept {
  constexpr std::size_t kNode = 8;
  constexpr unsigned kBigData = 1;
  const std::size_t lower = load_u16(page + 12);
  const std::size_t upper = load_u16(page + 14);
  if (load_u64(page) * page_bytes != static_cast<std::size_t>(page - map) ||
      load_u16(page + 10) != Page::kLeaf || lower < Page::kHeaderBytes || lower > upper ||
      upper > page_bytes) {
    return false;
  }
  std::size_t sum = 0;
  for (std::size_t at = Page::kHeaderBytes; at < lower; at += 2) {
    const std::size_t begin = load_u16(page + at);
    if (begin < upper || begin + kNode > page_bytes) return false;
    const char* const node = page + begin;
    const std::size_t value = (load_u16(node + 4) & kBigData) != 0 ? sizeof(PageNumber) : load_u32(node);
    const std::size_t size = kNode + load_u16(node + 6) + value;
    sum += size + (size & 1U);
  }
  return sum == page_bytes - upper;
}

bool is_inside_pages(std::string_view stored, std::size_t page_bytes) noexcept {
  const std::size_t at = std::bit_cast<std::uintptr_t>(stored.data()) & (page_bytes - 1);
  if (at + stored.size() <= page_bytes) return true;
  // Only a value on overflow pages begins immediately after a page's header.
  const char* const page = stored.data() - at;
  return at == Page::kHeaderBytes && load_u16(page + 10) == Page::kOverflow &&
         at + stored.size() <= std::size_t{load_u32(page + 12)} * page_bytes;
}

std::string name_of_entry(const Table& table, std::string_view key) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  const bool is_text = !key.empty() && std::none_of(key.begin(), key.end(), is_control) &&
                       !validate_utf8(key, "key").has_error();
  std::string name = "table '" + std::string(table.name) + "'";
  if (key.empty()) return name;
  return name + ", key " + (is_text ? "'" + std::string(key) + "'" : hex_of(key));
}

}  // namespace akin::lmdb
