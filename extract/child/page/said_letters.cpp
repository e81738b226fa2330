#include "extract/child/page/said_letters.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "extract/document.h"

namespace akin::extract {

namespace {

bool is_of(char32_t c, UScriptCode script) {
  UErrorCode status = U_ZERO_ERROR;
  return u_isalpha(static_cast<UChar32>(c)) != 0 &&
         uscript_getScript(static_cast<UChar32>(c), &status) == script;
}

bool is_known(char32_t c) { return is_of(c, USCRIPT_LATIN) || is_of(c, USCRIPT_CYRILLIC); }

char32_t small(char32_t c) { return static_cast<char32_t>(u_tolower(static_cast<UChar32>(c))); }

}  // namespace

void SaidLetters::begin(std::string_view utf8) {
  said_ = utf8;
  drawn_.clear();
  open_ = true;
}

void SaidLetters::glyph(Unicode character) {
  if (open_ && is_known(character)) drawn_ += small(character);
}

void SaidLetters::end() {
  if (!std::exchange(open_, false)) return;
  std::u32string said = to_utf32(said_);
  std::ranges::transform(said, said.begin(), small);
  const bool in_other_script = std::ranges::any_of(
      said, [](char32_t c) { return u_isalpha(static_cast<UChar32>(c)) != 0 && !is_of(c, USCRIPT_LATIN); });
  std::uint64_t denied = 0;
  for (const char32_t c : drawn_) {
    if (in_other_script && is_of(c, USCRIPT_LATIN)) continue;
    const std::size_t at = said.find(c);
    if (at == std::u32string::npos)
      ++denied;
    else
      said.erase(at, 1);
  }
  denied_ += denied;
  if (denied > 0 && sample_.size() < kSampleBytes) (sample_ += sample_.empty() ? "" : " ") += said_;
}

}  // namespace akin::extract
