#include "cli/commands/kept_labels.h"

namespace akin::cli {

namespace {

constexpr auto kTable = state::Table::labels;

Result<tables::Labels> decoded(const CommonOptions& options, const std::optional<std::string>& table) {
  if (!table) return tables::Labels();
  return tables::stored_labels(*table, labels_name(options));
}

}  // namespace

std::string labels_name(const CommonOptions& options) {
  return "the labels of collection '" + options.collection + "'";
}

Result<tables::Labels> kept_labels(const CommonOptions& options) {
  AKIN_TRY(const auto state, find_state(options));
  if (state == nullptr) return tables::Labels();
  AKIN_TRY(const auto table, state->get(kTable, options.collection));
  return decoded(options, table);
}

Result<tables::LabelChanges> keep_labels(const CommonOptions& options, const tables::Labels& given) {
  AKIN_TRY(const auto state, open_state(options));
  tables::LabelChanges changes;
  const auto written = state->write([&](state::Writer& writer) -> Result<void> {
    AKIN_TRY(const auto table, writer.get(kTable, options.collection));
    AKIN_TRY(tables::Labels labels, decoded(options, table));
    changes = tables::merge_labels(labels, given);
    if (!labels.empty()) return writer.put(kTable, options.collection, tables::labels_text(labels));
    AKIN_CHECK(writer.erase(kTable, options.collection));
    return {};
  });
  AKIN_CHECK(written);
  return changes;
}

}  // namespace akin::cli
