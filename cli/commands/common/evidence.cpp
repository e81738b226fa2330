#include "cli/commands/common/evidence.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/utf8.h"
#include "cli/frame/format.h"
#include "cli/frame/table.h"
#include "server/check/language.h"
#include "server/ingest/places.h"

namespace akin::cli {

namespace {

constexpr std::size_t kExcerptLetters = 100;
constexpr std::size_t kChangeLetters = 40;
constexpr std::size_t kPartLetters = 40;

/// Which passages are the largest, in their order.
std::vector<std::size_t> largest(const std::vector<Passage>& passages, std::size_t limit) {
  std::vector<std::size_t> order(passages.size());
  std::iota(order.begin(), order.end(), 0U);
  if (limit == 0 || order.size() <= limit) return order;
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](std::size_t at) { return size_of(passages[at]); });
  order.resize(limit);
  std::ranges::sort(order);
  return order;
}

/// The name of a change for people: "left out".
std::string change_label(ChangeKind kind) {
  std::string label(name_of(kind));
  std::ranges::replace(label, '_', ' ');
  return label;
}

/// ", word for word" or ": 2 inserted, 1 moved"; of an aligned passage.
std::string changes_of(const Passage& passage) {
  std::string list;
  for (std::size_t at = 0; at < passage.changes.size(); ++at) {
    if (passage.changes[at] == 0) continue;
    list += (list.empty() ? ": " : ", ") + grouped(passage.changes[at]) + " " +
            change_label(static_cast<ChangeKind>(at));
  }
  return list.empty() ? ", word for word" : list;
}

/// ", page 3, Chapter One"; empty if the file has neither.
std::string place_label(const extract::Document* file, TextRange range) {
  const std::string place = file == nullptr ? std::string() : place_name(*file, range);
  return place.empty() ? place : ", " + place;
}

void print_passage(Output& out, const Passage& passage, const Sides& sides) {
  const std::size_t letters = sides.whole ? std::numeric_limits<std::size_t>::max() : kExcerptLetters;
  Table table({Table::Align::left, Table::Align::right, Table::Align::left});
  table.add({"      " + sides.a_name, range(passage.a) + place_label(sides.a_file, passage.a),
             one_line(sides.a.slice(passage.a), letters)});
  table.add({"      " + sides.b_name, range(passage.b) + place_label(sides.b_file, passage.b),
             one_line(sides.b.slice(passage.b), letters)});
  out << "   passage of "
      << (passage.words > 0 ? counted(passage.words, "word") + changes_of(passage)
                            : counted(passage.features, "feature"))
      << "\n"
      << table.text();
}

void print_rest(Output& out, std::size_t count) {
  if (count > 0) out << "   and " << counted(count, "smaller passage") << " (--passages 0 shows all)\n";
}

/// The words in a range, or "-" for none.
std::string words_in(const SlicedText& text, TextRange range) {
  return range.begin == range.end ? "-" : one_line(text.slice(range), kChangeLetters);
}

void print_changes(Output& out, const std::vector<TextChange>& changes, const Sides& sides,
                   std::size_t limit) {
  const std::size_t shown = limit == 0 ? changes.size() : std::min(limit, changes.size());
  Table table(
      {Table::Align::left, Table::Align::right, Table::Align::left, Table::Align::right, Table::Align::left});
  for (std::size_t at = 0; at < shown; ++at) {
    const TextChange& change = changes[at];
    table.add({"      " + change_label(change.kind), range(change.a), words_in(sides.a, change.a),
               range(change.b), words_in(sides.b, change.b)});
  }
  out << table.text();
  if (shown < changes.size()) {
    out << "      and " << counted(changes.size() - shown, "more change") << " (--changes 0 shows all)\n";
  }
}

}  // namespace

std::string place_name(const extract::Document& file, TextRange range) {
  const ingest::FilePlace place = ingest::place_of(file, range);
  std::string name;
  if (place.first_page > 0) {
    const bool one = place.first_page == place.last_page;
    name = (one ? "page " : "pages ") + grouped(place.first_page) +
           (one ? "" : "\u2013" + grouped(place.last_page));
  }
  if (!place.part.empty()) name += (name.empty() ? "" : ", ") + one_line(place.part, kPartLetters);
  return name;
}

std::string_view file_alert_label(extract::FileAlertKind kind) noexcept {
  switch (kind) {
    case extract::FileAlertKind::hidden_text:
      return "hidden text";
    case extract::FileAlertKind::unreadable_glyphs:
      return "glyphs without a known character";
    case extract::FileAlertKind::wrong_characters:
      return "glyphs whose character is another than their font says";
    case extract::FileAlertKind::pages_without_text:
      return "pages of pictures or drawn shapes without text";
    case extract::FileAlertKind::mended_encoding:
      return "text in a wrong encoding, mended";
    case extract::FileAlertKind::type_contradicted:
      return "not what its name says";
    case extract::FileAlertKind::ocr:
      return "text recognized in pictures";
    case extract::FileAlertKind::shown_otherwise:
      return "text that is not what its page shows";
    case extract::FileAlertKind::repeated_text:
      return "lines or a word that repeat";
    case extract::FileAlertKind::language_contradicted:
      return "a text in another language than the declared one";
    case extract::FileAlertKind::part_missing:
      return "a part that is missing or cannot be read";
    case extract::FileAlertKind::text_left_out:
      return "page headers, remarks and the like, left out";
    case extract::FileAlertKind::script_text:
      return "text that scripts of the page may show";
    case extract::FileAlertKind::interleaved_text:
      return "words of another look between the words";
  }
  return "";
}

std::string file_alert_lines(const extract::Document& file, bool compared) {
  std::string lines;
  for (const extract::FileAlert& alert : file.alerts) {
    const bool pages = alert.kind == extract::FileAlertKind::pages_without_text;
    lines += file_alert_label(alert.kind);
    if (alert.kind == extract::FileAlertKind::hidden_text)
      lines += compared ? ", compared too" : ", left out";
    lines += ": " + counted(alert.characters, pages ? "page" : "character") + ", " + percent(alert.share) +
             " of the file";
    if (alert.page > 0) lines += ", from page " + grouped(alert.page);
    if (alert.part > 0) lines += ", from \"" + one_line(file.parts.at(alert.part - 1), kPartLetters) + "\"";
    if (!alert.sample.empty()) lines += ": " + one_line(alert.sample, kExcerptLetters);
    lines += "\n";
  }
  return lines;
}

void add_whole_option(Command command, bool& whole) {
  command.add_flag("--whole", whole, "Print passages to their ends, not the first 100 characters");
}

std::uint64_t size_of(const Passage& passage) noexcept {
  return passage.words > 0 ? passage.words : passage.features;
}

std::string shares_line(const Overlap& overlap, std::string_view a_name) {
  if (!overlap.has_containment) {
    return "has " + grouped(overlap.x) + " of " + std::string(a_name) + "'s " +
           counted(overlap.a_features, "sampled feature") + ", itself " + grouped(overlap.b_features) +
           ": resemblance " + percent(overlap.resemblance());
  }
  return "has " + grouped(overlap.x) + " of " + std::string(a_name) + "'s " +
         counted(overlap.a_features, "feature") + " (" + percent(overlap.containment()) + "), which make " +
         percent(overlap.contained()) + " of its own " + grouped(overlap.b_features);
}

std::string words_line(const MatchedWords& words, std::string_view a_name) {
  return "shares passages with " + counted(words.a, "word") + " of " + std::string(a_name) + " (" +
         percent(words.a_share()) + ") and " + grouped(words.b) + " of its own (" + percent(words.b_share()) +
         ")";
}

std::string found_by_line(const Hit& hit, const Scheme& scheme) {
  std::string line;
  for (const TierOverlap& one : hit.tiers) {
    line += (line.empty() ? "by " : "; ") + scheme.tiers()[one.tier].name + ": " + grouped(one.overlap.x) +
            " of " + grouped(one.overlap.b_features) + (one.found ? "" : " (not found by it)");
  }
  return line;
}

void print_passages(Output& out, const std::vector<Passage>& passages, const Sides& sides,
                    std::size_t limit) {
  const std::vector<std::size_t> shown = largest(passages, limit);
  for (const std::size_t at : shown) print_passage(out, passages[at], sides);
  print_rest(out, passages.size() - shown.size());
}

void print_aligned(Output& out, const AlignedText& aligned, const Sides& sides, EvidenceLimits limits) {
  const std::vector<std::size_t> shown = largest(aligned.passages, limits.passages);
  for (const std::size_t at : shown) {
    print_passage(out, aligned.passages[at], sides);
    print_changes(out, aligned.changes[at], sides, limits.changes);
  }
  print_rest(out, aligned.passages.size() - shown.size());
}

std::string common_words(const CommonText& common) {
  return counted(common.words, "word") + " of the text " + (common.words == 1 ? "is" : "are") +
         " common: " + counted(common.documents, "document") + " have some of them";
}

std::string language_lines(const check::IndexState& state) {
  std::string lines;
  if (!state.styles) return lines;
  for (const check::OtherLanguage& one : state.styles->others.languages) {
    lines += percent(one.share) + " of the words are " + check::language_name(one.code, "en") +
             ", for which '" + state.collection +
             "' has no dictionary: other forms of them are not recognized\n";
  }
  return lines;
}

}  // namespace akin::cli
