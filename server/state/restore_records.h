// What a restored backup takes from its state besides the collections: their labels and restrictions, and
// models.
#pragma once

#include <string>
#include <vector>

#include "index/collection/backup.h"
#include "server/state/state.h"

namespace akin::state {

struct RestoredRecords {
  std::vector<std::string> labels;       ///< collections whose labels were restored, by their present names
  std::vector<std::string> models;       ///< restored
  std::vector<std::string> kept_models;  ///< that existed already and remain unchanged
};

/// Takes the labels and restrictions of the restored collections into `to`, under the collections' present
/// names, in place of existing ones; from a whole backup also the models: those that `to` does not have, or
/// all with `replace`. Together or, after an error, nothing.
[[nodiscard]] Result<RestoredRecords> restore_records(const BackedUpState& backup, State& to, bool replace);

/// For a copy that becomes the state: leaves in it no labels and restrictions but those of the restored
/// collections, under their present names. All models remain.
[[nodiscard]] Result<RestoredRecords> keep_restored_records(const BackedUpState& backup);

}  // namespace akin::state
