// Lays a form graph out as a compiled table.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "dict/form_graph.h"
#include "dict/format.h"

namespace akin {

/// The bytes of the table file (format.h). `sources` carry all but the counts, which the graph knows; they
/// are in the graph's order. Deterministic: equal input gives equal bytes.
[[nodiscard]] std::vector<char> write_table(const FormGraph& graph, const LemmaClasses& classes,
                                            std::vector<table_format::Source> sources,
                                            std::u32string_view ignored, const Digest& fingerprint);

}  // namespace akin
