#include "server/desk/marked_text.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "base/sliced_text.h"
#include "base/utf8.h"
#include "server/desk/page.h"

namespace akin::desk {

namespace {

constexpr std::size_t kParagraphsInPart = 50;
/// Marks of further sources look as those of the first ones again; their numbers distinguish them.
constexpr std::size_t kStyles = 6;

/// Writes paragraphs; a tag that is open at the end of one is opened again in the next.
class Paragraphs {
 public:
  void anchor(const std::string& html) {
    open();
    html_ += html;
  }
  void text(std::string_view piece) { element(piece, "", "", ""); }
  /// The attributes of an element within those that follow; empty: none.
  void set_inner(std::string attributes) { inner_ = std::move(attributes); }
  /// `tag` with its attributes; `once`: those of its first element. Empty: none.
  void element(std::string_view piece, std::string_view tag, std::string_view attributes, std::string once) {
    while (!piece.empty()) {
      const std::string_view line = piece.substr(0, piece.find('\n'));
      if (!line.empty()) {
        open();
        if (!tag.empty()) html_.append("<").append(tag).append(attributes).append(once).append(">");
        if (!inner_.empty()) html_.append("<span").append(inner_).append(">");
        html_ += escaped(line);
        if (!inner_.empty()) html_ += "</span>";
        if (!tag.empty()) html_.append("</").append(tag).append(">");
        once.clear();
      }
      if (line.size() == piece.size()) break;
      close();
      piece.remove_prefix(line.size() + 1);
    }
  }
  std::string finish() {
    close();
    if (in_part_ > 0) html_ += "</div>\n";
    return std::move(html_);
  }

 private:
  void open() {
    if (is_open_) return;
    if (in_part_ == 0) html_ += "<div class=\"part\">\n";
    html_ += "<p dir=\"auto\">";
    is_open_ = true;
  }
  void close() {
    if (!is_open_) return;
    html_ += "</p>\n";
    is_open_ = false;
    if (++in_part_ < kParagraphsInPart) return;
    html_ += "</div>\n";
    in_part_ = 0;
  }

  std::string html_, inner_;
  bool is_open_ = false;
  std::size_t in_part_ = 0;
};

/// Those that hold at one place of the text: that of the first source that counts, first.
using Active = std::set<std::tuple<bool, std::size_t, const Match*>>;

Active::value_type active_of(const Match* match) { return {!match->counts, match->source, match}; }

bool has_place(const Match& match, std::size_t place) {
  const auto gap = std::ranges::upper_bound(match.gaps, place, {}, &TextRange::end);
  return gap == match.gaps.end() || gap->begin > place;
}

/// The first of them of which this place is in no gap; null if there is none.
const Match* shown_at(const Active& active, std::size_t place) {
  for (const auto& [off, source, match] : active) {
    if (has_place(*match, place)) return match;
  }
  return nullptr;
}

/// The attribute with the numbers of those that have the place, by source.
std::string matches_at(const Active& active, std::size_t place) {
  std::vector<const Match*> all;
  for (const auto& [off, source, match] : active) {
    if (has_place(*match, place)) all.push_back(match);
  }
  std::ranges::sort(all, {}, [](const Match* match) { return std::pair(match->source, match); });
  std::string numbers;
  for (const Match* match : all) numbers += (numbers.empty() ? "" : " ") + std::to_string(match->number);
  return " data-m=\"" + numbers + "\"";
}

std::vector<std::size_t> borders_of(const MarkedText& marked, std::size_t size) {
  std::vector<std::size_t> borders = {0, size};
  const auto add = [&](const TextRange& range) {
    borders.push_back(std::min<std::size_t>(range.begin, size));
    borders.push_back(std::min<std::size_t>(range.end, size));
  };
  for (const Match& match : marked.matches) {
    add(match.range);
    std::ranges::for_each(match.gaps, add);
  }
  for (const LeftOut& one : marked.left_out) add(one.range);
  for (const Unusual& one : marked.unusual) add(one.range);
  std::ranges::sort(borders);
  borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
  return borders;
}

/// The links of the matches that begin at one place: one link, and anchors for the others.
std::string anchors(const Words& words, const std::vector<const Match*>& begun, std::size_t total) {
  const auto first = std::ranges::min_element(begun, {}, &Match::source);
  const Match& shown = **first;
  std::string others, numbers = std::to_string(shown.number), html;
  for (const Match* match : begun) {
    if (match == &shown) continue;
    numbers += " " + std::to_string(match->number);
    html += "<span id=\"m" + std::to_string(match->number) + "\"></span>";
    others += (others.empty() ? "" : ", ") + std::to_string(match->source);
  }
  std::string label = filled(
      words.match_label, {number(words, shown.number), number(words, total), number(words, shown.source)});
  if (shown.changed_words > 0) label += filled(words.match_changed, {number(words, shown.changed_words)});
  if (!others.empty()) label += filled(words.match_also, {others});
  const std::string all = begun.size() > 1 ? " data-m=\"" + numbers + "\"" : "";
  const std::string more = begun.size() > 1 ? " +" + std::to_string(begun.size() - 1) : "";
  return html + "<a id=\"m" + std::to_string(shown.number) + "\" href=\"#p" + std::to_string(shown.number) +
         "\"" + all + " title=\"" + escaped(label) + "\" aria-label=\"" + escaped(label) + "\">[" +
         std::to_string(shown.source) + more + "]</a>";
}

}  // namespace

std::string style_of(const Match& match) {
  return match.counts ? "s" + std::to_string((match.source - 1) % kStyles + 1) : "off";
}

std::string marked_text(const Words& words, const MarkedText& marked) {
  const auto& [text, matches, left_out, total, letters, unusual] = marked;
  const SlicedText sliced(text);
  const std::vector<std::size_t> borders = borders_of(marked, count_code_points(text));
  std::vector<const Match*> begins;
  begins.reserve(matches.size());
  for (const Match& match : matches) begins.push_back(&match);
  std::vector<const Match*> ends = begins;
  std::ranges::sort(begins, {}, [](const Match* match) { return match->range.begin; });
  std::ranges::sort(ends, {}, [](const Match* match) { return match->range.end; });
  std::vector<const LeftOut*> exclusions;
  exclusions.reserve(left_out.size());
  for (const LeftOut& one : left_out) exclusions.push_back(&one);
  std::ranges::sort(exclusions, {}, [](const LeftOut* one) { return one->range.begin; });

  Paragraphs paragraphs;
  Active active;
  auto next_begin = begins.begin(), next_end = ends.begin();
  auto exclusion = exclusions.begin();
  auto next_unusual = unusual.begin();
  std::size_t unusual_end = 0;
  for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
    const std::size_t at = borders[i];
    for (; next_end != ends.end() && (*next_end)->range.end <= at; ++next_end)
      active.erase(active_of(*next_end));
    std::vector<const Match*> begun;
    for (; next_begin != begins.end() && (*next_begin)->range.begin <= at; ++next_begin) {
      begun.push_back(*next_begin);
      if ((*next_begin)->range.end > at) active.insert(active_of(*next_begin));
    }
    while (exclusion != exclusions.end() && (*exclusion)->range.end <= at) ++exclusion;
    if (!begun.empty()) paragraphs.anchor(anchors(words, begun, total));
    if (unusual_end <= at) paragraphs.set_inner("");
    for (; next_unusual != unusual.end() && next_unusual->range.begin <= at; ++next_unusual) {
      paragraphs.anchor("<span id=\"u" + std::to_string(next_unusual->number) + "\"></span>");
      if (unusual_end > at) continue;
      unusual_end = next_unusual->range.end;
      const std::string kind(Words::of(words.alert_kinds, next_unusual->kind));
      paragraphs.set_inner(" class=\"unusual\" title=\"" + escaped(kind) + "\"");
    }
    const TextRange range{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(borders[i + 1])};
    const std::string_view piece = sliced.slice(range);
    if (exclusion != exclusions.end() && (*exclusion)->range.begin <= at) {
      const std::string title =
          filled(words.left_out, {std::string(Words::of(words.exclusions, (*exclusion)->kind))});
      paragraphs.element(piece, "span", " class=\"left\" title=\"" + escaped(title) + "\"", "");
    } else if (const Match* const first = shown_at(active, at)) {
      std::string attributes = " class=\"" + style_of(*first) + "\"", count;
      if (letters != nullptr) {
        attributes += matches_at(active, at);
        count = " data-n=\"" + std::to_string(letters->count(range)) + "\"";
      }
      paragraphs.element(piece, "mark", attributes, std::move(count));
    } else {
      paragraphs.text(piece);
    }
  }
  return paragraphs.finish();
}

}  // namespace akin::desk
