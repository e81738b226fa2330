#include "server/cli/commands/evidence.h"

#include <algorithm>

#include "base/utf8.h"
#include "server/cli/frame/format.h"
#include "server/cli/frame/table.h"

namespace akin::cli {

namespace {

constexpr std::size_t kExcerptLetters = 100;

/// In matched words or in features, of which all passages of an answer have one or the other.
std::uint64_t size_of(const Passage& passage) { return passage.words > 0 ? passage.words : passage.features; }

std::vector<Passage> largest(std::vector<Passage> passages, std::size_t limit) {
  if (limit != 0 && passages.size() > limit) {
    std::stable_sort(passages.begin(), passages.end(),
                     [](const Passage& a, const Passage& b) { return size_of(a) > size_of(b); });
    passages.resize(limit);
    std::stable_sort(passages.begin(), passages.end(),
                     [](const Passage& a, const Passage& b) { return a.a.begin < b.a.begin; });
  }
  return passages;
}

}  // namespace

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

void print_passages(Output& out, const std::vector<Passage>& passages, const SlicedText& a,
                    const SlicedText& b, const SideNames& names, std::size_t limit) {
  const std::vector<Passage> shown = largest(passages, limit);
  for (const Passage& passage : shown) {
    Table sides({Table::Align::left, Table::Align::right, Table::Align::left});
    sides.add({"      " + names.a, range(passage.a), one_line(a.slice(passage.a), kExcerptLetters)});
    sides.add({"      " + names.b, range(passage.b), one_line(b.slice(passage.b), kExcerptLetters)});
    out << "   passage of "
        << (passage.words > 0 ? counted(passage.words, "word") : counted(passage.features, "feature")) << "\n"
        << sides.text();
  }
  if (shown.size() < passages.size()) {
    out << "   and " << counted(passages.size() - shown.size(), "smaller passage")
        << " (--passages 0 shows all)\n";
  }
}

}  // namespace akin::cli
