#include "extract/filter.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"

namespace akin::extract {

Result<Filter> parse_filter(std::string_view written) {
  const std::size_t equals = written.find('=');
  const auto wrong = [&](const char* reason) {
    return Error{Errc::invalid_argument, "extract-filter \"" + std::string(written) + "\"", reason,
                 "write TYPE=COMMAND: .tex=detex or application/x-tex=detex"};
  };
  if (equals == std::string_view::npos) return wrong("has no =");
  Filter filter{ascii_lower(trimmed(written.substr(0, equals))), {}};
  const bool suffix = filter.type.size() > 1 && filter.type.starts_with('.');
  if (!suffix && filter.type.find('/') == std::string::npos)
    return wrong("names neither a suffix of names nor a media type");
  for (const std::string_view word : split(written.substr(equals + 1), ' ')) {
    if (!word.empty()) filter.command.emplace_back(word);
  }
  if (filter.command.empty()) return wrong("has no command");
  return filter;
}

const Filter* filter_of_name(const std::vector<Filter>& filters, std::string_view name) {
  const std::string lower = ascii_lower(name);
  const Filter* longest = nullptr;
  for (const Filter& filter : filters) {
    if (!filter.type.starts_with('.') || !lower.ends_with(filter.type)) continue;
    if (longest == nullptr || filter.type.size() > longest->type.size()) longest = &filter;
  }
  return longest;
}

const Filter* filter_of_media(const std::vector<Filter>& filters, std::string_view media) {
  const auto found = std::ranges::find(filters, media, &Filter::type);
  return media.starts_with('.') || found == filters.end() ? nullptr : &*found;
}

}  // namespace akin::extract
