#include "index/opensearch/documents/turn.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/base64.h"
#include "index/opensearch/documents/view.h"

namespace akin::opensearch {
namespace {

constexpr std::size_t kIdsAtOnce = 1'000;

bool is_put(const Change& change) { return change.document && !change.document->has_error(); }

DirectoryChanges::Numbers numbers_for(std::span<WriteRequest* const> requests, std::int64_t turn) {
  DirectoryChanges::Numbers numbers;
  std::int64_t next = first_number(turn);
  for (const WriteRequest* request : requests) {
    for (const Change& change : request->changes) {
      if (is_put(change)) numbers.emplace(&**change.document, next++);
    }
  }
  return numbers;
}

/// A document's place in its store.
struct Placed {
  std::int64_t number = 0, turn = 0;
  Revision revision;
};

/// Adds the line that begins an action ("index", "delete") on a document of the engine.
void begin_line(std::string& lines, const char* action, const std::string& id) {
  lines.append("{\"").append(action).append("\":{\"_id\":\"").append(id).append("\"}}\n");
}

std::string words_of(const std::vector<FeatureCount>& counts) {
  std::string words;
  words.reserve(12 * counts.size());
  for (const FeatureCount& one : counts) {
    for (std::uint64_t occurrence = 1; occurrence <= one.count; ++occurrence)
      add_word(words, one.feature, occurrence);
  }
  return words;
}

Result<void> send_long(std::string& lines, const SendLines& send) {
  return lines.size() >= kRequestBytes ? send(lines) : Result<void>();
}

/// Adds the lines that write a document; sends them when they are long.
Result<void> add_document(std::string& lines, const Placed& place, const PreparedDocument& document,
                          const SendLines& send) {
  const auto count = [](std::uint64_t number) { return static_cast<std::int64_t>(number); };
  const Sizes sizes{count(document.counts.size()),
                    count(document.features),
                    count(document.text_bytes),
                    count(document.file_bytes),
                    {count(document.text.size()), count(document.sequence.size()),
                     count(document.file.size()), count(document.words.size())}};
  begin_line(lines, "index", std::to_string(place.number));
  // None of these has a character that JSON escapes, but for the id.
  lines.append("{\"number\":").append(std::to_string(place.number));
  lines.append(",\"turn\":").append(std::to_string(place.turn));
  lines.append(",\"revision\":").append(std::to_string(place.revision.value));
  lines.append(",\"id\":").append(Json(document.id).dump());
  lines.append(",\"record\":\"").append(base64(document.record));
  lines.append("\",\"sizes\":\"").append(sizes.encoded());
  lines.append("\",\"features\":\"").append(words_of(document.counts)).append("\"");
  const auto parts = {std::pair(PartKind::text, std::string_view(document.text)),
                      std::pair(PartKind::sequence, std::string_view(document.sequence)),
                      std::pair(PartKind::file, std::string_view(document.file)),
                      std::pair(PartKind::words, std::string_view(document.words))};
  const auto add_piece = [&](const Piece& piece, std::string_view bytes) {
    lines.append(",\"").append(piece.field()).append("\":\"");
    lines.append(base64(bytes.substr(piece.at * kPieceBytes, kPieceBytes))).append("\"");
  };
  for (const auto& [kind, bytes] : parts) {
    if (!bytes.empty()) add_piece({place.number, kind, 0}, bytes);
  }
  lines.append("}\n");
  AKIN_CHECK(send_long(lines, send));
  for (const auto& [kind, bytes] : parts) {
    for (Piece piece{place.number, kind, 1}; piece.at * kPieceBytes < bytes.size(); ++piece.at) {
      begin_line(lines, "index", piece.id());
      lines.append("{\"turn\":").append(std::to_string(place.turn));
      add_piece(piece, bytes);
      lines.append("}\n");
      AKIN_CHECK(send_long(lines, send));
    }
  }
  return {};
}

}  // namespace

void add_erasure(std::string& lines, const std::string& id) { begin_line(lines, "delete", id); }

Turn::Turn(std::span<WriteRequest* const> requests, const Head& head)
    : DirectoryChanges(numbers_for(requests, head.turn)) {
  start_from(head.counters);
  for (const WriteRequest* request : requests) {
    for (const Change& change : request->changes) {
      ids_.push_back(std::string(change.id));
      if (is_put(change) && (*change.document)->revision.is_assigned())
        revisions_.push_back((*change.document)->revision.value);
    }
  }
  std::ranges::sort(ids_);
  ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
}

Result<void> Turn::look_up(Client& client, const std::string& index, const Head& head) {
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
    AKIN_TRY(const Json answer,
             client.search(
                 index, {{"size", 2 * kIdsAtOnce},
                         {"_source", false},
                         {"stored_fields", "_none_"},
                         {"query", {{"bool", {{"filter", {existing(head), {{"bool", {{"should", any}}}}}}}}}},
                         {"docvalue_fields", {"number", "id", "revision", "sizes"}}}));
    for (const Json& hit : hits_of(answer)) AKIN_CHECK(take(hit));
  }
  return {};
}

Result<void> Turn::take(const Json& hit) {
  Known known;
  AKIN_TRY(known.number, number_in(hit, "number"));
  AKIN_TRY(const std::int64_t revision, number_in(hit, "revision"));
  known.revision = Revision(static_cast<std::uint64_t>(revision));
  AKIN_TRY(const std::string id, text_in(hit, "id"));
  AKIN_TRY(const std::string encoded, text_in(hit, "sizes"));
  AKIN_TRY(const Sizes sizes, Sizes::decoded(encoded));
  known.features = sizes.features;
  known.postings = sizes.postings;
  known.text_bytes = sizes.text_bytes;
  known.stored_bytes = sizes.of(PartKind::text);
  known.files = {sizes.file_bytes, sizes.of(PartKind::file)};
  sizes_.emplace(known.number, sizes);
  note(id, known, std::ranges::binary_search(ids_, id));
  return {};
}

Result<void> Turn::write(std::int64_t turn, std::string& lines, const SendLines& send) const {
  for (const auto& [id, one] : known()) {
    if (one.document == nullptr) continue;
    AKIN_CHECK(add_document(lines, {one.number, turn, one.revision}, *one.document, send));
  }
  return {};
}

void Turn::add_gone(Head& head) const {
  for (const std::int64_t number : removed()) head.gone.push_back({number, head.turn, sizes_.at(number)});
}

bool Turn::changes_nothing() const {
  return removed().empty() &&
         std::ranges::none_of(known(), [](const auto& one) { return one.second.document != nullptr; });
}

}  // namespace akin::opensearch
