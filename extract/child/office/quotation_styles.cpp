#include "extract/child/office/quotation_styles.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/ascii.h"

namespace akin::extract {

bool is_quotation_style(std::string_view name) {
  // In small letters but for those beyond ASCII, which begin names.
  constexpr std::array<std::string_view, 26> kNames = {"quote",
                                                       "intense quote",
                                                       "block text",
                                                       "quotations",
                                                       "quotation",
                                                       "block quote",
                                                       "block quotation",
                                                       "blockquote",
                                                       "blockquotation",
                                                       "Цитата",
                                                       "Выделенная цитата",
                                                       "Текст цитаты",
                                                       "Цитаты",
                                                       "Цитата виділена",
                                                       "Насичена цитата",
                                                       "zitat",
                                                       "intensives zitat",
                                                       "blockzitat",
                                                       "blocktext",
                                                       "citation",
                                                       "citation intense",
                                                       "citations",
                                                       "cita",
                                                       "cita destacada",
                                                       "cytat",
                                                       "citazione"};
  std::string known = ascii_lower(name);
  while (!known.empty() && (known.back() == ' ' || (known.back() >= '0' && known.back() <= '9')))
    known.pop_back();
  return std::ranges::find(kNames, known) != kNames.end();
}

}  // namespace akin::extract
