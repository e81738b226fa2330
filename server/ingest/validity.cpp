#include "server/ingest/validity.h"

#include <unicode/uchar.h>

#include <cmath>

#include "base/utf8.h"
#include "morph/words/has_word.h"
#include "morph/words/scanner.h"

namespace akin::ingest {

namespace {

class KnownWords final : public SentenceSink {
 public:
  void on_sentence(const Sentence& sentence) override {
    for (const Word& word : sentence.words) {
      if (u_isalpha(static_cast<UChar32>(word.letters.front())) == 0) continue;
      ++words_;
      if (word.lemma_class.form != WordClass::kNoForm) ++known_;
    }
  }
  [[nodiscard]] double share() const noexcept {
    return words_ == 0 ? 0.0 : static_cast<double>(known_) / static_cast<double>(words_);
  }

 private:
  std::uint64_t words_ = 0, known_ = 0;
};

/// Truncated, not rounded: a share just under a limit must not look as if it reached it.
std::string in_percent(double share) {
  const auto tenths = static_cast<std::uint64_t>(std::floor(share * 1000.0 + 1e-9));
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " %";
}

std::optional<NotValid> wrong_length(std::string_view utf8, const Validity& wanted) {
  if (wanted.min_length == 0 && wanted.max_length == 0) return std::nullopt;
  const std::uint64_t length = count_code_points(utf8);
  const std::string length_words = std::to_string(length) + " characters, ";
  if (length < wanted.min_length)
    return NotValid{Invalid::too_short,
                    length_words + "at least " + std::to_string(wanted.min_length) + " are wanted"};
  if (wanted.max_length > 0 && length > wanted.max_length)
    return NotValid{Invalid::too_long,
                    length_words + "at most " + std::to_string(wanted.max_length) + " are wanted"};
  return std::nullopt;
}

}  // namespace

std::string_view invalid_name(Invalid reason) noexcept {
  switch (reason) {
    case Invalid::no_words:
      return "no_words";
    case Invalid::too_short:
      return "too_short";
    case Invalid::too_long:
      return "too_long";
    case Invalid::few_letters:
      return "few_letters";
    case Invalid::other_language:
      return "other_language";
  }
  return "";
}

double share_of_letters(std::string_view utf8) noexcept {
  constexpr std::uint32_t kLetters = U_GC_L_MASK | U_GC_M_MASK;
  std::uint64_t letters = 0, all = 0;
  for (std::size_t at = 0; at < utf8.size();) {
    const auto c = static_cast<UChar32>(next_code_point(utf8, at));
    const std::uint32_t category = U_MASK(u_charType(c));
    if ((category & (U_GC_Z_MASK | U_GC_CC_MASK)) != 0) continue;
    ++all;
    if ((category & kLetters) != 0) ++letters;
  }
  return all == 0 ? 0.0 : static_cast<double>(letters) / static_cast<double>(all);
}

Result<double> share_of_known(std::string_view utf8, const Dictionary& dictionary) {
  KnownWords words;
  AKIN_CHECK(scan_text(utf8, dictionary, words));
  return words.share();
}

Result<std::optional<NotValid>> find_invalid(std::string_view utf8, const Validity& wanted) {
  if (!has_word(utf8)) return std::optional(NotValid{Invalid::no_words, "it has no words"});
  if (auto length = wrong_length(utf8, wanted)) return length;
  if (wanted.min_letters > 0.0) {
    const double share = share_of_letters(utf8);
    if (share < wanted.min_letters) {
      return std::optional(
          NotValid{Invalid::few_letters, in_percent(share) + " of it are letters, at least " +
                                             in_percent(wanted.min_letters) + " are wanted"});
    }
  }
  if (wanted.dictionary != nullptr) {
    AKIN_TRY(const double share, share_of_known(utf8, *wanted.dictionary));
    if (share < wanted.min_known) {
      return std::optional(
          NotValid{Invalid::other_language, in_percent(share) + " of its words are known, at least " +
                                                in_percent(wanted.min_known) + " are wanted"});
    }
  }
  return std::optional<NotValid>();
}

}  // namespace akin::ingest
