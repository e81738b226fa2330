#include "extract/child/code_pages.h"

#include <algorithm>

namespace akin::extract {

namespace {

std::optional<Decoder> open(std::uint32_t page) {
  constexpr std::uint32_t kMac = 10000, kMacCyrillic = 10007;
  std::string name = "windows-" + std::to_string(page);
  if (page == kMac) name = "macintosh";
  if (page == kMacCyrillic) name = "x-mac-cyrillic";
  if (page < 1250 && page > 0) name = "cp" + std::to_string(page);
  std::optional<Decoder> decoder = Decoder::open(name);
  return decoder ? std::move(decoder) : Decoder::open("windows-1252");
}

}  // namespace

std::string CodePages::decode(std::string_view bytes, std::uint32_t page) {
  if (std::ranges::all_of(bytes, [](char c) { return static_cast<unsigned char>(c) < 0x80; }))
    return std::string(bytes);
  auto found = decoders_.find(page);
  if (found == decoders_.end()) found = decoders_.emplace(page, open(page)).first;
  return found->second ? found->second->decode(bytes).value_or("") : std::string();
}

}  // namespace akin::extract
