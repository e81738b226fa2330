#include "base/page_dictionaries.h"

#include <new>

namespace akin {

// base/dictionaries
std::string_view english_dictionary() noexcept;
std::string_view russian_dictionary() noexcept;

namespace {

constexpr int kLevel = 3;

}  // namespace

PageDictionary::PageDictionary(std::string_view bytes)
    : id_(ZSTD_getDictID_fromDict(bytes.data(), bytes.size())),
      compressing_(ZSTD_createCDict(bytes.data(), bytes.size(), kLevel)),
      decompressing_(ZSTD_createDDict(bytes.data(), bytes.size())) {
  if (compressing_ == nullptr || decompressing_ == nullptr) throw std::bad_alloc();
}

const PageDictionary& english_pages() {
  static const PageDictionary dictionary(english_dictionary());
  return dictionary;
}

const PageDictionary& russian_pages() {
  static const PageDictionary dictionary(russian_dictionary());
  return dictionary;
}

const ZSTD_DDict* dictionary_of_frame(std::string_view bytes) {
  const unsigned id = ZSTD_getDictID_fromFrame(bytes.data(), bytes.size());
  if (id == 0) return nullptr;
  for (const PageDictionary* known : {&english_pages(), &russian_pages()})
    if (known->id() == id) return known->decompressing();
  return nullptr;
}

}  // namespace akin
