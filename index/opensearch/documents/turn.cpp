#include "index/opensearch/documents/turn.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/base64.h"
#include "index/opensearch/documents/view.h"

namespace akin::opensearch {
namespace {

constexpr std::size_t kIdsAtOnce = 1'000;

/// Adds the line that begins an action ("index", "delete") on a document of the engine.
void begin_line(std::string& lines, const char* action, const std::string& id) {
  lines.append("{\"").append(action).append("\":{\"_id\":\"").append(id).append("\"}}\n");
}

std::string words_of(const std::vector<FeatureCount>& counts) {
  std::string words;
  words.reserve(11 * counts.size());
  for (const FeatureCount& one : counts) {
    for (std::uint64_t occurrence = 1; occurrence <= one.count; ++occurrence)
      add_word(words, one.feature, occurrence);
  }
  return words;
}

}  // namespace

void add_erasure(std::string& lines, const std::string& id) { begin_line(lines, "delete", id); }

Turn::Turn(std::span<const std::span<Change>> writes, const Head& head)
    : DirectoryChanges({}), turn_(head.turn) {
  start_from(head.latest().counters);
  std::int64_t next = first_number(turn_);
  for (const std::span<Change> changes : writes) {
    for (const Change& change : changes) {
      ids_.push_back(std::string(change.id));
      if (!change.document || change.document->has_error()) continue;
      const PreparedDocument& document = **change.document;
      add_number(document, next++);
      if (document.revision.is_assigned()) revisions_.push_back(document.revision.value);
    }
  }
  std::ranges::sort(ids_);
  ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
}

Result<void> Turn::look_up(const StoreIndex& index, const Head& head) {
  const std::size_t most = std::max(ids_.size(), revisions_.size());
  for (std::size_t at = 0; at < most; at += kIdsAtOnce) {
    Json any = Json::array();
    const auto add = [&](const char* field, const auto& values) {
      if (at >= values.size()) return;
      const auto begin = values.begin() + static_cast<std::ptrdiff_t>(at);
      const auto end = values.begin() + static_cast<std::ptrdiff_t>(std::min(at + kIdsAtOnce, values.size()));
      any.push_back({{"terms", {{field, Json(std::vector(begin, end))}}}});
    };
    add("id", ids_);
    add("revision", revisions_);
    const Json query = {{"filter", {existing(head), {{"bool", {{"should", any}}}}}}};
    AKIN_TRY(const Json answer, index.search({{"size", 2 * kIdsAtOnce},
                                              {"_source", false},
                                              {"stored_fields", "_none_"},
                                              {"query", {{"bool", query}}},
                                              {"docvalue_fields", {"number", "id", "revision", "record"}}}));
    for (const Json& hit : hits_of(answer)) AKIN_CHECK(take(hit));
  }
  return {};
}

Result<void> Turn::take(const Json& hit) {
  Known known;
  AKIN_TRY(known.number, value_in<std::int64_t>(hit, "number"));
  AKIN_TRY(const auto revision, value_in<std::uint64_t>(hit, "revision"));
  known.revision = Revision(revision);
  AKIN_TRY(const auto id, value_in<std::string>(hit, "id"));
  AKIN_TRY(const RecordField field, record_in(hit));
  known.take_record(field.record);
  field.count(known);
  further_ids_.emplace(known.number, field.further_ids(known.number));
  note(id, known, std::ranges::binary_search(ids_, id));
  return {};
}

Result<void> Turn::add(const Known& one, std::string& lines, const SendLines& send) const {
  const PreparedDocument& document = *one.document;
  const std::array<std::string_view, kPartKinds.size()> parts{document.text, document.sequence, document.file,
                                                              document.words};
  const auto bytes_of = [&](PartKind kind) { return parts.at(static_cast<std::size_t>(kind)); };
  RecordField field{.postings = document.counts.size(), .parts = {}, .record = document.record};
  std::ranges::transform(parts, field.parts.begin(), &std::string_view::size);
  const auto add_piece = [&](const Piece& piece) {
    const std::string_view bytes = bytes_of(piece.kind).substr(piece.at * kPieceBytes, kPieceBytes);
    lines.append(",\"").append(piece.field()).append("\":\"").append(base64(bytes)).append("\"");
  };
  const auto end_line = [&] {
    lines.append("}\n");
    return lines.size() >= kRequestBytes ? send(lines) : Result<void>();
  };
  begin_line(lines, "index", std::to_string(one.number));
  // None of these has a character that JSON escapes, but for the id.
  lines.append("{\"number\":").append(std::to_string(one.number));
  lines.append(",\"turn\":").append(std::to_string(turn_));
  lines.append(",\"revision\":").append(std::to_string(one.revision.value));
  lines.append(",\"id\":").append(Json(document.id).dump());
  lines.append(",\"record\":\"").append(base64(field.encoded()));
  lines.append("\",\"features\":\"").append(words_of(document.counts)).append("\"");
  for (const PartKind kind : kPartKinds) {
    if (!bytes_of(kind).empty()) add_piece({one.number, kind, 0});
  }
  AKIN_CHECK(end_line());
  for (const PartKind kind : kPartKinds) {
    for (Piece piece{one.number, kind, 1}; piece.at * kPieceBytes < bytes_of(kind).size(); ++piece.at) {
      begin_line(lines, "index", piece.id());
      lines.append("{\"turn\":").append(std::to_string(turn_));
      add_piece(piece);
      AKIN_CHECK(end_line());
    }
  }
  return {};
}

Result<void> Turn::write(std::string& lines, const SendLines& send) const {
  for (const auto& [id, one] : known()) {
    if (one.document != nullptr) AKIN_CHECK(add(one, lines, send));
  }
  return {};
}

void Turn::add_gone(StoreState& state) const {
  for (const std::int64_t number : removed()) state.gone.push_back({number, further_ids_.at(number)});
}

}  // namespace akin::opensearch
