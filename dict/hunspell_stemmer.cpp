#include "dict/hunspell_stemmer.h"

#include <unicode/uchar.h>

#include <exception>
#include <hunspell/hunspell.hxx>
#include <mutex>
#include <optional>
#include <utility>

#include "base/utf8.h"
#include "dict/encoding.h"

namespace akin {
namespace {

std::u32string upper_case(std::u32string_view letters) {
  std::u32string out;
  for (const char32_t c : letters) out.push_back(static_cast<char32_t>(u_toupper(static_cast<UChar32>(c))));
  return out;
}

/// The word with the "ss" at `only`, or every "ss", as "ß".
std::u32string with_sharp_s(std::u32string_view word, std::size_t only) {
  std::u32string out;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word.substr(i).starts_with(U"ss") && (only == i || only == std::u32string_view::npos)) {
      out.push_back(U'ß');
      ++i;
    } else {
      out.push_back(word[i]);
    }
  }
  return out;
}

/// The word with all, then with each single "ss" as "ß"; empty without "ss".
std::vector<std::u32string> sharp_s_spellings(std::u32string_view word) {
  std::vector<std::u32string> spellings;
  std::size_t at = word.find(U"ss");
  if (at == std::u32string_view::npos) return spellings;
  spellings.push_back(with_sharp_s(word, std::u32string_view::npos));
  if (word.find(U"ss", at + 1) == std::u32string_view::npos) return spellings;
  for (; at != std::u32string_view::npos; at = word.find(U"ss", at + 1))
    spellings.push_back(with_sharp_s(word, at));
  return spellings;
}

}  // namespace

struct HunspellStemmer::Handle {
  std::mutex mutex;
  bool tried = false;
  std::optional<Encoding> encoding;
  std::unique_ptr<Hunspell> hunspell;  // none: it could not be opened

  void open(const DictionaryPair& files) {
    if (std::exchange(tried, true)) return;
    auto opened = std::make_unique<Hunspell>(files.aff.c_str(), files.dic.c_str());
    encoding = Encoding::named(opened->get_dict_encoding());
    if (encoding) hunspell = std::move(opened);
  }

  std::vector<std::string> ask(std::u32string_view word) {
    std::string bytes;
    std::vector<std::string> stems;
    if (!encoding->encode(upper_case(word), bytes)) return stems;
    for (const std::string& stem : hunspell->stem(bytes)) {
      std::u32string letters;
      if (encoding->decode(stem, letters) && !letters.empty()) stems.push_back(to_utf8(letters));
    }
    return stems;
  }
};

HunspellStemmer::HunspellStemmer(DictionaryPair files)
    : files_(std::move(files)), handle_(std::make_unique<Handle>()) {}
HunspellStemmer::~HunspellStemmer() = default;

std::vector<std::string> HunspellStemmer::stems(std::u32string_view folded) const {
  if (folded.empty() || folded.size() > kMaxLetters) return {};
  const std::lock_guard lock(handle_->mutex);
  try {
    handle_->open(files_);
    if (!handle_->hunspell) return {};
    std::vector<std::string> stems = handle_->ask(folded);
    if (!stems.empty()) return stems;
    for (const std::u32string& spelling : sharp_s_spellings(folded)) {
      stems = handle_->ask(spelling);
      if (!stems.empty()) return stems;
    }
  } catch (const std::exception&) {
    // Hunspell reports nothing but failed allocations so; the word then counts as unknown.
  }
  return {};
}

}  // namespace akin
