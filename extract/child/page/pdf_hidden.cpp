#include "extract/child/page/pdf_hidden.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <unordered_set>

#include "base/ascii.h"
#include "base/utf8.h"

namespace akin::extract {

namespace {

using Pairs = std::unordered_set<std::size_t>;

/// Hashes of each two words in a row.
std::vector<std::size_t> pairs_of(std::string_view text) {
  std::vector<std::size_t> pairs;
  std::string_view last;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (!last.empty()) pairs.push_back(std::hash<std::string>()(std::string(last) + " " + std::string(word)));
    last = word;
  }
  return pairs;
}

/// Whether the pages before and after it show most of what a page has beside it.
bool is_shown_beside(const HiddenOnPage& hidden, const std::vector<PdfPage>& pages) {
  constexpr std::size_t kMost = 2, kOf = 3;
  Pairs shown;
  for (const std::size_t at : {hidden.page - 2U, hidden.page + 0U}) {  // indices from 0
    if (at >= pages.size()) continue;
    for (const PdfLine& line : pages[at].lines)
      for (const std::size_t pair : pairs_of(line.text)) shown.insert(pair);
  }
  const std::vector<std::size_t> pairs = pairs_of(hidden.beside.text);
  const auto found = static_cast<std::size_t>(
      std::ranges::count_if(pairs, [&](std::size_t one) { return shown.contains(one); }));
  return found * kOf >= pairs.size() * kMost;
}

/// Whether it is more than the name of the program that made the file, and than digits and marks, such as
/// those that keep the columns of a table apart.
bool has_words(std::string_view text) {
  constexpr std::string_view kProgram = "Powered by TCPDF (www.tcpdf.org)";
  if (trimmed(text) == kProgram) return false;
  return std::ranges::any_of(ascii_lower(text), [](char c) {
    return (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80;
  });
}

/// How many pages have each text, but for its numbers.
class Repeated {
 public:
  explicit Repeated(std::size_t pages) : pages_(pages) {}
  void add(std::string_view text) { ++counts_[without_numbers(text)]; }
  /// Whether this is the first of so many that it counts for all.
  bool counts(std::string_view text) {
    std::size_t& count = counts_[without_numbers(text)];
    if (count < pages_) return count > 0;
    count = 0;
    return true;
  }

 private:
  std::size_t pages_;
  std::map<std::string, std::size_t> counts_;
};

}  // namespace

void report_hidden(const std::vector<HiddenOnPage>& hidden, const std::vector<PdfPage>& pages,
                   DocumentBuilder& builder) {
  Repeated texts(kRepeatingPages), beside(2);
  for (const HiddenOnPage& one : hidden) {
    texts.add(one.hidden.text);
    beside.add(one.beside.text);
  }
  for (const HiddenOnPage& one : hidden) {
    builder.page(one.page);
    const auto& [text, ways] = one.hidden;
    if (has_words(text) && texts.counts(text)) builder.hide(text, ways);
    const auto& [aside, aside_ways] = one.beside;
    const bool counts = beside.counts(aside) && count_code_points(aside) >= kFewBeside;
    if (counts && has_words(aside) && !is_shown_beside(one, pages)) builder.hide(aside, aside_ways);
  }
}

}  // namespace akin::extract
