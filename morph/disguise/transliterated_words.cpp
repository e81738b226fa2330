#include "morph/disguise/transliterated_words.h"

#include <string>

#include "base/utf8.h"
#include "dict/fold/characters.h"
#include "dict/fold/fold.h"

namespace akin {

namespace {

/// Of so many words of Latin letters in a row, so many must be Russian.
constexpr std::size_t kGroup = 20, kLeast = 12;

class TransliterationFinder {
 public:
  TransliterationFinder(const Dictionary& dictionary, AlertCounts& counts, std::vector<Alert>& listed)
      : dictionary_(dictionary), counts_(counts), listed_(listed) {}

  void run(std::string_view utf8) {
    std::uint32_t place = 0;
    std::size_t begin = 0;
    TextRange range;
    std::uint8_t scripts = kNoScript;
    const auto close = [&](std::size_t end) {
      if (range.end > range.begin + 1 && scripts == kLatin) take(utf8.substr(begin, end - begin), range);
      range = {};
      scripts = kNoScript;
    };
    for (std::size_t at = 0; at < utf8.size(); ++place) {
      const std::size_t here = at;
      const char32_t c = next_code_point(utf8, at);
      const CharInfo info = CharTable::instance()[c];
      const bool inside = range.end > range.begin;
      if (info.kind() == CharKind::letter) {
        if (!inside) begin = here, range.begin = place;
        range.end = place + 1;
        scripts |= info.scripts();
      } else if (inside && (info.kind() == CharKind::mark || is_apostrophe(c))) {
        range.end = place + 1;  // a soft sign, also at the end
      } else if (inside) {
        close(here);
      }
    }
    close(utf8.size());
    end_group();
  }

 private:
  static bool is_apostrophe(char32_t c) { return c == U'\'' || c == U'\u2019' || c == U'\u02b9'; }

  void take(std::string_view word, TextRange range) {
    const bool can_be_enough = words_ - russian_.size() <= kGroup - kLeast;
    if (can_be_enough && dictionary_.is_transliterated(folder_.fold(word))) russian_.push_back(range);
    if (++words_ == kGroup) end_group();
  }

  void end_group() {
    if (russian_.size() * kGroup >= kLeast * words_ && russian_.size() >= kLeast) {
      counts_[AlertKind::transliterated] += russian_.size();
      for (const TextRange range : russian_)
        if (listed_.size() < kMaxAlerts) listed_.push_back({AlertKind::transliterated, range});
    }
    russian_.clear();
    words_ = 0;
  }

  const Dictionary& dictionary_;
  AlertCounts& counts_;
  std::vector<Alert>& listed_;
  WordFolder folder_;
  std::size_t words_ = 0;           ///< of the group
  std::vector<TextRange> russian_;  ///< those of them
};

}  // namespace

void add_transliterated(std::string_view utf8, const Dictionary& dictionary, AlertCounts& counts,
                        std::vector<Alert>& listed) {
  TransliterationFinder(dictionary, counts, listed).run(utf8);
}

}  // namespace akin
