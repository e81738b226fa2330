#include "index/codec/stored_text.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

#include "base/parallel.h"
#include "base/text_codec.h"
#include "index/codec/encoding.h"
#include "index/codec/posting.h"

namespace akin {

namespace {

/// The first byte of a text in parts; compress_text makes others.
constexpr char kInParts = 2;
/// That byte, and the number of parts, u32.
constexpr std::uint64_t kHeadBytes = 5;
/// Bytes of a part's text, which takes 0.2 ms to decompress; smaller parts would take more room.
constexpr std::size_t kPart = std::size_t{128} << 10U;

/// Where a part that begins at `begin` ends: between two code points.
std::size_t part_end(std::string_view text, std::size_t begin) {
  if (text.size() - begin <= kPart) return text.size();
  std::size_t end = begin + kPart;
  while (end > begin + 1 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return end;
}

}  // namespace

Result<std::string> encode_text(std::string_view text) {
  if (text.size() <= kWholeText) return compress_text(text);
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at < text.size(); at += parts.back().size())
    parts.push_back(text.substr(at, part_end(text, at) - at));
  std::vector<Result<std::string>> made(parts.size(), std::string());
  for_each_index(parts.size(), [&](std::size_t i) { made[i] = compress_text(parts[i]); });
  std::string stored(1, kInParts);
  append_u32(stored, static_cast<std::uint32_t>(parts.size()));
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    AKIN_CHECK(made[i]);
    append_u32(stored, static_cast<std::uint32_t>(parts[i].size()));
    append_u32(stored, static_cast<std::uint32_t>(made[i]->size()));
    bytes += made[i]->size();
  }
  stored.reserve(stored.size() + bytes);
  for (const Result<std::string>& part : made) stored += *part;
  return stored;
}

StoredText::StoredText(std::string whole) : size_(whole.size()), whole_(std::move(whole)), has_whole_(true) {}

Error StoredText::broken() const {
  return corrupt(where_, "its text cannot be decompressed to the length that its record gives");
}

Error StoredText::no_such_words() const {
  return corrupt(where_, "the words that are kept of its text lie outside of it");
}

Result<StoredText> StoredText::of(std::string_view stored, std::uint64_t text_bytes, std::string where) {
  const auto read = [stored](std::uint64_t begin, std::uint64_t end, std::string&) {
    return Result<std::string_view>(stored.substr(begin, end - begin));
  };
  return of(StoredBytes{stored.size(), read}, text_bytes, std::move(where));
}

Result<StoredText> StoredText::owning(std::string stored, std::uint64_t text_bytes, std::string where) {
  const auto kept = std::make_shared<const std::string>(std::move(stored));
  const auto read = [kept](std::uint64_t begin, std::uint64_t end, std::string&) {
    return Result<std::string_view>(std::string_view(*kept).substr(begin, end - begin));
  };
  return of(StoredBytes{kept->size(), read}, text_bytes, std::move(where));
}

Result<StoredText> StoredText::of(StoredBytes stored, std::uint64_t text_bytes, std::string where) {
  StoredText text;
  text.size_ = text_bytes;
  text.where_ = std::move(where);
  text.stored_ = std::move(stored);
  AKIN_CHECK(text.find_parts());
  return text;
}

Result<void> StoredText::find_parts() {
  if (stored_.size == 0) return broken();
  std::string buffer;
  AKIN_TRY(std::string_view head, stored_.read(0, std::min(kHeadBytes, stored_.size), buffer));
  if (!head.starts_with(kInParts)) return {};
  ByteReader reader(head.substr(1));
  const std::uint32_t count = reader.u32();
  constexpr std::uint64_t kEntryBytes = 8;
  const std::uint64_t parts = kHeadBytes + count * kEntryBytes;
  if (!reader.ok() || count == 0 || parts > stored_.size) return broken();
  AKIN_TRY(head, stored_.read(kHeadBytes, parts, buffer));
  ByteReader entries(head);
  std::uint64_t at = 0, stored_at = parts;
  parts_.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t begin = at, stored_begin = stored_at;
    at += entries.u32();
    stored_at += entries.u32();
    parts_.push_back({begin, at, stored_begin, stored_at});
    if (at == begin) return broken();
  }
  if (!entries.finished() || at != size_ || stored_at != stored_.size) return broken();
  text_ = std::make_unique_for_overwrite<char[]>(size_);
  return {};
}

Result<void> StoredText::read_parts(std::vector<Part*> parts, char* text) {
  std::erase_if(parts, [](const Part* part) { return part->is_read; });
  std::string buffer;
  for (std::size_t first = 0, last = 0; first < parts.size(); first = last) {
    const std::uint64_t begin = parts[first]->stored_begin;
    for (++last; last < parts.size() && parts[last]->stored_begin == parts[last - 1]->stored_end;) ++last;
    AKIN_TRY(const std::string_view stored, stored_.read(begin, parts[last - 1]->stored_end, buffer));
    std::atomic<bool> all = true;
    for_each_index(last - first, [&](std::size_t i) {
      Part& part = *parts[first + i];
      const std::optional<std::string> made =
          decompress_text(stored.substr(part.stored_begin - begin, part.stored_end - part.stored_begin),
                          part.end - part.begin);
      if (made) {
        std::ranges::copy(*made, text + part.begin);
        part.is_read = true;
      } else {
        all = false;
      }
    });
    if (!all) return broken();
  }
  return {};
}

Result<void> StoredText::read_whole() {
  if (has_whole_) return {};
  std::string buffer;
  AKIN_TRY(const std::string_view stored, stored_.read(0, stored_.size, buffer));
  std::optional<std::string> whole = decompress_text(stored, size_);
  if (!whole) return broken();
  whole_ = *std::move(whole);
  has_whole_ = true;
  return {};
}

Result<std::string_view> StoredText::read(std::uint64_t begin, std::uint64_t end) {
  if (begin > end || end > size_) return no_such_words();
  if (parts_.empty()) {
    AKIN_CHECK(read_whole());
    return std::string_view(whole_).substr(begin, end - begin);
  }
  if (begin == end) return std::string_view();
  std::vector<Part*> wanted;
  for (auto part = std::ranges::upper_bound(parts_, begin, {}, &Part::end);
       part != parts_.end() && part->begin < end; ++part) {
    wanted.push_back(&*part);
  }
  AKIN_CHECK(read_parts(std::move(wanted), text_.get()));
  return std::string_view(text_.get() + begin, end - begin);
}

Result<std::string> StoredText::take() && {
  if (parts_.empty()) {
    AKIN_CHECK(read_whole());
    has_whole_ = false;
    return std::move(whole_);
  }
  std::string text(size_, '\0');
  std::vector<Part*> all;
  for (Part& part : parts_) {
    part.is_read = false;
    all.push_back(&part);
  }
  AKIN_CHECK(read_parts(std::move(all), text.data()));
  return text;
}

}  // namespace akin
