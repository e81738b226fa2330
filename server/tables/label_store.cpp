#include "server/tables/label_store.h"

#include <optional>

namespace akin::tables {

namespace {

constexpr auto kTable = state::Table::labels;

Result<Labels> decoded(const std::string& collection, const std::optional<std::string>& table) {
  if (!table) return Labels();
  return stored_labels(*table, "the labels of collection '" + collection + "'");
}

}  // namespace

Result<Labels> kept_labels(state::State& state, const std::string& collection) {
  AKIN_TRY(const auto table, state.get(kTable, collection));
  return decoded(collection, table);
}

Result<LabelChanges> keep_labels(state::State& state, const std::string& collection, const Labels& given) {
  LabelChanges changes;
  const auto written = state.write([&](state::Writer& writer) -> Result<void> {
    AKIN_TRY(const auto table, writer.get(kTable, collection));
    AKIN_TRY(Labels labels, decoded(collection, table));
    changes = merge_labels(labels, given);
    if (!labels.empty()) return writer.put(kTable, collection, labels_text(labels));
    AKIN_CHECK(writer.erase(kTable, collection));
    return {};
  });
  AKIN_CHECK(written);
  return changes;
}

Result<std::uint64_t> drop_labels(state::State& state, const std::string& collection) {
  std::uint64_t dropped = 0;
  const auto written = state.write([&](state::Writer& writer) -> Result<void> {
    AKIN_TRY(const auto table, writer.get(kTable, collection));
    AKIN_TRY(const Labels labels, decoded(collection, table));
    dropped = labels.size();
    AKIN_CHECK(writer.erase(kTable, collection));
    return {};
  });
  AKIN_CHECK(written);
  return dropped;
}

}  // namespace akin::tables
