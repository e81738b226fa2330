// The title, the author and the date of an old Office file (MS-OLEPS).
#pragma once

#include "extract/child/office/compound_file.h"
#include "extract/document.h"

namespace akin::extract {

/// Adds what the file says; nothing where it says nothing, or says it in another way than the format.
void read_doc_properties(const CompoundFile& file, FileMetadata& metadata);

}  // namespace akin::extract
