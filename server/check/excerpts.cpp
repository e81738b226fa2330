#include "server/check/excerpts.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"

namespace akin::check {

using json::Json;

Excerpts::Part::Part(std::uint32_t begin, std::string_view utf8)
    : range{begin, begin + static_cast<std::uint32_t>(count_code_points(utf8))}, text(utf8), sliced(text) {}

Excerpts Excerpts::whole(std::string_view text) {
  Excerpts excerpts;
  excerpts.parts_.emplace_back(0, text);
  return excerpts;
}

Excerpts Excerpts::around(std::string_view text, std::vector<TextRange> ranges) {
  const auto end = static_cast<std::uint32_t>(count_code_points(text));
  std::ranges::sort(ranges, {}, &TextRange::begin);
  std::vector<TextRange> wanted;
  for (const TextRange& range : ranges) {
    const TextRange wide{range.begin - std::min(range.begin, kKeptAround),
                         std::min(end, range.end + kKeptAround)};
    if (!wanted.empty() && wide.begin <= wanted.back().end) {
      wanted.back().end = std::max(wanted.back().end, wide.end);
    } else {
      wanted.push_back(wide);
    }
  }
  const SlicedText sliced(text);
  Excerpts excerpts;
  for (const TextRange& range : wanted) excerpts.parts_.emplace_back(range.begin, sliced.slice(range));
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

Json Excerpts::json() const {
  Json parts = Json::array();
  for (const Part& part : parts_) parts.push_back({{"at", part.range.begin}, {"text", part.text}});
  return parts;
}

std::size_t Excerpts::bytes() const noexcept {
  std::size_t bytes = 0;
  for (const Part& part : parts_) bytes += part.text.size();
  return bytes;
}

std::optional<Excerpts> excerpts_of(const Json& kept, const Json& source) {
  for (const Json& one : kept) {
    if (one.at("collection") == source.at("collection") && one.at("id") == source.at("id"))
      return Excerpts::read(one.at("parts"));
  }
  return std::nullopt;
}

}  // namespace akin::check
