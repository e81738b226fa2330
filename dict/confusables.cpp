#include "dict/confusables.h"

#include <algorithm>
#include <array>

namespace akin {
namespace {

struct Row {
  char32_t letter;
  LookAlike meant;
};

// letter, {Latin, Cyrillic, Greek, alike in both cases}; sorted by letter.
constexpr std::array kRows = {
    Row{U'a', {0, U'а', U'α', true}},
    Row{U'b', {0, U'в', U'β', false}},
    Row{U'c', {0, U'с', 0, true}},
    Row{U'e', {0, U'е', U'ε', true}},
    Row{U'h', {0, U'н', U'η', false}},
    Row{U'i', {0, U'і', U'ι', true}},
    Row{U'j', {0, U'ј', U'ϳ', true}},
    Row{U'k', {0, U'к', U'κ', false}},
    Row{U'm', {0, U'м', U'μ', false}},
    Row{U'n', {0, 0, U'ν', false}},
    Row{U'o', {0, U'о', U'ο', true}},
    Row{U'p', {0, U'р', U'ρ', true}},
    Row{U'r', {0, U'г', 0, false}},
    Row{U's', {0, U'ѕ', 0, true}},
    Row{U't', {0, U'т', U'τ', false}},
    Row{U'u', {0, 0, U'υ', false}},
    Row{U'v', {0, 0, U'ν', false}},
    Row{U'x', {0, U'х', U'χ', true}},
    Row{U'y', {0, U'у', U'υ', true}},
    Row{U'z', {0, 0, U'ζ', false}},
    Row{U'α', {U'a', U'а', 0, true}},
    Row{U'β', {U'b', U'в', 0, false}},
    Row{U'γ', {U'y', U'г', 0, false}},
    Row{U'ε', {U'e', U'е', 0, false}},
    Row{U'ζ', {U'z', 0, 0, false}},
    Row{U'η', {U'h', U'н', 0, false}},
    Row{U'ι', {U'i', U'і', 0, true}},
    Row{U'κ', {U'k', U'к', 0, false}},
    Row{U'λ', {0, U'л', 0, false}},
    Row{U'μ', {U'm', U'м', 0, false}},
    Row{U'ν', {U'v', 0, 0, false}},
    Row{U'ο', {U'o', U'о', 0, true}},
    Row{U'π', {0, U'п', 0, true}},
    Row{U'ρ', {U'p', U'р', 0, true}},
    Row{U'τ', {U't', U'т', 0, true}},
    Row{U'υ', {U'u', U'у', 0, false}},
    Row{U'φ', {0, U'ф', 0, true}},
    Row{U'χ', {U'x', U'х', 0, true}},
    Row{U'ϳ', {U'j', U'ј', 0, true}},
    Row{U'а', {U'a', 0, U'α', true}},
    Row{U'в', {U'b', 0, U'β', false}},
    Row{U'г', {U'r', 0, U'γ', false}},
    Row{U'е', {U'e', 0, U'ε', true}},
    Row{U'к', {U'k', 0, U'κ', false}},
    Row{U'л', {0, 0, U'λ', false}},
    Row{U'м', {U'm', 0, U'μ', false}},
    Row{U'н', {U'h', 0, U'η', false}},
    Row{U'о', {U'o', 0, U'ο', true}},
    Row{U'п', {0, 0, U'π', true}},
    Row{U'р', {U'p', 0, U'ρ', true}},
    Row{U'с', {U'c', 0, 0, true}},
    Row{U'т', {U't', 0, U'τ', false}},
    Row{U'у', {U'y', 0, U'υ', true}},
    Row{U'ф', {0, 0, U'φ', true}},
    Row{U'х', {U'x', 0, U'χ', true}},
    Row{U'ь', {U'b', 0, 0, false}},
    Row{U'ѕ', {U's', 0, 0, true}},
    Row{U'і', {U'i', 0, U'ι', true}},
    Row{U'ј', {U'j', 0, U'ϳ', true}},
    Row{U'ѵ', {U'v', 0, 0, true}},
    Row{U'ү', {U'y', 0, 0, false}},
    Row{U'һ', {U'h', 0, 0, false}},
    Row{U'ӏ', {U'l', 0, 0, false}},
    Row{U'ԁ', {U'd', 0, 0, false}},
    Row{U'ԛ', {U'q', 0, 0, true}},
    Row{U'ԝ', {U'w', 0, 0, true}},
    // Armenian.
    Row{U'ա', {U'w', 0, 0, false}},
    Row{U'զ', {U'q', 0, 0, false}},
    Row{U'հ', {U'h', 0, 0, false}},
    Row{U'ո', {U'n', 0, 0, false}},
    Row{U'ս', {U'u', 0, U'υ', false}},
    Row{U'ց', {U'g', 0, 0, false}},
    Row{U'ք', {U'f', 0, 0, false}},
    Row{U'օ', {U'o', U'о', U'ο', true}},
    // Cherokee, whose letters fold to capitals.
    Row{U'Ꭰ', {U'd', 0, 0, false}},
    Row{U'Ꭱ', {U'r', 0, 0, false}},
    Row{U'Ꭲ', {U't', U'т', U'τ', false}},
    Row{U'Ꭵ', {U'i', U'і', U'ι', false}},
    Row{U'Ꭹ', {U'y', U'у', U'υ', false}},
    Row{U'Ꭺ', {U'a', U'а', U'α', false}},
    Row{U'Ꭻ', {U'j', U'ј', 0, false}},
    Row{U'Ꭼ', {U'e', U'е', U'ε', false}},
    Row{U'Ꮃ', {U'w', 0, 0, false}},
    Row{U'Ꮇ', {U'm', U'м', U'μ', false}},
    Row{U'Ꮋ', {U'h', U'н', U'η', false}},
    Row{U'Ꮐ', {U'g', 0, 0, false}},
    Row{U'Ꮓ', {U'z', 0, U'ζ', false}},
    Row{U'Ꮟ', {U'b', 0, 0, false}},
    Row{U'Ꮥ', {U's', 0, 0, false}},
    Row{U'Ꮩ', {U'v', 0, 0, false}},
    Row{U'Ꮪ', {U's', 0, 0, false}},
    Row{U'Ꮮ', {U'l', 0, 0, false}},
    Row{U'Ꮯ', {U'c', U'с', 0, false}},
    Row{U'Ꮲ', {U'p', U'р', U'ρ', false}},
    Row{U'Ꮶ', {U'k', U'к', U'κ', false}},
    Row{U'Ᏼ', {U'b', U'в', U'β', false}},
};

constexpr bool sorted() {
  for (std::size_t i = 1; i < kRows.size(); ++i)
    if (kRows[i - 1].letter >= kRows[i].letter) return false;
  return true;
}
static_assert(sorted());

}  // namespace

LookAlike look_alike(char32_t c) noexcept {
  const auto* const row = std::lower_bound(kRows.begin(), kRows.end(), c,
                                           [](const Row& r, char32_t letter) { return r.letter < letter; });
  return row != kRows.end() && row->letter == c ? row->meant : LookAlike{};
}

}  // namespace akin
