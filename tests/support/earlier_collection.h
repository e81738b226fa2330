// A collection that only a reindex makes readable.
#pragma once

#include <memory>
#include <string_view>

#include "dict/dictionary.h"
#include "index/collection/catalog.h"

namespace akin::test {

/// Makes a collection of the document "a" as an akin did that had the text rules before the present ones and
/// these dictionaries.
void make_with_earlier_rules(Catalog& catalog, std::string_view name,
                             const std::shared_ptr<const Dictionary>& dictionary, std::string_view text,
                             bool store_text = true);

}  // namespace akin::test
