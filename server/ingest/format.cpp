#include "server/ingest/format.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "server/ingest/byte_source.h"
#include "server/ingest/wiki_dump.h"

namespace akin::ingest {

namespace {

using Entry = std::pair<std::string_view, Format>;

constexpr std::array kNames = {Entry{"auto", Format::automatic}, Entry{"text", Format::text},
                               Entry{"html", Format::html}, Entry{"mediawiki", Format::mediawiki}};

constexpr std::array kEnds = {Entry{".html", Format::html},          Entry{".htm", Format::html},
                              Entry{".xhtml", Format::html},         Entry{".shtml", Format::html},
                              Entry{".wiki", Format::mediawiki},     Entry{".mediawiki", Format::mediawiki},
                              Entry{".wikitext", Format::mediawiki}, Entry{".xml.bz2", Format::mediawiki}};

bool is_dump(const std::filesystem::path& path) {
  const auto source = ByteSource::open(path);
  if (source.has_error()) return false;  // the actual reader reports it
  const auto begin = (*source)->peek();
  return !begin.has_error() && begins_as_dump(*begin);
}

}  // namespace

Result<Format> find_format(std::string_view name) {
  const auto found = std::ranges::find(kNames, name, &Entry::first);
  if (found != kNames.end()) return found->second;
  return Error{Errc::invalid_argument, "format", "'" + std::string(name) + "' is not known",
               "give one of auto, text, html, mediawiki"};
}

Format format_of_name(const std::filesystem::path& path) {
  const std::string name = ascii_lower(path.filename().native());
  for (const auto& [end, format] : kEnds) {
    if (name.ends_with(end)) return format;
  }
  return Format::text;
}

Format format_of(const std::filesystem::path& path) {
  const Format format = format_of_name(path);
  const bool may_be_dump = format == Format::text && ascii_lower(path.extension().native()) == ".xml";
  return may_be_dump && is_dump(path) ? Format::mediawiki : format;
}

}  // namespace akin::ingest
