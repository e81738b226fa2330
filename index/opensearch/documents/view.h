// A store as of one moment, for reading.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "index/opensearch/documents/head.h"

namespace akin::opensearch {

/// A head, and the engine's point in time at which all documents of that head are there. The engine loses the
/// point with a node; as long as the store has not changed, another one is opened. Any number of threads.
class View {
 public:
  [[nodiscard]] static Result<std::shared_ptr<const View>> open(const std::shared_ptr<Client>& client,
                                                                const StoreName& store);
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
  /// Pieces of parts, each of which is there. Error also: corrupt (it is not).
  [[nodiscard]] Result<std::map<Piece, std::string>> pieces(const std::vector<Piece>& wanted) const;
  /// Several searches in one request, answered in their order; without a request if there are none.
  [[nodiscard]] Result<std::vector<Json>> search_all(const std::vector<Search>& searches) const;
  /// Bytes of the index on all disks, its segments, and the deleted documents of the engine that its shards
  /// still have; asked for once.
  struct Extent {
    std::uint64_t disk_bytes = 0, segments = 0, deleted = 0;
  };
  [[nodiscard]] Result<Extent> extent() const;

  [[nodiscard]] const Head& head() const noexcept { return head_.head; }
  /// Of its index; 0 if that is unknown.
  [[nodiscard]] std::uint64_t shards() const noexcept { return shards_; }
  [[nodiscard]] Client& client() const noexcept { return *client_; }
  [[nodiscard]] const StoreName& store() const noexcept { return store_; }

 private:
  friend class Views;
  using Clock = std::chrono::steady_clock;
  View(std::shared_ptr<Client> client, StoreName store) noexcept;
  [[nodiscard]] Result<void> begin();
  [[nodiscard]] Result<std::string> open_point() const;
  void close_point(const std::string& point) const;
  [[nodiscard]] Result<std::vector<Json>> search_at(const std::string& point,
                                                    const std::vector<Search>& searches) const;
  /// Error: unavailable (the store has changed).
  [[nodiscard]] Result<std::string> another_point(const std::string& lost) const;
  [[nodiscard]] Json complete(const Search& search, const std::string& point) const;
  /// Whether the engine may have forgotten the point in time.
  [[nodiscard]] bool is_old() const noexcept;

  std::shared_ptr<Client> client_;
  StoreName store_;
  HeadAt head_;
  Json existing_;
  mutable std::atomic<Clock::time_point> used_;
  mutable std::atomic<std::uint64_t> shards_ = 0;
  mutable std::mutex mutex_;  ///< guards point_ and extent_
  mutable std::string point_;
  mutable std::optional<Extent> extent_;
};

/// Whether the index has the documents that the head counts, and none of later turns: an index or a catalog
/// that was restored from an older snapshot, or a shard that was given up, would answer with less than was
/// stored. Error: corrupt.
[[nodiscard]] Result<void> check_content(const View& view);

/// The views of a store: one serves all readers until the store changes. Now and then a new one is checked
/// (check_content). Any number of threads.
class Views {
 public:
  Views(std::shared_ptr<Client> client, StoreName store)
      : client_(std::move(client)), store_(std::move(store)) {}
  /// As of a moment during the call. Error also: corrupt, as check_content.
  [[nodiscard]] Result<std::shared_ptr<const View>> now();

 private:
  std::shared_ptr<Client> client_;
  StoreName store_;
  std::mutex mutex_;  ///< guards the members below
  std::shared_ptr<const View> last_;
  std::chrono::steady_clock::time_point checked_;  ///< when check_content last found a view sound
};

/// The hits of an answer.
[[nodiscard]] const Json& hits_of(const Json& answer);

/// The only value of a field of a hit. Error: corrupt (it has none).
[[nodiscard]] Result<std::int64_t> number_in(const Json& hit, const char* field);
[[nodiscard]] Result<std::string> text_in(const Json& hit, const char* field);
[[nodiscard]] Result<std::string> bytes_in(const Json& hit, const char* field);

/// Hits at most in one answer of the engine.
inline constexpr std::size_t kHitsAtOnce = 10'000;

}  // namespace akin::opensearch
