// Views of libxml2's strings.
#pragma once

#include <libxml/xmlstring.h>

#include <string_view>

namespace akin::extract {

/// The view lives as long as the string; null is empty.
inline std::string_view xml_view(const xmlChar* text) noexcept {
  return text == nullptr ? std::string_view{} : reinterpret_cast<const char*>(text);
}

}  // namespace akin::extract
