// References to works within a text, and the passages that have one.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/text_range.h"
#include "server/check/engine.h"
#include "server/check/letters.h"
#include "server/check/lines.h"

namespace akin::check {

struct Reference {
  TextRange range;
  bool is_note = false;  ///< a number at a sentence, which refers to a work for this sentence
};

/// The references of a text, by rule, ascending: brackets with a number or a year ("[12]", "[3, p. 45]",
/// "[Ivanov 2019]"); parentheses with a name and a year ("(Ivanov, 2019: 45)", "(vgl. Müller 2010)"), with
/// a year behind a name ("Smith (2019)"), a page ("(p. 45)") or a place in a work ("(Il. ii. 714)"); raised
/// digits behind a word, "[^1]"; words that refer to the work named last ("ibid.", "там же"); "см.", "vgl."
/// and so on before a name and a year. reference_words.txt has the words. docs/checks.md has how often the
/// rule is right. Requires well-formed UTF-8.
[[nodiscard]] std::vector<Reference> find_references(std::string_view utf8);

/// How a text uses its passages. One is quoted if more than half of its letters and digits lie in quotations
/// (find_quotations); it is referenced if in its paragraph a reference ends at most 150 code points before
/// it, or begins at most 150 after it, or lies within its first or last 150; a note only if no sentence
/// begins between it and the passage, or with the passage after it.
class Citations {
 public:
  /// `letters`: all of the text. Copies what it needs.
  Citations(std::string_view text, const Letters& letters);
  [[nodiscard]] Citation of(TextRange passage) const;
  /// The quotations of the text (find_quotations).
  [[nodiscard]] const std::vector<TextRange>& quotations() const noexcept { return quotations_; }

 private:
  Citations(std::u32string_view letters_of_text, const std::vector<Line>& lines, const Letters& letters);
  [[nodiscard]] bool is_on_another_sentence(TextRange note, TextRange passage) const;

  std::vector<Reference> references_;
  std::vector<std::uint32_t> sentence_begins_, paragraph_ends_;
  std::vector<TextRange> quotations_;
  Letters letters_, unquoted_;
};

/// Sets Source::citations.
void note_citations(const Citations& citations, std::vector<Source>& sources);

}  // namespace akin::check
