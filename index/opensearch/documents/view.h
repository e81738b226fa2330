// A store as of one moment, for reading.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "index/codec/posting.h"
#include "index/opensearch/documents/head.h"

namespace akin::opensearch {

/// A head, and the engine's point in time at which all documents of that head are there. The engine loses the
/// point with a node; as long as the store has not changed, another one is opened. Any number of threads.
class View {
 public:
  /// `head`: as just read.
  [[nodiscard]] static Result<std::shared_ptr<const View>> open(const StoreIndex& index, Head head);
  ~View();
  View(const View&) = delete;
  View& operator=(const View&) = delete;

  struct Search {
    /// Has the clauses "must", "filter" and "must_not" of a query, each a list and each optional, under
    /// "query", and whatever else a search has.
    Json body;
    /// Of all documents that are there, whether they exist or not; the query is the engine's own.
    bool everything = false;
  };
  /// Asks for a search of the documents that exist.
  [[nodiscard]] Result<Json> search(Json body) const;
  /// The bytes of pieces of parts, each of which is there. Error also: corrupt (it is not).
  [[nodiscard]] Result<std::vector<std::string>> pieces(const std::vector<Piece>& wanted) const;
  /// Several searches in one request, answered in their order; without a request if there are none.
  [[nodiscard]] Result<std::vector<Json>> search_all(const std::vector<Search>& searches) const;
  /// Asked for once.
  [[nodiscard]] Result<StoreIndex::Extent> extent() const;
  /// Whether the index has the documents that the head counts, and none of later turns: an index or a catalog
  /// that was restored from an older snapshot, or a shard that was given up, would answer with less than was
  /// stored. Error: corrupt.
  [[nodiscard]] Result<void> check_content() const;

  [[nodiscard]] const Head& head() const noexcept { return head_; }
  [[nodiscard]] const StoreState& state() const noexcept { return head_.latest(); }
  /// Whether the engine has not yet forgotten the point in time by itself.
  [[nodiscard]] bool is_kept() const noexcept { return Clock::now() - used_.load() <= kRelied; }
  /// Of its index; 0 if that is unknown.
  [[nodiscard]] std::uint64_t shards() const noexcept { return shards_; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::minutes kRelied{8};
  explicit View(StoreIndex index) noexcept : index_(std::move(index)), used_(Clock::now()) {}
  [[nodiscard]] bool has_opensearch() const { return index_.client->product() == Product::opensearch; }
  /// Refreshes first if the head needs it. Empty if it may lack documents of the head, which were erased.
  [[nodiscard]] Result<std::string> open_point() const;
  void close_point(const std::string& point) const;
  [[nodiscard]] Result<std::vector<Json>> search_at(const std::string& point,
                                                    const std::vector<Search>& searches) const;
  /// Error: unavailable (documents of the head may have been erased).
  [[nodiscard]] Result<std::string> another_point(const std::string& lost) const;

  const StoreIndex index_;
  Head head_;
  Json existing_;
  mutable std::atomic<Clock::time_point> used_;
  mutable std::atomic<std::uint64_t> shards_ = 0;
  mutable std::mutex mutex_;  ///< guards point_ and extent_
  mutable std::string point_;
  mutable std::optional<StoreIndex::Extent> extent_;
};

/// The query of a View::Search for the documents of which a clause of the engine holds.
[[nodiscard]] inline Json that(const char* clause, const char* field, Json value) {
  return {{"filter", {{{clause, {{field, std::move(value)}}}}}}};
}

/// The hits of an answer.
[[nodiscard]] inline const Json& hits_of(const Json& answer) { return answer.at("hits").at("hits"); }

/// How many hits it has; kUncounted if they were not counted.
inline constexpr std::uint64_t kUncounted = std::uint64_t{1} << 48U;
[[nodiscard]] std::uint64_t total_of(const Json& answer);

/// The only value of a field of a hit. Error: corrupt (it has none, or another kind of value).
template <class Value>
[[nodiscard]] Result<Value> value_in(const Json& hit, const char* field) {
  try {
    return hit.at("fields").at(field).at(0).get<Value>();
  } catch (const Json::exception&) {
    return corrupt("a document", "its field '" + std::string(field) + "' is missing");
  }
}
[[nodiscard]] Result<std::string> bytes_in(const Json& hit, const char* field);
[[nodiscard]] Result<RecordField> record_in(const Json& hit);

/// Hits at most in one answer of the engine.
inline constexpr std::size_t kHitsAtOnce = 10'000;

}  // namespace akin::opensearch
