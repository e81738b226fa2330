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
  void text(std::string_view piece, const std::string& open_tag, std::string_view close_tag) {
    while (!piece.empty()) {
      const std::string_view line = piece.substr(0, piece.find('\n'));
      if (!line.empty()) {
        open();
        html_ += open_tag + escaped(line) + std::string(close_tag);
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

  std::string html_;
  bool is_open_ = false;
  std::size_t in_part_ = 0;
};

/// Those that hold at one place of the text: that of the first source that counts, first.
using Active = std::set<std::tuple<bool, std::size_t, const Match*>>;

Active::value_type active_of(const Match* match) { return {!match->counts, match->source, match}; }

/// The first of them of which this place is in no gap; null if there is none.
const Match* shown_at(const Active& active, std::size_t place) {
  for (const auto& [off, source, match] : active) {
    const auto gap = std::ranges::upper_bound(match->gaps, place, {}, &TextRange::end);
    if (gap == match->gaps.end() || gap->begin > place) return match;
  }
  return nullptr;
}

std::vector<std::size_t> borders_of(const std::vector<Match>& matches, const std::vector<LeftOut>& left_out,
                                    std::size_t size) {
  std::vector<std::size_t> borders = {0, size};
  const auto add = [&](const TextRange& range) {
    borders.push_back(std::min<std::size_t>(range.begin, size));
    borders.push_back(std::min<std::size_t>(range.end, size));
  };
  for (const Match& match : matches) {
    add(match.range);
    std::ranges::for_each(match.gaps, add);
  }
  for (const LeftOut& one : left_out) add(one.range);
  std::ranges::sort(borders);
  borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
  return borders;
}

/// The links of the matches that begin at one place: one link, and anchors for the others.
std::string anchors(const Words& words, const std::vector<const Match*>& begun, std::size_t total) {
  const auto first = std::ranges::min_element(begun, {}, &Match::source);
  const Match& shown = **first;
  std::string others, html;
  for (const Match* match : begun) {
    if (match == &shown) continue;
    html += "<span id=\"m" + std::to_string(match->number) + "\"></span>";
    others += (others.empty() ? "" : ", ") + std::to_string(match->source);
  }
  std::string label = filled(
      words.match_label, {number(words, shown.number), number(words, total), number(words, shown.source)});
  if (!others.empty()) label += filled(words.match_also, {others});
  const std::string more = begun.size() > 1 ? " +" + std::to_string(begun.size() - 1) : "";
  return html + "<a id=\"m" + std::to_string(shown.number) + "\" href=\"#p" + std::to_string(shown.number) +
         "\" title=\"" + escaped(label) + "\" aria-label=\"" + escaped(label) + "\">[" +
         std::to_string(shown.source) + more + "]</a>";
}

}  // namespace

std::string style_of(const Match& match) {
  return match.counts ? "s" + std::to_string((match.source - 1) % kStyles + 1) : "off";
}

std::string marked_text(const Words& words, std::string_view text, const std::vector<Match>& matches,
                        const std::vector<LeftOut>& left_out, std::size_t total) {
  const SlicedText sliced(text);
  const std::vector<std::size_t> borders = borders_of(matches, left_out, count_code_points(text));
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
    const std::string_view piece =
        sliced.slice({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(borders[i + 1])});
    if (exclusion != exclusions.end() && (*exclusion)->range.begin <= at) {
      const std::string title =
          filled(words.left_out, {std::string(Words::of(words.exclusions, (*exclusion)->kind))});
      paragraphs.text(piece, "<span class=\"left\" title=\"" + escaped(title) + "\">", "</span>");
    } else if (const Match* const first = shown_at(active, at)) {
      paragraphs.text(piece, "<mark class=\"" + style_of(*first) + "\">", "</mark>");
    } else {
      paragraphs.text(piece, "", "");
    }
  }
  return paragraphs.finish();
}

}  // namespace akin::desk
