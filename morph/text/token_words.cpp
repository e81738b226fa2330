#include "morph/text/token_words.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/hash.h"
#include "base/utf8.h"
#include "dict/fold/characters.h"
#include "morph/text/stretch.h"

namespace akin {
namespace {

/// Enough for the spellings of long texts.
constexpr std::size_t kBytesOfSet = 128;
constexpr int kMinSetBits = 4, kMaxSetBits = 16;

/// The longest word that is looked up without the scanner, in letters.
constexpr std::size_t kMaxLetters = 64;

class TokenClasses final : public SentenceSink {
 public:
  explicit TokenClasses(std::vector<std::uint64_t>& out) : out_(out) {}
  [[nodiscard]] SentenceDetail needs() const override { return SentenceDetail::classes; }
  void on_sentence(const Sentence& sentence) override {
    for (const PlacedClass& word : sentence.classes) out_.push_back(word.hash);
  }

 private:
  std::vector<std::uint64_t>& out_;
};

/// Marks around a word, which leave it as it is.
bool is_around_word(CharInfo info) {
  const CharKind kind = info.kind();
  return !info.composes() && (kind == CharKind::other || kind == CharKind::quote || kind == CharKind::dash ||
                              kind == CharKind::apostrophe);
}

bool is_plain_apostrophe(CharInfo info) { return info.kind() == CharKind::apostrophe && !info.composes(); }

CharInfo character(std::string_view text, std::size_t& at) {
  return CharTable::instance()[next_code_point(text, at)];
}

CharInfo last_character(std::string_view text) {
  std::size_t at = text.size();
  do --at;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U);
  return character(text, at);
}

}  // namespace

constexpr std::array<std::array<std::uint64_t, 4>, TokenWords::kMaxKey + 1> TokenWords::kMasks = [] {
  std::array<std::array<std::uint64_t, 4>, kMaxKey + 1> masks{};
  for (unsigned size = 0; size <= kMaxKey; ++size)
    for (unsigned byte = 0; byte < size; ++byte)
      masks[size][byte / 8] |= std::uint64_t{0xff} << (8U * (byte % 8));
  return masks;
}();

TokenWords::TokenWords(const Dictionary& dictionary, std::size_t text_bytes)
    : dictionary_(dictionary),
      set_bits_(static_cast<unsigned>(
          std::clamp(static_cast<int>(std::bit_width(text_bytes / kBytesOfSet)), kMinSetBits, kMaxSetBits))),
      memory_(bytes()) {}

void TokenWords::keep(Entry* set, const Entry& key, Meaning meaning) noexcept {
  unsigned way = 0;
  while (way < kWays && set[way].words[0] != 0) ++way;
  if (way == kWays) way = replaced_++ % kWays;
  set[way] = key;
  set[way].words[3] |= std::uint64_t{meaning} << 32U;
}

void TokenWords::forget() noexcept {
  std::memset(memory_.begin(), 0, bytes());
  lists_.clear();
}

std::optional<std::uint64_t> TokenWords::class_of_word(std::string_view token) {
  std::size_t at = 0;
  CharInfo info = character(token, at);
  while (is_around_word(info)) {
    if (at == token.size()) return std::nullopt;
    info = character(token, at);
  }
  letters_.clear();
  std::uint8_t scripts = kNoScript;
  bool goes_on = true, after_letter = false;
  while (goes_on && letters_.size() < kMaxLetters) {
    if (info.is_plain_word_character()) {
      letters_.push_back(info.folded());
      scripts |= info.scripts();
      after_letter = info.kind() == CharKind::letter;
    } else {
      // An apostrophe between two letters is in the word.
      std::size_t next = at;
      if (!after_letter || !is_plain_apostrophe(info) || at == token.size() ||
          !character(token, next).is_plain_letter())
        break;
      letters_.push_back(info.folded());
    }
    goes_on = at < token.size();
    if (goes_on) info = character(token, at);
  }
  if (letters_.empty() || letters_.size() >= kMaxLetters || mixes_scripts(scripts)) return std::nullopt;
  while (goes_on) {
    if (!is_around_word(info)) return std::nullopt;
    goes_on = at < token.size();
    if (goes_on) info = character(token, at);
  }
  const std::u32string_view letters(letters_.data(), letters_.size());
  const QuickWord word{letters, spelling_key(letters)};
  std::uint64_t hash = 0;
  dictionary_.hash_all({&word, 1}, {&hash, 1});
  return hash;
}

bool TokenWords::stands_alone(std::string_view token) noexcept {
  std::size_t at = 0;
  const CharInfo first = character(token, at), last = last_character(token);
  const auto is_sound = [](CharInfo info) {
    return info.is_plain_word_character() || info.kind() == CharKind::solo || is_around_word(info);
  };
  // A hyphen joins only letters directly before and after it, and two hyphens are a dash.
  const bool begins = (is_sound(first) && !first.composes()) || token.front() == '-';
  const bool ends = (is_sound(last) && !last.composes()) || token == "-" || token.ends_with("--");
  return begins && ends;
}

void TokenWords::read_classes(std::string_view token) {
  classes_.clear();
  TokenClasses sink(classes_);
  scan_stretch(token, dictionary_, sink);
}

}  // namespace akin
