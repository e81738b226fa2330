// Compares what a file says it is, by its name or by the Content-Type of a request, with what it is.
#pragma once

#include <string_view>

#include "extract/document.h"

namespace akin::extract {

/// Reports type_contradicted for the whole document if its type is not the `claimed` one (type_of_name,
/// type_of_media); an empty claim is none. `written`: the name or media type, which becomes the sample.
void check_claim(Document& document, std::string_view claimed, std::string_view written);

}  // namespace akin::extract
