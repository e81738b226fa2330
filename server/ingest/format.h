// The formats of input files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "base/error.h"

namespace akin::ingest {

enum class Format : std::uint8_t {
  automatic,  ///< by the content, else by the file's name: read_document
  text,       ///< plain text in UTF-8
  html,       ///< HTML or XHTML of any encoding
  mediawiki,  ///< an XML dump, plain or bzip2, if it begins as one; else wikitext in UTF-8
};

/// "auto", "text", "html", "mediawiki". Error: invalid_argument, which lists them.
[[nodiscard]] Result<Format> find_format(std::string_view name);

/// By the ending of the name, as format_of, without a look at the file: .xml is text.
[[nodiscard]] Format format_of_name(const std::filesystem::path& path);

/// By the ending of the name, in any case: .html, .htm, .xhtml, .shtml; .wiki, .mediawiki, .wikitext,
/// .xml.bz2 and, only if the file begins as a dump (`begins_as_dump`), .xml. Everything else is text.
[[nodiscard]] Format format_of(const std::filesystem::path& path);

}  // namespace akin::ingest
