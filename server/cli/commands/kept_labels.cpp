#include "server/cli/commands/kept_labels.h"

namespace akin::cli {

namespace {

constexpr auto kTable = state::Table::labels;

Result<evaluate::Labels> decoded(const CommonOptions& options, const std::optional<std::string>& table) {
  if (!table) return evaluate::Labels();
  return evaluate::stored_labels(*table, labels_name(options));
}

}  // namespace

std::string labels_name(const CommonOptions& options) {
  return "the labels of collection '" + options.collection + "'";
}

Result<evaluate::Labels> kept_labels(const CommonOptions& options) {
  AKIN_TRY(const auto state, find_state(options));
  if (state == nullptr) return evaluate::Labels();
  AKIN_TRY(const auto table, state->get(kTable, options.collection));
  return decoded(options, table);
}

Result<evaluate::LabelChanges> keep_labels(const CommonOptions& options, const evaluate::Labels& given) {
  AKIN_TRY(const auto state, open_state(options));
  evaluate::LabelChanges changes;
  const auto written = state->write([&](state::Writer& writer) -> Result<void> {
    AKIN_TRY(const auto table, writer.get(kTable, options.collection));
    AKIN_TRY(evaluate::Labels labels, decoded(options, table));
    changes = evaluate::merge_labels(labels, given);
    if (!labels.empty()) return writer.put(kTable, options.collection, evaluate::labels_text(labels));
    AKIN_CHECK(writer.erase(kTable, options.collection));
    return {};
  });
  AKIN_CHECK(written);
  return changes;
}

}  // namespace akin::cli
