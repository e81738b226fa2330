// Windows code pages → UTF-8, by ICU.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

struct UConverter;

namespace akin::extract {

/// Keeps the converters that it opened.
class CodePages {
 public:
  CodePages();
  ~CodePages();
  CodePages(const CodePages&) = delete;
  CodePages& operator=(const CodePages&) = delete;

  /// Bytes invalid in the page become U+FFFD; an unknown page is read as 1252.
  [[nodiscard]] std::string decode(std::string_view bytes, std::uint32_t page);

 private:
  [[nodiscard]] UConverter* converter(std::uint32_t page);

  std::map<std::uint32_t, UConverter*> converters_;
};

}  // namespace akin::extract
