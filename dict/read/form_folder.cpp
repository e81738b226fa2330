#include "dict/read/form_folder.h"

#include "base/utf8.h"

namespace akin {

std::optional<FoldedWord> FormFolder::fold_form(std::u32string_view form) {
  while (form.ends_with(U'.')) form.remove_suffix(1);
  if (form.empty()) return std::nullopt;
  letters_.clear();
  std::uint8_t scripts = kNoScript;
  bool plain = true;
  CharKind before = CharKind::other;
  for (const char32_t c : form) {
    const CharInfo info = table_[c];
    if (before == CharKind::hyphen && info.kind() != CharKind::letter) return std::nullopt;
    switch (info.kind()) {
      case CharKind::letter:
      case CharKind::digit:
        break;
      case CharKind::solo:
        if (form.size() > 1) return std::nullopt;
        break;
      case CharKind::hyphen:
        if (before != CharKind::letter) return std::nullopt;
        plain = false;
        break;
      case CharKind::mark:
      case CharKind::apostrophe:
      case CharKind::soft_hyphen:
      case CharKind::ignorable:
        plain = false;
        break;
      default:
        return std::nullopt;
    }
    before = info.kind();
    plain = plain && !info.composes();
    letters_.push_back(info.folded());
    scripts = static_cast<std::uint8_t>(scripts | info.scripts());
  }
  if (before == CharKind::hyphen) return std::nullopt;
  if (plain) return folder_.settle({letters_.data(), letters_.size()}, scripts, kFoldClean);
  utf8_.clear();
  for (const char32_t c : form) append_utf8(utf8_, c);
  const FoldedWord folded = folder_.fold(utf8_);
  if (folded.letters.empty()) return std::nullopt;
  return folded;
}

}  // namespace akin
