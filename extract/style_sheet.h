// The style sheet in a page of HTML, as far as it can hide text.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace akin::extract {

/// Declarations by selector. Only selectors of one tag, class or id are known; rules within "@" are not read.
class StyleSheet {
 public:
  /// Adds the content of a <style>.
  void add(std::string_view css);

  /// Declarations, each ended by a semicolon; empty if there are none.
  [[nodiscard]] std::string of_tag(std::string_view tag) const { return of(tag); }
  /// `classes`: separated by white space.
  [[nodiscard]] std::string of_classes(std::string_view classes) const;
  [[nodiscard]] std::string of_id(std::string_view id) const;

 private:
  [[nodiscard]] std::string of(std::string_view selector) const;

  std::map<std::string, std::string, std::less<>> rules_;
};

}  // namespace akin::extract
