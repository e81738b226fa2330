#include "server/ingest/page_metadata.h"

#include <libxml/uri.h>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <optional>
#include <regex>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/rfc3339.h"
#include "extract/text_layout.h"
#include "server/json/strict_json.h"

namespace akin::ingest {

namespace {

using extract::PageFacts;
using json::Json;

constexpr std::size_t kMostName = 256;  ///< bytes of an author or a site
constexpr std::size_t kMostAuthors = 16;

bool is_address(std::string_view text) { return text.starts_with("http://") || text.starts_with("https://"); }

std::string one_line_name(std::string_view written) {
  extract::TextLayout line;
  line.flow(written);
  const std::string name = std::move(line).take();
  return std::string(extract::whole_characters(name, kMostName));
}

/// The value of a string; empty for any other value.
std::string text_of(const Json* value) {
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

/// The objects of schema.org in the page's scripts.
class LinkedData {
 public:
  explicit LinkedData(const PageFacts& facts) {
    for (const std::string& script : facts.linked_data) {
      if (auto value = json::parse_json(script); value.has_value()) add(*std::move(value));
    }
    const auto dated = std::ranges::find_if(
        objects_, [](const Json& object) { return !text_of(member(object, "datePublished")).empty(); });
    if (dated != objects_.end()) article_ = &*dated;
  }

  /// A field of the first object that has a date of publication; empty without one.
  [[nodiscard]] std::string text(std::string_view field) const {
    return article_ == nullptr ? std::string() : text_of(member(*article_, field));
  }

  /// The names of a field's persons or organisations.
  [[nodiscard]] std::vector<std::string> names(std::string_view field) const {
    const Json* value = article_ == nullptr ? nullptr : member(*article_, field);
    if (value == nullptr) return {};
    std::vector<std::string> names;
    if (!value->is_array()) return {name_of(*value)};
    for (const Json& one : *value) names.push_back(name_of(one));
    return names;
  }

 private:
  static const Json* member(const Json& object, std::string_view name) {
    if (!object.is_object()) return nullptr;
    const auto found = object.find(name);
    return found == object.end() ? nullptr : &*found;
  }

  void add(Json value) {
    if (value.is_array()) {
      for (Json& one : value) add_object(std::move(one));
    } else {
      add_object(std::move(value));
    }
  }

  void add_object(Json object) {
    if (!object.is_object()) return;
    if (const auto graph = object.find("@graph"); graph != object.end() && graph->is_array()) {
      for (Json& one : *graph) objects_.push_back(std::move(one));
    }
    objects_.push_back(std::move(object));
  }

  /// "N. N.", {"name": "N. N."}, or {"@id": of an object with a name}
  [[nodiscard]] std::string name_of(const Json& value) const {
    if (value.is_string()) return value.get<std::string>();
    std::string name = text_of(member(value, "name"));
    const std::string id = text_of(member(value, "@id"));
    if (!name.empty() || id.empty()) return name;
    for (const Json& object : objects_) {
      if (text_of(member(object, "@id")) == id) return text_of(member(object, "name"));
    }
    return {};
  }

  std::vector<Json> objects_;
  const Json* article_ = nullptr;
};

/// All values that a page states under a name.
std::vector<std::string> stated(const PageFacts& facts, std::string_view name) {
  std::vector<std::string> values;
  for (const auto& statement : facts.statements) {
    if (statement.name == name) values.push_back(statement.value);
  }
  return values;
}

/// A place of the page that may have a field.
using Place = std::vector<std::string>;

std::string first_date(std::initializer_list<Place> places) {
  for (const Place& place : places) {
    for (const std::string& written : place) {
      if (std::string date = rfc3339_of_page(written); !date.empty()) return date;
    }
  }
  return {};
}

/// The names in the first place that has any; an address is not a name.
std::vector<std::string> first_names(std::initializer_list<Place> places) {
  for (const Place& place : places) {
    std::vector<std::string> names;
    for (const std::string& written : place) {
      std::string name = one_line_name(written);
      const bool known = std::ranges::find(names, name) != names.end();
      if (!name.empty() && !is_address(name) && !known && names.size() < kMostAuthors)
        names.push_back(std::move(name));
    }
    if (!names.empty()) return names;
  }
  return {};
}

struct FreeXml {
  void operator()(xmlChar* text) const noexcept { xmlFree(text); }
};

/// The absolute address that `link` means on a page at `base`, without its fragment; empty if there is none,
/// or it is not one of the web.
std::string absolute(const std::string& link, const std::string& base) {
  std::string bare = link.substr(0, link.find('#'));
  if (bare.empty()) return {};
  if (is_address(bare)) return bare;
  if (base.empty()) return {};
  const std::unique_ptr<xmlChar, FreeXml> built(xmlBuildURI(reinterpret_cast<const xmlChar*>(bare.c_str()),
                                                            reinterpret_cast<const xmlChar*>(base.c_str())));
  if (built == nullptr) return {};
  std::string address = reinterpret_cast<const char*>(built.get());
  return is_address(address) ? address : std::string();
}

std::string first_address(std::initializer_list<Place> places) {
  for (const Place& place : places) {
    for (const std::string& written : place) {
      if (is_address(written)) return written;
    }
  }
  return {};
}

}  // namespace

std::string rfc3339_of_page(std::string_view written) {
  written = trimmed(written);
  if (parse_rfc3339(written)) return std::string(written);
  constexpr std::size_t kLongest = 64;
  if (written.size() > kLongest) return {};
  static const std::regex form(
      R"((\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[Tt ]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)? *(?:Z|UTC|GMT|([+-]\d{2}):?(\d{2}))?)?)");
  std::cmatch found;
  if (!std::regex_match(written.data(), written.data() + written.size(), found, form)) return {};
  const auto two_digits = [&](std::size_t group) {
    const std::string digits = found[group].str();
    return std::string(digits.size() < 2 ? 2 - digits.size() : 0, '0') + digits;
  };
  std::string date = found[1].str() + "-" + two_digits(2) + "-" + two_digits(3);
  if (found[4].matched) {
    date += "T" + two_digits(4) + ":" + two_digits(5) + ":" + two_digits(6);
    date += found[7].matched ? found[7].str() + ":" + found[8].str() : "Z";
  }
  return parse_rfc3339(date) ? date : std::string();
}

void describe_page(extract::FileMetadata& metadata, const PageFacts& facts) {
  const LinkedData data(facts);
  const auto meta = [&](std::string_view name) { return stated(facts, name); };
  metadata.date = first_date({meta("article:published_time"),
                              {data.text("datePublished")},
                              meta("datepublished"),
                              meta("date"),
                              meta("pubdate"),
                              meta("dc.date.issued"),
                              meta("dcterms.issued"),
                              meta("dc.date"),
                              meta("citation_publication_date"),
                              meta("parsely-pub-date"),
                              facts.times});
  metadata.authors = first_names({meta("author"), data.names("author"), meta("article:author"),
                                  meta("dc.creator"), meta("citation_author"), meta("parsely-author")});
  const auto sites = first_names({meta("og:site_name"), data.names("publisher"), meta("dc.publisher"),
                                  meta("citation_journal_title"), meta("application-name")});
  if (!sites.empty()) metadata.site = sites.front();
  metadata.address =
      first_address({meta("canonical"), meta("og:url"), {data.text("url")}, {data.text("mainEntityOfPage")}});
  const std::string base = first_address({meta("base"), {metadata.address}});
  for (const std::string& link : facts.links) {
    std::string address = absolute(link, base);
    if (!address.empty() && std::ranges::find(metadata.links, address) == metadata.links.end())
      metadata.links.push_back(std::move(address));
  }
  metadata.images = facts.images;
}

bool describes_page(const extract::FileMetadata& metadata) {
  return !metadata.date.empty() || !metadata.authors.empty() || !metadata.site.empty() ||
         !metadata.address.empty() || !metadata.links.empty() || metadata.images > 0;
}

}  // namespace akin::ingest
