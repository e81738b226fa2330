#include "cli/commands/pairs/kept_labels.h"

#include "server/tables/label_store.h"

namespace akin::cli {

std::string labels_name(const CommonOptions& options) {
  return "the labels of collection '" + options.collection + "'";
}

Result<tables::Labels> kept_labels(const CommonOptions& options) {
  AKIN_TRY(const auto state, find_state(options));
  if (state == nullptr) return tables::Labels();
  return tables::kept_labels(*state, options.collection);
}

Result<tables::LabelChanges> keep_labels(const CommonOptions& options, const tables::Labels& given) {
  AKIN_TRY(const auto state, open_state(options));
  return tables::keep_labels(*state, options.collection, given);
}

}  // namespace akin::cli
