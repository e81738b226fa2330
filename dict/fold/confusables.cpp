#include "dict/fold/confusables.h"

#include <algorithm>
#include <array>

namespace akin {
namespace {

struct ConfusableRow {
  char32_t letter;
  LookAlike meant;
};

// letter, {Latin, Cyrillic, Greek, alike in both cases}; sorted by letter.
constexpr std::array kRows = {
    ConfusableRow{U'a', {0, U'а', U'α', true}},
    ConfusableRow{U'b', {0, U'в', U'β', false}},
    ConfusableRow{U'c', {0, U'с', 0, true}},
    ConfusableRow{U'e', {0, U'е', U'ε', true}},
    ConfusableRow{U'h', {0, U'н', U'η', false}},
    ConfusableRow{U'i', {0, U'і', U'ι', true}},
    ConfusableRow{U'j', {0, U'ј', U'ϳ', true}},
    ConfusableRow{U'k', {0, U'к', U'κ', false}},
    ConfusableRow{U'm', {0, U'м', U'μ', false}},
    ConfusableRow{U'n', {0, 0, U'ν', false}},
    ConfusableRow{U'o', {0, U'о', U'ο', true}},
    ConfusableRow{U'p', {0, U'р', U'ρ', true}},
    ConfusableRow{U'r', {0, U'г', 0, false}},
    ConfusableRow{U's', {0, U'ѕ', 0, true}},
    ConfusableRow{U't', {0, U'т', U'τ', false}},
    ConfusableRow{U'u', {0, 0, U'υ', false}},
    ConfusableRow{U'v', {0, 0, U'ν', false}},
    ConfusableRow{U'x', {0, U'х', U'χ', true}},
    ConfusableRow{U'y', {0, U'у', U'υ', true}},
    ConfusableRow{U'z', {0, 0, U'ζ', false}},
    ConfusableRow{U'α', {U'a', U'а', 0, true}},
    ConfusableRow{U'β', {U'b', U'в', 0, false}},
    ConfusableRow{U'γ', {U'y', U'г', 0, false}},
    ConfusableRow{U'ε', {U'e', U'е', 0, false}},
    ConfusableRow{U'ζ', {U'z', 0, 0, false}},
    ConfusableRow{U'η', {U'h', U'н', 0, false}},
    ConfusableRow{U'ι', {U'i', U'і', 0, true}},
    ConfusableRow{U'κ', {U'k', U'к', 0, false}},
    ConfusableRow{U'λ', {0, U'л', 0, false}},
    ConfusableRow{U'μ', {U'm', U'м', 0, false}},
    ConfusableRow{U'ν', {U'v', 0, 0, false}},
    ConfusableRow{U'ο', {U'o', U'о', 0, true}},
    ConfusableRow{U'π', {0, U'п', 0, true}},
    ConfusableRow{U'ρ', {U'p', U'р', 0, true}},
    ConfusableRow{U'τ', {U't', U'т', 0, true}},
    ConfusableRow{U'υ', {U'u', U'у', 0, false}},
    ConfusableRow{U'φ', {0, U'ф', 0, true}},
    ConfusableRow{U'χ', {U'x', U'х', 0, true}},
    ConfusableRow{U'ϳ', {U'j', U'ј', 0, true}},
    ConfusableRow{U'а', {U'a', 0, U'α', true}},
    ConfusableRow{U'в', {U'b', 0, U'β', false}},
    ConfusableRow{U'г', {U'r', 0, U'γ', false}},
    ConfusableRow{U'е', {U'e', 0, U'ε', true}},
    ConfusableRow{U'к', {U'k', 0, U'κ', false}},
    ConfusableRow{U'л', {0, 0, U'λ', false}},
    ConfusableRow{U'м', {U'm', 0, U'μ', false}},
    ConfusableRow{U'н', {U'h', 0, U'η', false}},
    ConfusableRow{U'о', {U'o', 0, U'ο', true}},
    ConfusableRow{U'п', {0, 0, U'π', true}},
    ConfusableRow{U'р', {U'p', 0, U'ρ', true}},
    ConfusableRow{U'с', {U'c', 0, 0, true}},
    ConfusableRow{U'т', {U't', 0, U'τ', false}},
    ConfusableRow{U'у', {U'y', 0, U'υ', true}},
    ConfusableRow{U'ф', {0, 0, U'φ', true}},
    ConfusableRow{U'х', {U'x', 0, U'χ', true}},
    ConfusableRow{U'ь', {U'b', 0, 0, false}},
    ConfusableRow{U'ѕ', {U's', 0, 0, true}},
    ConfusableRow{U'і', {U'i', 0, U'ι', true}},
    ConfusableRow{U'ј', {U'j', 0, U'ϳ', true}},
    ConfusableRow{U'ѵ', {U'v', 0, 0, true}},
    ConfusableRow{U'ү', {U'y', 0, 0, false}},
    ConfusableRow{U'һ', {U'h', 0, 0, false}},
    ConfusableRow{U'ӏ', {U'l', 0, 0, false}},
    ConfusableRow{U'ԁ', {U'd', 0, 0, false}},
    ConfusableRow{U'ԛ', {U'q', 0, 0, true}},
    ConfusableRow{U'ԝ', {U'w', 0, 0, true}},
    // Armenian.
    ConfusableRow{U'ա', {U'w', 0, 0, false}},
    ConfusableRow{U'զ', {U'q', 0, 0, false}},
    ConfusableRow{U'հ', {U'h', 0, 0, false}},
    ConfusableRow{U'ո', {U'n', 0, 0, false}},
    ConfusableRow{U'ս', {U'u', 0, U'υ', false}},
    ConfusableRow{U'ց', {U'g', 0, 0, false}},
    ConfusableRow{U'ք', {U'f', 0, 0, false}},
    ConfusableRow{U'օ', {U'o', U'о', U'ο', true}},
    // Cherokee, whose letters fold to capitals.
    ConfusableRow{U'Ꭰ', {U'd', 0, 0, false}},
    ConfusableRow{U'Ꭱ', {U'r', 0, 0, false}},
    ConfusableRow{U'Ꭲ', {U't', U'т', U'τ', false}},
    ConfusableRow{U'Ꭵ', {U'i', U'і', U'ι', false}},
    ConfusableRow{U'Ꭹ', {U'y', U'у', U'υ', false}},
    ConfusableRow{U'Ꭺ', {U'a', U'а', U'α', false}},
    ConfusableRow{U'Ꭻ', {U'j', U'ј', 0, false}},
    ConfusableRow{U'Ꭼ', {U'e', U'е', U'ε', false}},
    ConfusableRow{U'Ꮃ', {U'w', 0, 0, false}},
    ConfusableRow{U'Ꮇ', {U'm', U'м', U'μ', false}},
    ConfusableRow{U'Ꮋ', {U'h', U'н', U'η', false}},
    ConfusableRow{U'Ꮐ', {U'g', 0, 0, false}},
    ConfusableRow{U'Ꮓ', {U'z', 0, U'ζ', false}},
    ConfusableRow{U'Ꮟ', {U'b', 0, 0, false}},
    ConfusableRow{U'Ꮥ', {U's', 0, 0, false}},
    ConfusableRow{U'Ꮩ', {U'v', 0, 0, false}},
    ConfusableRow{U'Ꮪ', {U's', 0, 0, false}},
    ConfusableRow{U'Ꮮ', {U'l', 0, 0, false}},
    ConfusableRow{U'Ꮯ', {U'c', U'с', 0, false}},
    ConfusableRow{U'Ꮲ', {U'p', U'р', U'ρ', false}},
    ConfusableRow{U'Ꮶ', {U'k', U'к', U'κ', false}},
    ConfusableRow{U'Ᏼ', {U'b', U'в', U'β', false}},
};

constexpr bool sorted() {
  for (std::size_t i = 1; i < kRows.size(); ++i)
    if (kRows[i - 1].letter >= kRows[i].letter) return false;
  return true;
}
static_assert(sorted());

/// Letters below this are looked up by number; those of Armenian and Cherokee, which are rare, are searched
/// for.
constexpr char32_t kEnd = 0x530;

/// The row of each letter plus 1, or 0.
constexpr std::array<std::uint8_t, kEnd> kRowOf = [] {
  std::array<std::uint8_t, kEnd> row_of{};
  for (std::size_t i = 0; i < kRows.size() && kRows[i].letter < kEnd; ++i)
    row_of[kRows[i].letter] = static_cast<std::uint8_t>(i + 1);
  return row_of;
}();
static_assert(kRows.size() < 0xff);

}  // namespace

LookAlike look_alike(char32_t c) noexcept {
  if (c < kEnd) return kRowOf[c] == 0 ? LookAlike{} : kRows[kRowOf[c] - std::size_t{1}].meant;
  const auto* const row =
      std::lower_bound(kRows.begin(), kRows.end(), c,
                       [](const ConfusableRow& r, char32_t letter) { return r.letter < letter; });
  return row != kRows.end() && row->letter == c ? row->meant : LookAlike{};
}

}  // namespace akin
