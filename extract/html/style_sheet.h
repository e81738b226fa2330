// The style sheet in a page of HTML, as far as it can hide text, or add some.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "extract/html/visibility.h"

namespace akin::extract {

/// Whether a link with these attributes loads a style sheet, now or by a script of its own.
[[nodiscard]] bool links_style_sheet(const unsigned char* const* attributes);

/// Declarations by selector. Only selectors of one tag, class or id are known; rules within "@" are not
/// read, unless it is "@media screen" or the like.
class StyleSheet {
 public:
  /// Adds the content of a <style>.
  void add(std::string_view css);

  // Each adds what the sheet declares for the elements of a tag, of classes (separated by white space), or
  // with an id.
  void add_of_tag(std::string_view tag, Declarations& to) const { add_of(tag, to); }
  void add_of_classes(std::string_view classes, Declarations& to) const;
  void add_of_id(std::string_view id, Declarations& to) const;
  /// Whether a rule that is not read sets a ground, of which elements is unknown.
  [[nodiscard]] bool has_unknown_grounds() const noexcept { return unknown_grounds_; }

  /// Takes what the style of an element writes in front of entries of lists.
  void add_marks_of(const unsigned char* const* attributes);

  /// The words that declarations of `content` and `list-style-type` add to elements, of any selector.
  [[nodiscard]] const std::string& added_text() const noexcept { return added_text_; }
  /// Whether a declaration of `content` adds what elements have in this attribute.
  [[nodiscard]] bool adds_attribute(std::string_view name) const { return added_attributes_.contains(name); }

 private:
  void add_of(std::string_view selector, Declarations& to) const;
  void take_strings(std::string_view property, std::string_view declarations);
  void add_rules(std::string_view rules, int nested);

  std::map<std::string, Declarations, std::less<>> rules_;
  bool unknown_grounds_ = false;
  std::string added_text_;
  std::set<std::string, std::less<>> added_attributes_;
};

}  // namespace akin::extract
