#include "index/opensearch/documents/turn.h"

#include <algorithm>

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

}  // namespace

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
    AKIN_TRY(
        const Json answer,
        client.search("/" + index + "/_search?allow_partial_search_results=false",
                      {{"size", 2 * kIdsAtOnce},
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
