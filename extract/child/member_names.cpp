#include "extract/child/member_names.h"

#include "base/hex.h"
#include "extract/child/code_pages.h"
#include "extract/formats/word_likeness.h"

namespace akin::extract {

namespace {

std::string escaped(std::string_view name) {
  std::string shown;
  for (const char c : name)
    shown += static_cast<unsigned char>(c) < 0x80 ? std::string(1, c) : "\\x" + hex_of({&c, 1});
  return shown;
}

}  // namespace

std::vector<std::string> decoded_names(const std::vector<std::string_view>& names) {
  std::string all;
  for (const std::string_view name : names) (all += name) += '\n';
  CodePages pages;
  std::uint32_t best = 0;
  double most = 1.5;  // a single letter looks like a word in every page
  for (const std::uint32_t page : {866U, 1251U, 437U}) {
    const double like = word_likeness(pages.decode(all, page));
    if (like > most) {
      best = page;
      most = like;
    }
  }
  std::vector<std::string> decoded;
  decoded.reserve(names.size());
  for (const std::string_view name : names)
    decoded.push_back(best == 0 ? escaped(name) : pages.decode(name, best));
  return decoded;
}

}  // namespace akin::extract
