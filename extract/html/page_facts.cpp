#include "extract/html/page_facts.h"

#include <charconv>
#include <utility>

#include "base/ascii.h"
#include "extract/xml_view.h"

namespace akin::extract {

namespace {

/// The value of an attribute; empty if the element does not have it.
std::string_view value_of(const unsigned char** attributes, std::string_view name) {
  for (; attributes != nullptr && *attributes != nullptr; attributes += 2) {
    if (xml_view(attributes[0]) == name) return xml_view(attributes[1]);
  }
  return {};
}

constexpr std::string_view kBlanks = " \n\t\r\f";

/// Pictures of one or two pixels count visitors.
bool is_pixel(const unsigned char** attributes) {
  for (const std::string_view side : {"width", "height"}) {
    const std::string_view value = value_of(attributes, side);
    unsigned pixels = 0;
    const auto read = std::from_chars(value.data(), value.data() + value.size(), pixels);
    if (read.ec == std::errc() && read.ptr == value.data() + value.size() && pixels <= 2) return true;
  }
  return false;
}

}  // namespace

void FactCollector::state(std::string_view name, std::string_view value) {
  value = trimmed(value, kBlanks);
  if (name.empty() || value.empty() || name.size() > kMostStatement || value.size() > kMostStatement) return;
  if (facts_.statements.size() < kMostStatements)
    facts_.statements.push_back({ascii_lower(name), std::string(value)});
}

void FactCollector::element(std::string_view name, const unsigned char** attributes) {
  if (name == "meta") {
    for (const std::string_view by : {"property", "name", "itemprop"}) {
      const std::string_view about = value_of(attributes, by);
      if (about.empty()) continue;
      state(about, value_of(attributes, "content"));
      break;
    }
  } else if (name == "link" && equals_ignoring_case(value_of(attributes, "rel"), "canonical")) {
    state("canonical", value_of(attributes, "href"));
  } else if (name == "base") {
    state("base", value_of(attributes, "href"));
  } else if (name == "script") {
    in_linked_data_ =
        equals_ignoring_case(trimmed(value_of(attributes, "type"), kBlanks), "application/ld+json");
  }
}

void FactCollector::shown_element(std::string_view name, const unsigned char** attributes) {
  if (name == "a") {
    const std::string_view href = trimmed(value_of(attributes, "href"), kBlanks);
    if (!href.empty() && href.size() <= kMostStatement && facts_.links.size() < kMostLinks)
      facts_.links.emplace_back(href);
  } else if (name == "time") {
    const std::string_view time = trimmed(value_of(attributes, "datetime"), kBlanks);
    if (!time.empty() && time.size() <= kMostStatement && facts_.times.size() < kMostLinks)
      facts_.times.emplace_back(time);
  } else if (name == "img" || name == "video") {
    if (facts_.images < kMostImages && !is_pixel(attributes)) ++facts_.images;
  }
}

void FactCollector::end(std::string_view name) {
  if (name != "script" || !std::exchange(in_linked_data_, false)) return;
  std::string data = std::exchange(data_, {});
  data_bytes_ += data.size();
  if (data_bytes_ <= kMostLinkedData) facts_.linked_data.push_back(std::move(data));
}

void FactCollector::back_to(const Mark& mark) {
  facts_.times.resize(mark.times);
  facts_.links.resize(mark.links);
  facts_.images = mark.images;
}

}  // namespace akin::extract
