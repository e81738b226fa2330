#include "dict/stem/snowball.h"

#include <libstemmer.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "base/utf8.h"
#include "dict/read/encoding.h"

namespace akin {
namespace {

struct Language {
  std::string_view code;
  const char* algorithm;
  UScriptCode script;
  bool endings_are_better = false;
};

/// In the order that the header promises.
constexpr std::array kLanguages{
    Language{"en", "english", USCRIPT_LATIN},    Language{"de", "german", USCRIPT_LATIN},
    Language{"fr", "french", USCRIPT_LATIN},     Language{"es", "spanish", USCRIPT_LATIN},
    Language{"it", "italian", USCRIPT_LATIN},    Language{"pt", "portuguese", USCRIPT_LATIN},
    Language{"nl", "dutch", USCRIPT_LATIN},      Language{"sv", "swedish", USCRIPT_LATIN},
    Language{"no", "norwegian", USCRIPT_LATIN},  Language{"nb", "norwegian", USCRIPT_LATIN},
    Language{"nn", "norwegian", USCRIPT_LATIN},  Language{"da", "danish", USCRIPT_LATIN},
    Language{"fi", "finnish", USCRIPT_LATIN},    Language{"hu", "hungarian", USCRIPT_LATIN},
    Language{"ro", "romanian", USCRIPT_LATIN},   Language{"lt", "lithuanian", USCRIPT_LATIN},
    Language{"ca", "catalan", USCRIPT_LATIN},    Language{"eu", "basque", USCRIPT_LATIN},
    Language{"ga", "irish", USCRIPT_LATIN},      Language{"tr", "turkish", USCRIPT_LATIN},
    Language{"id", "indonesian", USCRIPT_LATIN}, Language{"ru", "russian", USCRIPT_CYRILLIC, true},
    Language{"sr", "serbian", USCRIPT_CYRILLIC}, Language{"el", "greek", USCRIPT_GREEK},
    Language{"ar", "arabic", USCRIPT_ARABIC},    Language{"hy", "armenian", USCRIPT_ARMENIAN},
    Language{"hi", "hindi", USCRIPT_DEVANAGARI}, Language{"ne", "nepali", USCRIPT_DEVANAGARI},
    Language{"ta", "tamil", USCRIPT_TAMIL},      Language{"yi", "yiddish", USCRIPT_HEBREW},
};

UScriptCode script_of(std::u32string_view word) {
  if (!word.empty() && word.front() >= U'a' && word.front() <= U'z') return USCRIPT_LATIN;  // nearly always
  for (const char32_t c : word) {
    UErrorCode status = U_ZERO_ERROR;
    const UScriptCode script = uscript_getScript(static_cast<UChar32>(c), &status);
    if (U_SUCCESS(status) && script != USCRIPT_COMMON && script != USCRIPT_INHERITED) return script;
  }
  return USCRIPT_COMMON;
}

/// A libstemmer handle with its buffer: one call at a time.
class Stemmer {
 public:
  explicit Stemmer(const char* algorithm) : handle_(sb_stemmer_new(algorithm, "UTF_8"), &sb_stemmer_delete) {}

  [[nodiscard]] std::optional<std::u32string> stem(std::u32string_view word) {
    const std::string utf8 = to_utf8(word);
    static const Encoding encoding = *Encoding::named("UTF-8");
    const std::lock_guard lock(mutex_);
    if (!handle_) return std::nullopt;
    const sb_symbol* stem = sb_stemmer_stem(handle_.get(), reinterpret_cast<const sb_symbol*>(utf8.data()),
                                            static_cast<int>(utf8.size()));
    if (stem == nullptr) return std::nullopt;
    const std::string_view bytes(reinterpret_cast<const char*>(stem),
                                 static_cast<std::size_t>(sb_stemmer_length(handle_.get())));
    std::u32string letters;
    if (!encoding.decode(bytes, letters) || letters.empty()) return std::nullopt;
    return letters;
  }

 private:
  std::mutex mutex_;
  std::unique_ptr<sb_stemmer, decltype(&sb_stemmer_delete)> handle_;
};

}  // namespace

bool teaches_endings(std::string_view code) {
  return std::none_of(kLanguages.begin(), kLanguages.end(), [&](const Language& language) {
    return language.code == code && !language.endings_are_better;
  });
}

struct Snowball::Stemmers {
  std::map<UScriptCode, Stemmer> by_script;
  std::set<UScriptCode> preceding_endings;
};

Snowball::Snowball(std::span<const std::string> codes) : stemmers_(std::make_unique<Stemmers>()) {
  for (const Language& language : kLanguages) {
    if (std::find(codes.begin(), codes.end(), language.code) != codes.end()) {
      const bool is_first = stemmers_->by_script.try_emplace(language.script, language.algorithm).second;
      if (is_first && !language.endings_are_better) stemmers_->preceding_endings.insert(language.script);
    }
  }
  stemmers_->by_script.try_emplace(USCRIPT_CYRILLIC, "russian");
  stemmers_->by_script.try_emplace(USCRIPT_LATIN, "english");
}
Snowball::~Snowball() = default;

std::u32string Snowball::stem(std::u32string_view folded) const {
  constexpr std::size_t kMaxLetters = 1000;
  const auto found = stemmers_->by_script.find(script_of(folded));
  if (found == stemmers_->by_script.end() || folded.size() > kMaxLetters) return std::u32string(folded);
  return found->second.stem(folded).value_or(std::u32string(folded));
}

bool Snowball::precedes_endings(std::u32string_view folded) const {
  return stemmers_->preceding_endings.contains(script_of(folded));
}

}  // namespace akin
