#include "dict/read/synonym_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/utf8.h"
#include "dict/read/dictionary_lines.h"
#include "dict/read/encoding.h"
#include "dict/read/form_folder.h"

namespace akin {
namespace {

/// Remarks in parentheses, on a line's tag or on a word, which say that a word is not a synonym: those of
/// Debian's thesauri in English, German and Russian; the Ukrainian one has none.
constexpr std::array<std::u32string_view, 9> kOtherRelations{
    U"generic term", U"related term", U"similar term",   U"antonym",         U"Oberbegriff",
    U"Unterbegriff", U"антоним",      U"сходный термин", U"связанный термин"};

bool is_other_relation(std::u32string_view remark) {
  return std::any_of(kOtherRelations.begin(), kOtherRelations.end(), [&](std::u32string_view other) {
    return remark.find(other) != std::u32string_view::npos;
  });
}

/// A word of a thesaurus without its remarks; nothing if a remark says that it is not a synonym.
std::optional<std::u32string> without_remarks(std::u32string_view field) {
  std::u32string out;
  while (!field.empty()) {
    const std::size_t open = field.find(U'(');
    out += field.substr(0, open);
    if (open == std::u32string_view::npos) break;
    const std::size_t close = std::min(field.find(U')', open), field.size() - 1);
    if (is_other_relation(field.substr(open, close - open))) return std::nullopt;
    field.remove_prefix(close + 1);
  }
  const std::size_t begin = out.find_first_not_of(U" \t");
  if (begin == std::u32string::npos) return std::u32string();
  return out.substr(begin, out.find_last_not_of(U" \t") - begin + 1);
}

std::u32string_view cut_field(std::u32string_view& rest) {
  const std::size_t end = rest.find(U'|');
  const std::u32string_view field = rest.substr(0, end);
  rest = end == std::u32string_view::npos ? std::u32string_view() : rest.substr(end + 1);
  return field;
}

/// "entry|3"; nothing if the line does not have that form.
struct EntryLine {
  std::string_view word;
  std::size_t meanings = 0;
};
std::optional<EntryLine> read_entry_line(std::string_view line) {
  const std::size_t bar = line.rfind('|');
  if (bar == std::string_view::npos) return std::nullopt;
  EntryLine out{line.substr(0, bar), 0};
  const std::string_view digits = line.substr(bar + 1);
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), out.meanings);
  if (failure != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return out;
}

bool is_number(std::string_view line) {
  return !line.empty() && line.find_first_not_of("0123456789") == std::string_view::npos;
}

class ThesaurusReader {
 public:
  ThesaurusReader(DictionaryLines lines, const Encoding& encoding, const std::filesystem::path& file)
      : lines_(lines), encoding_(encoding), file_(file) {}

  Result<SynonymLists> read() {
    SynonymLists out;
    while (lines_.next()) {
      if (lines_.line().empty()) continue;
      const auto entry = read_entry_line(lines_.line());
      if (!entry) return fail("a line 'entry|number of meanings' is expected");
      if (!decode(entry->word)) return fail(kNotEncoded);
      const auto word = key(letters_);
      for (std::size_t i = 0; i < entry->meanings; ++i) {
        if (!lines_.next()) return fail("the file ends within an entry");
        if (!decode(lines_.line())) return fail(kNotEncoded);
        if (word) add_meaning(*word, out);
      }
    }
    return out;
  }

 private:
  static constexpr std::string_view kNotEncoded = "the line is not in the encoding that the first line names";

  Error fail(std::string_view reason) const { return bad_line(file_, lines_.number(), std::string(reason)); }
  bool decode(std::string_view bytes) { return encoding_.decode(bytes, letters_); }

  /// Nothing unless it is exactly one word.
  std::optional<std::uint64_t> key(std::u32string_view word) {
    const auto folded = folder_.fold_form(word);
    return folded ? std::optional(folded->key) : std::nullopt;
  }

  void add_meaning(std::uint64_t word, SynonymLists& out) {
    std::u32string_view rest = letters_;
    if (!without_remarks(cut_field(rest))) return;
    SynonymLists::Meaning meaning{word, {}};
    while (!rest.empty()) {
      const auto synonym = without_remarks(cut_field(rest));
      if (!synonym || synonym->empty()) continue;
      if (const auto folded = key(*synonym)) meaning.synonyms.push_back(*folded);
    }
    if (!meaning.synonyms.empty()) out.meanings.push_back(std::move(meaning));
  }

  DictionaryLines lines_;
  const Encoding& encoding_;
  const std::filesystem::path& file_;
  FormFolder folder_;
  std::u32string letters_;
};

Result<SynonymLists> read_own(std::string_view content, const std::filesystem::path& file) {
  SynonymLists out;
  FormFolder folder;
  DictionaryLines lines(content);
  while (lines.next()) {
    const auto fail = [&](std::string reason) { return bad_line(file, lines.number(), std::move(reason)); };
    std::string_view rest = lines.line().substr(0, lines.line().find('#'));
    if (!validate_utf8(rest, file.string())) return fail("the line is not valid UTF-8");
    std::vector<std::uint64_t> words;
    for (std::string_view field = next_field(rest); !field.empty(); field = next_field(rest)) {
      const auto folded = folder.fold_form(to_utf32(field));
      if (!folded) return fail(std::string(field).append(" is not one word"));
      words.push_back(folded->key);
    }
    if (words.size() == 1)
      return fail("a line must have two words or more, which count as one, with blanks between them");
    if (!words.empty()) out.lines.push_back(std::move(words));
  }
  return out;
}

}  // namespace

Result<SynonymLists> read_synonyms(std::string_view content, const std::filesystem::path& file) {
  // A line with one word, such as the name of an encoding, is never part of a user's own file.
  DictionaryLines lines(content);
  if (!lines.next()) return SynonymLists();
  const auto encoding = Encoding::named(lines.line());
  if (!encoding) return read_own(content, file);
  DictionaryLines second = lines;
  if (second.next() && is_number(second.line())) {
    return Error{Errc::bad_dictionary, file.string() + " line 2",
                 "the file is the index of a thesaurus, which has no words of its own",
                 "name the .dat file next to it"};
  }
  return ThesaurusReader(lines, *encoding, file).read();
}

}  // namespace akin
