#include "extract/child/office/doc_properties.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/rfc3339.h"
#include "base/utf8.h"
#include "extract/child/code_pages.h"

namespace akin::extract {

namespace {

constexpr std::uint32_t kCodePage = 1, kTitle = 2, kAuthor = 4, kCreated = 12;

/// The values of the first set of properties, each with its type before it.
std::map<std::uint32_t, std::string_view> values_of(std::string_view stream) {
  constexpr std::size_t kFirstSet = 44, kEntry = 8;
  std::map<std::uint32_t, std::string_view> values;
  if (stream.size() < kFirstSet + 4) return values;
  const std::size_t begin = load_u32(stream.data() + kFirstSet);
  if (begin > stream.size() || stream.size() - begin < kEntry) return values;
  const std::string_view set = stream.substr(begin);
  const std::size_t count = load_u32(set.data() + 4);
  for (std::size_t i = 0; i < count && kEntry * (i + 2) <= set.size(); ++i) {
    const char* entry = set.data() + kEntry * (i + 1);
    const std::size_t offset = load_u32(entry + 4);
    if (offset < set.size() && set.size() - offset >= 8) values[load_u32(entry)] = set.substr(offset);
  }
  return values;
}

std::string property_text_of(std::string_view value, std::uint32_t page) {
  constexpr std::uint32_t kText = 30;
  if (load_u32(value.data()) != kText) return {};
  std::string_view bytes = value.substr(8, load_u32(value.data() + 4));
  bytes = bytes.substr(0, bytes.find('\0'));
  constexpr std::uint32_t kUtf8 = 65001;
  CodePages pages;
  if (page == kUtf8) return validate_utf8(bytes, "").has_value() ? std::string(bytes) : std::string();
  return pages.decode(bytes, page);
}

/// The time of Windows, in units of 100 ns since 1601, as a date; none before 1970.
std::string doc_date_of(std::string_view value) {
  constexpr std::uint32_t kTime = 64;
  if (load_u32(value.data()) != kTime || value.size() < 12) return {};
  constexpr std::uint64_t kUnits = 10'000'000, kToUnix = 11'644'473'600, kMost = 253'402'300'800;
  constexpr std::size_t kDate = 10;
  const std::uint64_t seconds = load_u64(value.data() + 4) / kUnits;
  if (seconds < kToUnix || seconds - kToUnix >= kMost) return {};
  return format_rfc3339((seconds - kToUnix) * 1'000'000).substr(0, kDate);
}

}  // namespace

void read_doc_properties(const CompoundFile& file, FileMetadata& metadata) {
  const auto stream = file.stream("\x05SummaryInformation");
  if (stream.has_error()) return;
  const auto values = values_of(*stream);
  std::uint32_t page = 1252;
  if (const auto found = values.find(kCodePage); found != values.end())
    page = load_u16(found->second.data() + 4);
  if (const auto found = values.find(kTitle); found != values.end())
    metadata.title = property_text_of(found->second, page);
  if (const auto found = values.find(kAuthor); found != values.end())
    metadata.authors.push_back(property_text_of(found->second, page));
  if (const auto found = values.find(kCreated); found != values.end())
    metadata.date = doc_date_of(found->second);
}

}  // namespace akin::extract
