#include "server/desk/sheet.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "base/sliced_text.h"
#include "base/utf8.h"
#include "dict/fold/characters.h"
#include "server/desk/report.h"

namespace akin::desk {

namespace {

using extract::PlacedWord;
using json::Json;

constexpr std::size_t kRun = 3;
/// Words between two runs that belong to them: replaced, divided at the end of a line, or notes.
constexpr std::size_t kMostBetween = 6;

using Folded = std::u32string;

bool counts(CharKind kind) {
  return kind == CharKind::letter || kind == CharKind::digit || kind == CharKind::solo ||
         kind == CharKind::mark;
}

/// The words of a text by their letters and digits; what has none does not count.
std::vector<Folded> folded_words(std::string_view utf8) {
  std::vector<Folded> words(1);
  for (std::size_t at = 0; at < utf8.size();) {
    const CharInfo c = CharTable::instance()[next_code_point(utf8, at)];
    if (counts(c.kind())) {
      words.back() += c.folded();
    } else if (!words.back().empty() && c.kind() != CharKind::soft_hyphen &&
               c.kind() != CharKind::ignorable) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

using Run = std::array<std::u32string_view, kRun>;

template <class Visit>
void for_each_run(const std::vector<Folded>& words, const Visit& visit) {
  for (std::size_t i = 0; i + kRun <= words.size(); ++i) visit(i, Run{words[i], words[i + 1], words[i + 2]});
}

/// Marked words that stand side by side in a line, as one rectangle.
std::string rectangles(const std::vector<PlacedWord>& words, const std::vector<bool>& marked) {
  std::string html;
  std::optional<PlacedWord> open;
  const auto close = [&] {
    if (open) {
      html += "<rect x=\"" + std::to_string(open->left) + "\" y=\"" + std::to_string(open->top) +
              "\" width=\"" + std::to_string(open->right - open->left) + "\" height=\"" +
              std::to_string(open->bottom - open->top) + "\"/>";
    }
    open.reset();
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!marked[i]) {
      close();
      continue;
    }
    const PlacedWord& word = words[i];
    const bool same_line =
        open && word.left >= open->left && word.top < open->bottom && word.bottom > open->top;
    if (!same_line) {
      close();
      open = word;
      continue;
    }
    open->right = std::max(open->right, word.right);
    open->top = std::min(open->top, word.top);
    open->bottom = std::max(open->bottom, word.bottom);
  }
  close();
  return html;
}

/// Words whose fonts are not in the file, in one of the browser's.
std::string missing_words(const std::vector<PlacedWord>& words) {
  std::string html;
  for (const PlacedWord& word : words) {
    if (word.is_drawn || word.right == word.left) continue;
    const std::uint32_t height = word.bottom - word.top;
    html += "<text x=\"" + std::to_string(word.left) + "\" y=\"" + std::to_string(word.bottom - height / 5) +
            "\" font-size=\"" + std::to_string(height * 4 / 5) + "\" textLength=\"" +
            std::to_string(word.right - word.left) + "\" lengthAdjust=\"spacingAndGlyphs\">" +
            escaped(word.text) + "</text>";
  }
  return html;
}

/// The words that marks are drawn on, in the picture: those that the check keeps, if any.
std::vector<PlacedWord> marked_words(const extract::PageWords& kept, const extract::PagePicture& picture) {
  std::vector<PlacedWord> words = kept.words;
  if (words.empty()) return picture.words;
  const auto scaled = [](std::uint32_t length, std::uint32_t of, std::uint32_t to) {
    return static_cast<std::uint32_t>(std::uint64_t{length} * to / std::max(of, 1U));
  };
  for (PlacedWord& word : words) {
    word.left = scaled(word.left, kept.width, picture.width);
    word.right = scaled(word.right, kept.width, picture.width);
    word.top = scaled(word.top, kept.height, picture.height);
    word.bottom = scaled(word.bottom, kept.height, picture.height);
  }
  return words;
}

bool is_on(const Json& passage, std::uint32_t page) {
  const auto pages = passage.find("a_pages");
  return pages != passage.end() && pages->is_array() && !pages->empty() &&
         pages->front().get<std::uint32_t>() <= page && page <= pages->back().get<std::uint32_t>();
}

}  // namespace

std::vector<bool> words_in(std::string_view passage, const std::vector<PlacedWord>& words) {
  const std::vector<Folded> wanted = folded_words(passage);
  std::set<Run> runs;
  for_each_run(wanted, [&](std::size_t, const Run& run) { runs.insert(run); });
  // A place of the page may have no word, such as a dash, or several, such as "and/or".
  std::vector<Folded> found;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (Folded& word : folded_words(words[i].text)) {
      found.push_back(std::move(word));
      places.push_back(i);
    }
  }
  std::vector<bool> marked(words.size());
  std::optional<std::size_t> last;
  for_each_run(found, [&](std::size_t at, const Run& run) {
    if (!runs.contains(run)) return;
    const std::size_t from = last && at <= *last + 1 + kMostBetween ? *last : at;
    last = at + kRun - 1;
    for (std::size_t i = places[from]; i <= places[*last]; ++i) marked[i] = true;
  });
  return marked;
}

std::string sheet_page(const Reader& reader, const Sheet& sheet) {
  const Words& words = *reader.words;
  const std::string path = "/desk/checks/" + string_in(sheet.check, "id");
  const SlicedText text(sheet.text);
  const extract::PagePicture& picture = sheet.picture;
  const std::vector<PlacedWord> placed = marked_words(sheet.kept, picture);
  std::string marks, items;
  std::vector<Shown> shown_here;
  const auto all =
      passages_of(sheet.check, check::DecidedMarks(sheet.check.at("decision").at("marks")), text, {});
  for (const std::vector<Shown>& of_source : all) {
    std::ranges::copy_if(of_source, std::back_inserter(shown_here),
                         [&](const Shown& shown) { return is_on(*shown.passage, sheet.page); });
  }
  std::ranges::sort(shown_here, {}, [](const Shown& shown) { return shown.match.number; });
  for (const Shown& shown : shown_here) {
    const std::string target = path + "#p" + std::to_string(shown.match.number);
    marks += "<a class=\"" + style_of(shown.match) + "\" href=\"" + target + "\" tabindex=\"-1\">" +
             rectangles(placed, words_in(text.slice(shown.match.range), placed)) + "</a>";
    items += "<li>" + link(target, filled(words.passage, {number(words, shown.match.number)})) + " – " +
             escaped(name_of(sheet.check.at("sources")[shown.match.source - 1])) + "</li>\n";
  }
  const auto turn = [&](std::uint32_t page, std::string_view label) {
    return page < 1 || page > sheet.pages ? std::string()
                                          : link(path + "/pages/" + std::to_string(page), label) + " ";
  };
  const std::string size = std::to_string(picture.width) + " " + std::to_string(picture.height);
  std::string html = "<p>" + link(path, words.back) + "</p>\n<p>" + turn(sheet.page - 1, words.page_before) +
                     turn(sheet.page + 1, words.page_after) + "</p>\n";
  html +=
      items.empty() ? "<p>" + escaped(words.page_without_matches) + "</p>\n" : "<ul>\n" + items + "</ul>\n";
  html += "<svg class=\"sheet\" viewBox=\"0 0 " + size + "\" aria-hidden=\"true\"><image href=\"" +
          sheet.data_url + "\" width=\"" + std::to_string(picture.width) + "\" height=\"" +
          std::to_string(picture.height) + "\"/>" + missing_words(picture.words) + marks + "</svg>\n<p>" +
          escaped(words.page_hint) + "</p>\n";
  return desk_page(reader,
                   title_of(words, sheet.check) + ", " +
                       filled(words.page_of, {number(words, sheet.page), number(words, sheet.pages)}),
                   html);
}

}  // namespace akin::desk
