// Lays a form graph out as a compiled table.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "dict/compile/form_graph.h"
#include "dict/compile/synonyms.h"
#include "dict/table/endings.h"
#include "dict/table/format.h"

namespace akin {

/// Fingerprints of everything that a table is made of, and of the same without synonyms.
struct TableFingerprint {
  Digest all, words;
};

/// What a table holds besides its words.
struct TableExtras {
  std::vector<table_format::Source> sources;  ///< in the graph's order; their counts are not filled in
  std::u32string ignored;                     ///< characters of IGNORE, folded
  std::vector<Ending> endings;                ///< ascending keys
  JoinedSynonyms synonyms;
  TableFingerprint fingerprint;
};

/// The bytes of the table file (format.h). Deterministic: equal input gives equal bytes.
[[nodiscard]] std::vector<char> write_table(const FormGraph& graph, const LemmaClasses& classes,
                                            TableExtras extras);

}  // namespace akin
