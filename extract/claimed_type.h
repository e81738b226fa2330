// What a file says it is, beside its content: by its name or by the Content-Type of a request.
#pragma once

#include <string>
#include <string_view>

#include "extract/document.h"

namespace akin::extract {

/// The Document::type that the end of a file's name stands for: "Essay.DOCX" → "docx". Empty if it stands for
/// none.
[[nodiscard]] std::string_view type_of_name(std::string_view name);

/// The same of a media type without parameters, in lower case: "application/pdf" → "pdf".
[[nodiscard]] std::string_view type_of_media(std::string_view media);

/// The media type of a file with these bytes whose Document::type is known: "pdf" → "application/pdf".
/// application/octet-stream for one of a type that has none.
[[nodiscard]] std::string_view media_of_type(std::string_view type, std::string_view bytes);

/// Reports type_contradicted for the whole document if its type is not the `claimed` one; an empty claim is
/// none. `written`: the name or media type, which becomes the sample.
void check_claim(Document& document, std::string_view claimed, std::string_view written);

}  // namespace akin::extract
