// Hunspell itself, asked about words that the table lacks: compounds, and forms that were not expanded.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace akin {

/// Hunspell's answer about a word. Strings are UTF-8, in the dictionary's spelling.
struct HunspellAnswer {
  bool accepted = false;
  /// stem() of the analyses as one word with affixes.
  std::vector<std::string> stems;
  /// The last part of each analysis as a compound, and its stem. (Hunspell's own stem() drops an unaffixed
  /// last part.)
  struct LastPart {
    std::string form, stem;
  };
  std::vector<LastPart> last_parts;
};

/// The contents of the two files of a dictionary.
struct HunspellContent {
  std::string aff, dic;
};

/// Returns nothing if they cannot be had.
using HunspellReader = std::function<std::optional<HunspellContent>()>;

/// One dictionary. Hunspell's handle is slow to open and not thread-safe: it is opened when the first word is
/// asked about, and guarded by a mutex. Thread-safe.
class HunspellStemmer {
 public:
  explicit HunspellStemmer(HunspellReader read);
  ~HunspellStemmer();

  /// Longer words are not asked about: splitting them in all ways takes Hunspell too long.
  static constexpr std::size_t kMaxLetters = 48;

  /// Asks about a folded word in capitals, so that Hunspell tries its lower-case and title-case spellings,
  /// and ß for SS. The answer is empty if the dictionary cannot be opened.
  [[nodiscard]] HunspellAnswer ask(std::u32string_view folded) const;

 private:
  struct Handle;
  HunspellReader read_;
  std::unique_ptr<Handle> handle_;
};

}  // namespace akin
