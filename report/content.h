// What of a report's page is printed: its headings, paragraphs, lists and quotations.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace akin::report {

/// How a stretch of a text looks.
enum class Look : std::uint8_t {
  plain,
  strong,
  link,
  number,   ///< of a match, small and raised, in front of it
  match,    ///< by the pattern `Stretch::pattern`
  change,   ///< a word that differs
  off,      ///< a match that does not count
  left_out  ///< text that was not compared
};

struct Stretch {
  std::size_t begin = 0, end = 0;  ///< bytes of the text; stretches are in order and do not overlap
  Look look = Look::plain;
  std::uint8_t pattern = 0;  ///< from 1
  std::string target = {};   ///< the anchor that a click leads to; empty without one
};

/// A place that links lead to.
struct Anchor {
  std::size_t at = 0;  ///< byte of the text
  std::string name;
};

struct Text {
  std::string bytes;  ///< UTF-8
  std::vector<Stretch> stretches;
  std::vector<Anchor> anchors;  ///< in order
};

enum class Role : std::uint8_t { heading, paragraph, quotation, list, item };

/// The begin or end of an element, or the whole of one that has text.
struct Part {
  enum class Kind : std::uint8_t { begin, end, text } kind = Kind::text;
  Role role = Role::paragraph;
  int level = 0;           ///< of a heading, from 1
  std::string label = {};  ///< of an item: its number, or a bullet
  Text text = {};
};

struct Content {
  std::string title, language;
  std::string certificate = {};  ///< JSON, which the page carries as data; empty without one
  std::vector<Part> parts;
};

/// Reads the page of a report (server/desk). What is for the screen alone is left out: forms, navigation,
/// elements of class "screen". A link within the page keeps its target only if the page has it; others are
/// text. Throws std::bad_alloc, and std::runtime_error where the bytes are not a page.
[[nodiscard]] Content read_content(std::string_view html);

}  // namespace akin::report
