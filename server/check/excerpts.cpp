#include "server/check/excerpts.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"

namespace akin::check {

using json::Json;

namespace {

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

/// The place with kKeptAround on both sides, or as much as there is.
Result<TextPlace> widened(TextPlace place, akin::StoredText& text) {
  constexpr std::uint32_t kMostBytes = 4 * kKeptAround;
  const std::uint32_t begin = place.bytes.begin - std::min(place.bytes.begin, kMostBytes);
  const auto end = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(text.size(), std::uint64_t{place.bytes.end} + kMostBytes));
  AKIN_TRY(const std::string_view bytes, text.read(begin, end));
  for (std::uint32_t kept = 0; kept < kKeptAround && place.bytes.begin > begin; ++kept) {
    while (--place.bytes.begin > begin && continues_character(bytes[place.bytes.begin - begin])) continue;
    --place.characters.begin;
  }
  for (std::uint32_t kept = 0; kept < kKeptAround && place.bytes.end < end; ++kept) {
    while (++place.bytes.end < end && continues_character(bytes[place.bytes.end - begin])) continue;
    ++place.characters.end;
  }
  return place;
}

}  // namespace

std::vector<TextPlace> places_of(std::string_view text, const std::vector<TextRange>& ranges) {
  const SlicedText sliced(text);
  std::vector<TextPlace> places;
  for (const TextRange& range : ranges) {
    const std::string_view slice = sliced.slice(range);
    const auto begin = static_cast<std::uint32_t>(slice.data() - text.data());
    places.push_back({range, {begin, begin + static_cast<std::uint32_t>(slice.size())}});
  }
  return places;
}

Result<std::vector<Excerpt>> cut_excerpts(akin::StoredText& text, std::vector<TextPlace> places) {
  const auto begin_of = [](const TextPlace& place) { return place.characters.begin; };
  std::ranges::sort(places, {}, begin_of);
  std::vector<TextPlace> wanted;
  for (const TextPlace& place : places) {
    AKIN_TRY(const TextPlace wide, widened(place, text));
    if (wanted.empty() || wide.characters.begin > wanted.back().characters.end) {
      wanted.push_back(wide);
    } else if (wide.characters.end > wanted.back().characters.end) {
      wanted.back().characters.end = wide.characters.end;
      wanted.back().bytes.end = wide.bytes.end;
    }
  }
  std::vector<Excerpt> excerpts;
  for (const TextPlace& place : wanted) {
    AKIN_TRY(const std::string_view bytes, text.read(place.bytes.begin, place.bytes.end));
    excerpts.push_back({place.characters.begin, std::string(bytes)});
  }
  return excerpts;
}

Json excerpts_array(const std::vector<Excerpt>& excerpts) {
  Json parts = Json::array();
  for (const Excerpt& one : excerpts) parts.push_back({{"at", one.at}, {"text", one.text}});
  return parts;
}

Excerpts::Part::Part(std::uint32_t begin, std::string_view utf8)
    : range{begin, begin + static_cast<std::uint32_t>(count_code_points(utf8))}, text(utf8), sliced(text) {}

Excerpts Excerpts::whole(std::string_view text) {
  Excerpts excerpts;
  excerpts.parts_.emplace_back(0, text);
  return excerpts;
}

Excerpts Excerpts::read(const Json& parts) {
  Excerpts excerpts;
  for (const Json& part : parts)
    excerpts.parts_.emplace_back(part.at("at").get<std::uint32_t>(),
                                 part.at("text").get_ref<const std::string&>());
  return excerpts;
}

std::optional<std::string_view> Excerpts::slice(TextRange range) const {
  for (const Part& part : parts_) {
    if (range.begin < part.range.begin || range.end > part.range.end) continue;
    return part.sliced.slice({range.begin - part.range.begin, range.end - part.range.begin});
  }
  return std::nullopt;
}

std::optional<Excerpts> excerpts_of(const Json& kept, const Json& source) {
  for (const Json& one : kept) {
    if (one.at("collection") == source.at("collection") && one.at("id") == source.at("id"))
      return Excerpts::read(one.at("parts"));
  }
  return std::nullopt;
}

}  // namespace akin::check
