// The dictionaries with which zstd compresses pages in English and Russian. Frames name them by an id, so
// they are part of the format of stored texts for ever.
#pragma once

#include <zstd.h>

#include <memory>
#include <string_view>

namespace akin {

class PageDictionary {
 public:
  /// `bytes`: as `zstd --train` makes them.
  explicit PageDictionary(std::string_view bytes);

  [[nodiscard]] unsigned id() const noexcept { return id_; }
  [[nodiscard]] const ZSTD_CDict* compressing() const noexcept { return compressing_.get(); }
  [[nodiscard]] const ZSTD_DDict* decompressing() const noexcept { return decompressing_.get(); }

 private:
  struct Free {
    void operator()(ZSTD_CDict* dictionary) const noexcept { ZSTD_freeCDict(dictionary); }
    void operator()(ZSTD_DDict* dictionary) const noexcept { ZSTD_freeDDict(dictionary); }
  };

  unsigned id_;
  std::unique_ptr<ZSTD_CDict, Free> compressing_;
  std::unique_ptr<ZSTD_DDict, Free> decompressing_;
};

[[nodiscard]] const PageDictionary& english_pages();
/// Of packed texts (cyrillic_text.h).
[[nodiscard]] const PageDictionary& russian_pages();

/// The dictionary that the frame at the beginning of these bytes names; null if it names none, or one that is
/// not known.
[[nodiscard]] const ZSTD_DDict* dictionary_of_frame(std::string_view bytes);

}  // namespace akin
