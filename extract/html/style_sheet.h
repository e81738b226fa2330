// The style sheet in a page of HTML, as far as it can hide text, or add some.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "extract/html/selector.h"
#include "extract/html/visibility.h"

namespace akin::extract {

/// Whether a link with these attributes loads a style sheet, now or by a script of its own.
[[nodiscard]] bool links_style_sheet(const unsigned char* const* attributes);

/// The address of the style sheet that a link with these attributes loads on every screen; else empty.
[[nodiscard]] std::string_view linked_style_sheet(const unsigned char* const* attributes);

/// The style sheet that an address has in itself ("data:text/css,…"); empty for any other.
[[nodiscard]] std::string sheet_in(std::string_view address);

/// Declarations by the selectors that are known (Selector); rules within "@" are not read, unless it is
/// "@supports", "@layer", or "@media" for all screens.
class StyleSheet {
 public:
  /// Adds the content of a <style>, or of another file.
  void add(std::string_view css);

  /// Adds what the sheet declares for the last of these open elements. Matching its rules takes steps off
  /// `steps`, and ends without any.
  void add_of(std::span<const OpenElement> open, Declarations& to, std::size_t& steps) const;
  /// Whether a rule that is not read sets a ground, of which elements is unknown.
  [[nodiscard]] bool has_unknown_grounds() const noexcept { return unknown_grounds_; }

  /// What the style of an element writes in front of entries of lists, after a blank.
  [[nodiscard]] static std::string marks_of(const unsigned char* const* attributes);

  /// The words that declarations of `content` and `list-style-type` add to elements, of any selector.
  [[nodiscard]] const std::string& added_text() const noexcept { return added_text_; }
  /// What they show of an element's attributes, each after a blank. Shorter values are labels, which pages
  /// keep for letters of another width.
  [[nodiscard]] std::string added_of(const unsigned char* const* attributes) const;

 private:
  struct Rule {
    Selector selector;
    Declarations declared;
    std::size_t number;  ///< in the order of the sheet
  };
  /// Which of ids, classes and tags the selectors of rules have, at most.
  enum Level : std::size_t { of_tags, of_classes, of_ids, kLevels };

  [[nodiscard]] static Level level_of(std::string_view key) noexcept;
  void add_matching(Level level, std::span<const OpenElement> open, std::span<const std::string> keys,
                    Declarations& to, std::size_t& steps) const;
  void add_rule(std::string_view selector, const Declarations& declared);
  void take_strings(std::string_view property, std::string_view declarations);
  void add_rules(std::string_view rules, const std::string& around, int nested);
  void take_import(std::string_view statement);
  void add_declarations(const std::string& selectors, std::string_view block);

  std::map<std::string, Declarations, std::less<>> rules_;                   ///< of one tag, class or id
  std::array<std::multimap<std::string, Rule, std::less<>>, kLevels> more_;  ///< others, by their keys
  std::size_t number_of_rules_ = 0, imports_ = 0;
  bool unknown_grounds_ = false;
  std::string added_text_;
  std::set<std::string, std::less<>> added_attributes_;
};

/// Of one page or of several; it is copied where only one of them adds to it.
using SharedSheet = std::shared_ptr<StyleSheet>;

/// What a page begins with.
[[nodiscard]] SharedSheet empty_sheet();
void add_to(SharedSheet& sheet, std::string_view css);

/// The style sheets that the pages of a book link: what several pages link alike is parsed once.
class LinkedSheets {
 public:
  /// Adds this text, which must not move or change.
  void add(SharedSheet& to, const std::string& css);

 private:
  std::map<std::pair<SharedSheet, const std::string*>, SharedSheet> made_;
};

}  // namespace akin::extract
