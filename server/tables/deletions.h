// Which documents experts' marks ask to delete.
#pragma once

#include <string>
#include <vector>

#include "server/tables/labels.h"

namespace akin::tables {

/// A document that goes, and the one that stays in its place by the same label.
struct Deletion {
  std::string id, kept;
  friend bool operator==(const Deletion&, const Deletion&) = default;
};

struct Deletions {
  std::vector<Deletion> documents;  ///< ascending by id, each once
  /// Documents that such marks join, of which none would stay (a before b, b before c, c before a): not among
  /// `documents`.
  std::vector<std::vector<std::string>> contradictions;
};

/// What the labels "keep a" and "keep b" ask to delete.
[[nodiscard]] Deletions deletions_of(const Labels& labels);

}  // namespace akin::tables
