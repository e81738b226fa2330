#include "server/judge/collection_feed.h"

#include <chrono>
#include <thread>
#include <utility>

#include "base/rfc3339.h"
#include "server/json/json.h"

namespace akin::judge {

namespace {

constexpr std::size_t kListedAtOnce = 256;
constexpr std::chrono::milliseconds kPoll(500);
constexpr std::chrono::milliseconds kNap(50);  ///< how soon a stop is noticed
constexpr std::uint64_t kMicroseconds = 1'000'000;

Revision begin_of_window(const FeedOptions& options) {
  const std::uint64_t window = static_cast<std::uint64_t>(options.window_seconds) * kMicroseconds;
  return Revision(options.after.value > window ? options.after.value - window : 0);
}

void wait(std::chrono::milliseconds time, const CollectionFeed::Stopped& stopped) {
  for (; time > time.zero() && !stopped(); time -= kNap) std::this_thread::sleep_for(kNap);
}

}  // namespace

Result<Revision> revision_at(std::string_view time, std::string what) {
  const auto moment = parse_rfc3339(time);
  if (moment && *moment >= 0) return Revision(static_cast<std::uint64_t>(*moment));
  return Error{Errc::invalid_argument, std::move(what), "is not a time since 1970",
               "give the value of \"stored\", such as 2024-05-17T08:30:00.000250Z, or a date"};
}

CollectionFeed::CollectionFeed(std::shared_ptr<Catalog> catalog, std::shared_ptr<Collection> collection,
                               const FeedOptions& options)
    : catalog_(std::move(catalog)),
      collection_(std::move(collection)),
      options_(options),
      position_(begin_of_window(options)) {}

Result<CollectionFeed> CollectionFeed::open(std::shared_ptr<Catalog> catalog,
                                            std::shared_ptr<Collection> collection, const FeedOptions& feed) {
  if (!collection->keeps_texts()) {
    return Error{Errc::unsupported, "collection '" + collection->name() + "'",
                 "it keeps no texts, which a stream needs", "create it without --no-text"};
  }
  return CollectionFeed(std::move(catalog), std::move(collection), feed);
}

Result<void> CollectionFeed::read_page() {
  // Another process may have rebuilt it.
  AKIN_TRY(collection_, catalog_->get(collection_->name()));
  AKIN_TRY(snapshot_, collection_->snapshot());
  AKIN_TRY(const auto page, snapshot_->changes(position_, kListedAtOnce));
  if (!page.empty()) position_ = page.back().revision;
  listed_.assign(page.begin(), page.end());
  return {};
}

Result<std::optional<NumberedLine>> CollectionFeed::line_of(const StoredDocument& record) {
  AKIN_TRY(std::string text, snapshot_->text(record));
  json::Json document = {{"id", record.id}, {"title", record.title}, {"text", std::move(text)}};
  json::Json metadata = json::Json::parse(record.metadata, nullptr, false);
  if (metadata.is_object()) document["metadata"] = std::move(metadata);
  const bool known = record.revision <= options_.after;
  return std::optional(NumberedLine{.number = known ? 0 : ++number_,
                                    .text = json::compact(document),
                                    .stored = record.revision.value,
                                    .known = known});
}

Result<std::optional<NumberedLine>> CollectionFeed::next(const Stopped& stopped) {
  while (!stopped()) {
    if (!listed_.empty()) {
      const StoredDocument record = std::move(listed_.front());
      listed_.pop_front();
      if (options_.selects && !options_.selects(record)) continue;
      return line_of(record);
    }
    AKIN_CHECK(read_page());
    if (!listed_.empty()) continue;
    snapshot_.reset();  // an open snapshot would keep the pages of what others replace
    if (!options_.follow) break;
    wait(kPoll, stopped);
  }
  return std::optional<NumberedLine>();
}

}  // namespace akin::judge
