#include "report/content.h"

#include <libxml/HTMLparser.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

namespace akin::report {

namespace {

struct FreeParser {
  void operator()(htmlParserCtxt* parser) const noexcept { htmlFreeParserCtxt(parser); }
};
struct FreePage {
  void operator()(xmlDoc* page) const noexcept { xmlFreeDoc(page); }
};
using Page = std::unique_ptr<xmlDoc, FreePage>;

Page parse(std::string_view html) {
  if (html.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw std::runtime_error("the report has more than 2 GiB");
  const std::unique_ptr<htmlParserCtxt, FreeParser> parser(htmlNewParserCtxt());
  if (parser == nullptr) throw std::bad_alloc();
  parser->options |= XML_PARSE_HUGE;  // a paragraph may have any length
  Page page(htmlCtxtReadMemory(parser.get(), html.data(), static_cast<int>(html.size()), nullptr, "UTF-8",
                               HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING |
                                   HTML_PARSE_NONET | HTML_PARSE_COMPACT));
  if (page == nullptr || xmlDocGetRootElement(page.get()) == nullptr)
    throw std::runtime_error("standard input is not a page of HTML");
  return page;
}

std::string_view view(const xmlChar* text) {
  return text == nullptr ? std::string_view() : reinterpret_cast<const char*>(text);
}

std::string attribute(const xmlNode* node, const char* name) {
  xmlChar* const value = xmlGetProp(node, reinterpret_cast<const xmlChar*>(name));
  std::string text(view(value));
  xmlFree(value);
  return text;
}

bool is_element(const xmlNode* node, std::string_view name) {
  return node->type == XML_ELEMENT_NODE && view(node->name) == name;
}

template <std::size_t kCount>
bool is_one_of(const xmlNode* node, const std::array<std::string_view, kCount>& names) {
  return node->type == XML_ELEMENT_NODE && std::ranges::find(names, view(node->name)) != names.end();
}

bool is_inline(const xmlNode* node) {
  constexpr std::array<std::string_view, 7> kNames = {"a", "strong", "em", "mark", "span", "br", "time"};
  return node->type == XML_TEXT_NODE || node->type == XML_ENTITY_REF_NODE || is_one_of(node, kNames);
}

bool is_for_the_screen(const xmlNode* node) {
  constexpr std::array<std::string_view, 6> kNames = {"form", "header", "nav", "style", "script", "head"};
  return node->type == XML_COMMENT_NODE || is_one_of(node, kNames) || attribute(node, "class") == "screen" ||
         attribute(node, "class") == "spoken";
}

/// 1 to 6; 0 for other elements.
int heading_level(const xmlNode* node) {
  const std::string_view name = node->type == XML_ELEMENT_NODE ? view(node->name) : "";
  return name.size() == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6' ? name[1] - '0' : 0;
}

constexpr std::string_view kBlanks = " \t\r\n";

class Reader {
 public:
  explicit Reader(const xmlNode* root) { find_anchors(root); }

  void read(const xmlNode* node) {
    for (const xmlNode* child = node->children; child != nullptr; child = child->next) {
      if (is_inline(child)) {
        add_inline(child, Stretch());
      } else {
        end_paragraph();
        read_block(child);
      }
    }
    end_paragraph();
  }

  std::vector<Part> parts() { return std::move(parts_); }

 private:
  void find_anchors(const xmlNode* node) {
    for (; node != nullptr; node = node->next) {
      if (node->type != XML_ELEMENT_NODE) continue;
      if (std::string id = attribute(node, "id"); !id.empty()) anchors_.insert(std::move(id));
      find_anchors(node->children);
    }
  }

  void read_block(const xmlNode* node) {
    if (is_for_the_screen(node) || node->type != XML_ELEMENT_NODE) return;
    if (const std::string id = attribute(node, "id"); !id.empty()) text_.anchors.push_back({0, id});
    if (const int level = heading_level(node)) {
      role_ = Role::heading;
      level_ = level;
      read(node);
      role_ = Role::paragraph;
    } else if (is_element(node, "blockquote")) {
      role_ = Role::quotation;
      read(node);
      role_ = Role::paragraph;
    } else if (is_element(node, "ol") || is_element(node, "ul")) {
      read_list(node, is_element(node, "ol"));
    } else if (is_element(node, "dl")) {
      read_terms(node);
    } else {
      read(node);
    }
  }

  void read_list(const xmlNode* list, bool numbered) {
    parts_.push_back({Part::Kind::begin, Role::list});
    std::size_t number = 0;
    for (const xmlNode* item = list->children; item != nullptr; item = item->next) {
      if (!is_element(item, "li") || is_for_the_screen(item)) continue;
      parts_.push_back({Part::Kind::begin, Role::item, 0, numbered ? std::to_string(++number) + "." : "•"});
      read_block(item);
      parts_.push_back({Part::Kind::end, Role::item});
    }
    parts_.push_back({Part::Kind::end, Role::list});
  }

  /// A term and what is said of it become one paragraph.
  void read_terms(const xmlNode* list) {
    for (const xmlNode* child = list->children; child != nullptr; child = child->next) {
      if (child->type != XML_ELEMENT_NODE) continue;
      const bool is_term = is_element(child, "dt");
      Stretch stretch;
      if (is_term) {
        end_paragraph();
        stretch.look = Look::strong;
      }
      for (const xmlNode* inner = child->children; inner != nullptr; inner = inner->next)
        add_inline(inner, stretch);
      if (is_term) text_.bytes += ": ";
    }
    end_paragraph();
  }

  static Stretch look_of(const xmlNode* node, Stretch stretch) {
    if (is_element(node, "strong") || is_element(node, "em")) stretch.look = Look::strong;
    if (is_element(node, "span") && attribute(node, "class") == "left") stretch.look = Look::left_out;
    if (is_element(node, "mark")) {
      const std::string pattern = attribute(node, "class");
      const bool is_pattern = pattern.size() == 2 && pattern[0] == 's';
      stretch.look = is_pattern ? Look::match : pattern == "change" ? Look::change : Look::off;
      stretch.pattern = is_pattern ? static_cast<std::uint8_t>(pattern[1] - '0') : 0;
    }
    return stretch;
  }

  void add_inline(const xmlNode* node, Stretch stretch) {
    if (node->type == XML_TEXT_NODE) {
      add_text(view(node->content), std::move(stretch));
      return;
    }
    if (node->type != XML_ELEMENT_NODE || is_for_the_screen(node)) return;
    if (is_element(node, "br")) text_.bytes += '\n';
    const std::string id = attribute(node, "id");
    if (!id.empty()) text_.anchors.push_back({text_.bytes.size(), id});
    stretch = look_of(node, std::move(stretch));
    if (const std::string href = is_element(node, "a") ? attribute(node, "href") : "";
        href.starts_with('#') && anchors_.contains(href.substr(1))) {
      stretch.target = href.substr(1);
      stretch.look = id.empty() ? Look::link : Look::number;
    }
    for (const xmlNode* child = node->children; child != nullptr; child = child->next)
      add_inline(child, stretch);
  }

  void add_text(std::string_view text, Stretch stretch) {
    const bool begins = text_.bytes.empty() || text_.bytes.back() == '\n';
    if (begins && text_.stretches.empty()) {
      const std::size_t first = text.find_first_not_of(kBlanks);
      if (first == std::string_view::npos) return;
      text.remove_prefix(first);
    }
    stretch.begin = text_.bytes.size();
    text_.bytes += text;
    stretch.end = text_.bytes.size();
    const bool is_plain = stretch.look == Look::plain && stretch.target.empty();
    if (!is_plain && stretch.begin < stretch.end) text_.stretches.push_back(std::move(stretch));
  }

  /// Anchors of elements without text wait for the next text.
  void end_paragraph() {
    const std::size_t last = text_.bytes.find_last_not_of(kBlanks);
    if (last == std::string::npos) {
      text_.bytes.clear();
      text_.stretches.clear();
      for (Anchor& anchor : text_.anchors) anchor.at = 0;
      return;
    }
    text_.bytes.resize(last + 1);
    for (Stretch& one : text_.stretches) one.end = std::min(one.end, text_.bytes.size());
    std::erase_if(text_.stretches, [](const Stretch& one) { return one.begin >= one.end; });
    parts_.push_back({Part::Kind::text, role_, level_, "", std::exchange(text_, Text())});
  }

  std::set<std::string> anchors_;
  std::vector<Part> parts_;
  Text text_;
  Role role_ = Role::paragraph;
  int level_ = 0;
};

/// The first element of this name; null if there is none.
const xmlNode* find(const xmlNode* node, std::string_view name) {
  for (; node != nullptr; node = node->next) {
    if (is_element(node, name)) return node;
    if (const xmlNode* const found = find(node->children, name)) return found;
  }
  return nullptr;
}

}  // namespace

Content read_content(std::string_view html) {
  const Page page = parse(html);
  const xmlNode* const root = xmlDocGetRootElement(page.get());
  Content content;
  content.language = attribute(root, "lang");
  if (const xmlNode* const title = find(root, "title"); title != nullptr && title->children != nullptr)
    content.title = view(title->children->content);
  if (const xmlNode* const data = find(root, "script"); data != nullptr && data->children != nullptr)
    content.certificate = view(data->children->content);
  Reader reader(root);
  reader.read(root);
  content.parts = reader.parts();
  return content;
}

}  // namespace akin::report
