#include "extract/child/office/doc_format.h"

#include <algorithm>
#include <array>
#include <functional>

#include "base/bytes.h"
#include "extract/html/css_values.h"

namespace akin::extract {

namespace {

/// Formats are in pages of 512 bytes, whose last byte counts its entries.
constexpr std::size_t kFormatPage = 512;

/// How pages refer to what they hold: bytes of a page's number, and of an entry's reference.
struct PageLayout {
  std::size_t number = 4, stride = 1;
};
constexpr PageLayout kLetters97 = {4, 1}, kLetters6 = {2, 1}, kParagraphs97 = {4, 13}, kParagraphs6 = {2, 7};

/// Calls `use` with the range and the page's offset of each entry.
void for_entries(
    std::string_view main, std::string_view pages, const PageLayout& layout,
    const std::function<void(std::uint32_t, std::uint32_t, std::string_view, std::size_t)>& use) {
  // n + 1 offsets of text, then n numbers of pages.
  if (pages.size() < 4) return;
  const std::size_t count = (pages.size() - 4) / (4 + layout.number), stride = layout.stride;
  for (std::size_t i = 0; i < count; ++i) {
    constexpr std::uint32_t kNumber = 0x3FFFFF;
    const char* number = pages.data() + 4 * (count + 1) + layout.number * i;
    const std::size_t at = (layout.number == 2 ? load_u16(number) : load_u32(number) & kNumber) * kFormatPage;
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

/// Calls `use(property, value)` for each property of a list.
template <class Use>
void for_properties(std::string_view list, Use use) {
  while (list.size() > 2) {
    const std::uint16_t property = load_u16(list.data());
    list.remove_prefix(2);
    const std::size_t size = value_size(property, list);
    if (size == 0 || size > list.size()) return;
    use(property, list.substr(0, size));
    list.remove_prefix(size);
  }
}

/// The same of the properties of letters in Word 6, under the numbers that they have since Word 97.
template <class Use>
void for_old_properties(std::string_view list, Use use) {
  constexpr std::string_view kTwoBytes = "\x45\x48\x50\x5D\x60\x61\x63\x65\x69\x6A\x6B\x6D\x6E";
  constexpr std::string_view kCounted = "\x44\x4A\x51\x52\x67\x6C", kThreeBytes = "\x49\x5F",
                             kFourBytes = "\x46";
  constexpr unsigned char kFirst = 65, kLast = 118, kPlain = 83;
  while (list.size() > 1) {
    const char name = list.front();
    const auto number = static_cast<unsigned char>(name);
    if (number < kFirst || number > kLast) return;  // none of letters
    list.remove_prefix(1);
    const auto is_in = [&](std::string_view names) { return names.find(name) != std::string_view::npos; };
    std::size_t size = number == kPlain ? 0 : 1;
    if (is_in(kTwoBytes)) size = 2;
    if (is_in(kThreeBytes)) size = 3;
    if (is_in(kFourBytes)) size = 4;
    if (is_in(kCounted)) size = std::size_t{1} + static_cast<unsigned char>(list.front());
    if (size > list.size()) return;
    use(number, list.substr(0, size));
    list.remove_prefix(size);
  }
}

/// The style and properties of a paragraph, by the offset of its entry; empty if they pass the page's end.
std::string_view paragraph_format(std::string_view page, std::size_t offset) {
  const auto byte = [&](std::size_t at) { return std::size_t{static_cast<unsigned char>(page[at])}; };
  // Counted in words; a length of 0 is followed by the real one.
  const bool longer = byte(offset) == 0;
  const std::size_t begin = offset + (longer ? 2 : 1);
  if (begin + 2 > kFormatPage) return {};
  const std::size_t size = longer ? 2 * byte(offset + 1) : 2 * byte(offset) - 1;
  return page.substr(begin, std::max<std::size_t>(size, 2));
}

/// Of red, green, blue, and whether the colour is automatic.
bool is_white(std::string_view colour) {
  const auto part = [&](std::size_t at) { return static_cast<int>(static_cast<unsigned char>(colour[at])); };
  return part(3) == 0 && is_same_colour({part(0), part(1), part(2)}, kWhite);
}

}  // namespace

void apply_properties(std::string_view list, bool old, DocLetters& letters) {
  constexpr std::uint16_t kDeleted = 0x0800, kVanish = 0x083C, kHalfPoints = 0x4A43, kColour = 0x6870,
                          kColourNumber = 0x2A42, kShading = 0xCA71, kOldShading = 0x4866,
                          kHighlight = 0x2A0C;
  constexpr std::uint16_t kTiny = 4;  // half points
  constexpr char kWhiteNumber = 8;
  bool white = (letters.hidden & set_of(Hiding::colour)) != 0, on_ground = false;
  const auto apply = [&](std::uint16_t property, std::string_view value) {
    // 0 is off, 1 on; 128 and 129 refer to the style, which is not read.
    if (property == kDeleted) letters.deleted = value.front() == 1;
    if (property == kVanish) set_way(letters.hidden, Hiding::switched_off, value.front() == 1);
    if (property == kHalfPoints) set_way(letters.hidden, Hiding::size, load_u16(value.data()) < kTiny);
    if (property == kColour) white = is_white(value);
    if (property == kColourNumber) white = value.front() == kWhiteNumber;
    if (property == kShading || property == kOldShading || property == kHighlight) on_ground = true;
  };
  if (old) {
    for_old_properties(list, [&](unsigned char number, std::string_view value) {
      constexpr unsigned char kOldDeleted = 65, kOldVanish = 92, kOldColour = 98, kOldHalfPoints = 99;
      if (number == kOldDeleted) apply(kDeleted, value);
      if (number == kOldVanish) apply(kVanish, value);
      if (number == kOldColour) apply(kColourNumber, value);
      if (number == kOldHalfPoints) apply(kHalfPoints, value);
    });
  } else {
    for_properties(list, apply);
  }
  set_way(letters.hidden, Hiding::colour, white && !on_ground);
}

bool has_shading(std::string_view main, std::string_view pages) {
  constexpr std::array<std::uint16_t, 9> kShadings = {0x442D, 0xC64D, 0xD609, 0xD60C, 0xD612,
                                                      0xD616, 0xD660, 0xD670, 0xD671};
  bool found = false;
  for_entries(main, pages, kParagraphs97,
              [&](std::uint32_t, std::uint32_t, std::string_view page, std::size_t offset) {
                if (found || offset == 0) return;
                const std::string_view format = paragraph_format(page, offset);
                for_properties(format.substr(std::min<std::size_t>(format.size(), 2)),
                               [&](std::uint16_t property, std::string_view) {
                                 found = found || std::ranges::find(kShadings, property) != kShadings.end();
                               });
              });
  return found;
}

DocRuns<DocLetters> read_letters(std::string_view main, std::string_view pages, bool old) {
  DocRuns<DocLetters> runs;
  for_entries(main, pages, old ? kLetters6 : kLetters97,
              [&](std::uint32_t begin, std::uint32_t end, std::string_view page, std::size_t offset) {
                if (offset == 0) return;
                const std::size_t size = static_cast<unsigned char>(page[offset]);
                DocLetters letters;
                apply_properties(page.substr(offset + 1, size), old, letters);
                if (letters != DocLetters()) runs.add({begin, end, letters});
              });
  return runs;
}

DocRuns<std::uint16_t> read_styles(std::string_view main, std::string_view pages, bool old) {
  DocRuns<std::uint16_t> runs;
  for_entries(main, pages, old ? kParagraphs6 : kParagraphs97,
              [&](std::uint32_t begin, std::uint32_t end, std::string_view page, std::size_t offset) {
                if (offset == 0) return;
                const std::string_view format = paragraph_format(page, offset);
                if (format.size() < 2) return;
                const std::uint16_t number = load_u16(format.data());
                if (number != 0) runs.add({begin, end, number});
              });
  return runs;
}

}  // namespace akin::extract
