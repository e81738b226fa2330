#include "extract/html/html_attributes.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/ascii.h"
#include "base/base64.h"
#include "base/hex.h"
#include "extract/text_layout.h"
#include "extract/xml_view.h"

namespace akin::extract {

namespace {

/// Their content has no elements.
constexpr std::array<std::string_view, 2> kRawText = {"script", "style"};

constexpr bool is_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string_view attribute_of(const unsigned char* const* attributes, std::string_view wanted) {
  for (; attributes != nullptr && *attributes != nullptr; attributes += 2)
    if (xml_view(attributes[0]) == wanted) return xml_view(attributes[1]);
  return {};
}

class Scan {
 public:
  explicit Scan(std::string& page) : page_(page) {}

  void run() {
    while ((at_ = std::min(page_.find('<', at_), page_.size())) < page_.size()) {
      const std::string_view rest = std::string_view(page_).substr(at_);
      if (rest.starts_with("<!--")) {
        skip_past("-->", 4);
      } else if (rest.size() > 1 && is_letter(rest[1])) {
        element();
      } else {
        ++at_;
      }
    }
  }

 private:
  [[nodiscard]] bool more() const noexcept { return at_ < page_.size() && page_[at_] != '>'; }

  void skip_past(std::string_view mark, std::size_t from) {
    const auto found = page_.find(mark, at_ + from);
    at_ = found == std::string::npos ? page_.size() : found + mark.size();
  }

  void element() {
    const std::size_t name = ++at_;
    while (more() && !is_markup_space(page_[at_]) && page_[at_] != '/') ++at_;
    const std::string raw =
        ascii_lower(std::string_view(page_).substr(name, std::min<std::size_t>(at_ - name, 8)));
    for (std::size_t count = 0; more();) {
      if (is_markup_space(page_[at_]) || page_[at_] == '/') {
        ++at_;
        continue;
      }
      const std::size_t begin = at_;
      attribute();
      if (++count > kMostAttributes)
        std::fill(page_.begin() + static_cast<std::ptrdiff_t>(begin),
                  page_.begin() + static_cast<std::ptrdiff_t>(at_), ' ');
    }
    if (std::ranges::find(kRawText, raw) != kRawText.end()) skip_past("</", 0);
  }

  /// NAME, NAME=VALUE, NAME="VALUE" or NAME='VALUE'; at least one byte.
  void attribute() {
    ++at_;
    while (more() && !is_markup_space(page_[at_]) && page_[at_] != '=' && page_[at_] != '/') ++at_;
    std::size_t next = at_;
    while (next < page_.size() && is_markup_space(page_[next])) ++next;
    if (next >= page_.size() || page_[next] != '=') return;
    at_ = next + 1;
    while (at_ < page_.size() && is_markup_space(page_[at_])) ++at_;
    if (at_ < page_.size() && (page_[at_] == '"' || page_[at_] == '\'')) {
      skip_past(std::string_view(page_).substr(at_, 1), 1);
    } else {
      while (more() && !is_markup_space(page_[at_])) ++at_;
    }
  }

  std::string& page_;
  std::size_t at_ = 0;
};

/// The drawing (SVG) that an address has in itself; empty for any other.
std::string drawing_of(std::string_view address) {
  if (!address.starts_with("data:image/svg+xml")) return {};
  std::string data = data_of_address(address);
  return data.find("<svg") == std::string::npos ? std::string() : data;
}

}  // namespace

std::string data_of_address(std::string_view address) {
  const std::size_t comma = address.find(',');
  if (comma == std::string_view::npos) return {};
  std::string data = percent_decoded(address.substr(comma + 1));
  if (!address.substr(0, comma).ends_with(";base64")) return data;
  std::erase_if(data, is_markup_space);
  return bytes_of_base64(data).value_or("");
}

void limit_attributes(std::string& page) { Scan(page).run(); }

bool is_field(std::string_view name) { return name == "input" || name == "option" || name == "optgroup"; }

std::string page_of_frame(std::string_view name, const unsigned char* const* attributes) {
  const std::string drawing = drawing_of(attribute_of(attributes, name == "object" ? "data" : "src"));
  if (!drawing.empty()) return "<div>" + drawing + "</div>";
  if (name != "iframe") return {};
  const std::string_view page = attribute_of(attributes, "srcdoc");
  return page.empty() ? std::string() : "<div>" + std::string(page) + "</div>";
}

std::string data_of_frame(std::string_view name, const unsigned char* const* attributes) {
  if (name != "iframe" && name != "embed" && name != "object") return {};
  const std::string_view address = attribute_of(attributes, name == "object" ? "data" : "src");
  return address.starts_with("data:text/") ? " " + std::string(address) : std::string();
}

bool is_shown_template(std::string_view name, const unsigned char* const* attributes) {
  return name == "template" && !attribute_of(attributes, "shadowrootmode").empty();
}

std::string text_of_field(std::string_view element, const unsigned char* const* attributes) {
  if (element != "input") return std::string(attribute_of(attributes, "label"));
  constexpr std::array<std::string_view, 8> kWithText = {"",       "button", "email", "reset",
                                                         "search", "submit", "tel",   "text"};
  std::string_view type, value, placeholder;
  for (; attributes != nullptr && *attributes != nullptr; attributes += 2) {
    const std::string_view name = xml_view(attributes[0]);
    if (name == "type") type = xml_view(attributes[1]);
    if (name == "value") value = xml_view(attributes[1]);
    if (name == "placeholder") placeholder = xml_view(attributes[1]);
  }
  if (std::ranges::find(kWithText, ascii_lower(type)) == kWithText.end()) return {};
  return std::string(value.empty() ? placeholder : value);
}

}  // namespace akin::extract
