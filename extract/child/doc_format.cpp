#include "extract/child/doc_format.h"

#include <algorithm>
#include <functional>

#include "base/bytes.h"

namespace akin::extract {

namespace {

/// Formats are in pages of 512 bytes, whose last byte counts its entries.
constexpr std::size_t kFormatPage = 512;

/// Calls `use` with the range and the page's offset of each entry; `stride`: bytes of an entry's reference.
void for_entries(
    std::string_view main, std::string_view pages, std::size_t stride,
    const std::function<void(std::uint32_t, std::uint32_t, std::string_view, std::size_t)>& use) {
  // n + 1 offsets of text, then n numbers of pages.
  if (pages.size() < 4) return;
  const std::size_t count = (pages.size() - 4) / 8;
  for (std::size_t i = 0; i < count; ++i) {
    constexpr std::uint32_t kNumber = 0x3FFFFF;
    const std::size_t at = (load_u32(pages.data() + 4 * (count + 1 + i)) & kNumber) * kFormatPage;
    if (at + kFormatPage > main.size()) continue;
    const std::string_view page = main.substr(at, kFormatPage);
    const std::size_t entries = static_cast<unsigned char>(page.back());
    if (4 * (entries + 1) + stride * entries >= kFormatPage) continue;
    for (std::size_t entry = 0; entry < entries; ++entry) {
      const std::size_t reference = 4 * (entries + 1) + stride * entry;
      const std::size_t offset = std::size_t{2} * static_cast<unsigned char>(page[reference]);
      use(load_u32(page.data() + 4 * entry), load_u32(page.data() + 4 * (entry + 1)), page, offset);
    }
  }
}

/// Bytes of a property's value, its own length with it; 0 if it cannot be known.
std::size_t value_size(std::uint16_t property, std::string_view rest) {
  constexpr std::uint16_t kTable = 0xD608, kTabs = 0xC615;
  switch (property >> 13U) {
    case 0:
    case 1:
      return 1;
    case 2:
    case 4:
    case 5:
      return 2;
    case 3:
      return 4;
    case 7:
      return 3;
    default:
      break;
  }
  if (property == kTable) return rest.size() < 2 ? 0 : std::size_t{load_u16(rest.data())} + 1;
  if (rest.empty()) return 0;
  const std::size_t size = static_cast<unsigned char>(rest.front());
  return property == kTabs && size == 255 ? 0 : size + 1;
}

void set_way(HidingSet& ways, Hiding way, bool on) {
  ways = static_cast<HidingSet>(on ? ways | set_of(way) : ways & ~set_of(way));
}

}  // namespace

void apply_properties(std::string_view list, DocLetters& letters) {
  constexpr std::uint16_t kDeleted = 0x0800, kVanish = 0x083C, kHalfPoints = 0x4A43;
  constexpr std::uint16_t kTiny = 4;  // half points
  while (list.size() > 2) {
    const std::uint16_t property = load_u16(list.data());
    list.remove_prefix(2);
    const std::size_t size = value_size(property, list);
    if (size == 0 || size > list.size()) return;
    // 0 is off, 1 on; 128 and 129 refer to the style, which is not read.
    if (property == kDeleted) letters.deleted = list.front() == 1;
    if (property == kVanish) set_way(letters.hidden, Hiding::switched_off, list.front() == 1);
    if (property == kHalfPoints) set_way(letters.hidden, Hiding::size, load_u16(list.data()) < kTiny);
    list.remove_prefix(size);
  }
}

DocRuns<DocLetters> read_letters(std::string_view main, std::string_view pages) {
  DocRuns<DocLetters> runs;
  for_entries(main, pages, 1,
              [&](std::uint32_t begin, std::uint32_t end, std::string_view page, std::size_t offset) {
                if (offset == 0) return;
                const std::size_t size = static_cast<unsigned char>(page[offset]);
                DocLetters letters;
                apply_properties(page.substr(offset + 1, size), letters);
                if (letters != DocLetters()) runs.add({begin, end, letters});
              });
  return runs;
}

DocRuns<std::uint16_t> read_styles(std::string_view main, std::string_view pages) {
  constexpr std::size_t kReference = 13;
  DocRuns<std::uint16_t> runs;
  for_entries(main, pages, kReference,
              [&](std::uint32_t begin, std::uint32_t end, std::string_view page, std::size_t offset) {
                if (offset == 0) return;
                // A length of 0 is followed by the real one.
                const std::size_t style = offset + (page[offset] == 0 ? 2 : 1);
                if (style + 2 > kFormatPage) return;
                const std::uint16_t number = load_u16(page.data() + style);
                if (number != 0) runs.add({begin, end, number});
              });
  return runs;
}

}  // namespace akin::extract
