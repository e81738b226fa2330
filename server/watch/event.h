// An event: a document that a watch has matched.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "index/overlap/overlap.h"
#include "index/overlap/passages.h"
#include "index/store/revision.h"
#include "server/ingest/places.h"
#include "server/json/json.h"

namespace akin::watch {

using json::Json;

enum class DeliveryState : std::uint8_t {
  none,       ///< the watch had no webhook: the event can only be read
  pending,    ///< not yet acknowledged by the webhook
  delivered,  ///< acknowledged
  failed,     ///< given up
};

struct Delivery {
  DeliveryState state = DeliveryState::none;
  std::uint64_t attempts = 0;
  std::string last_error;            ///< of the last attempt, or empty
  std::optional<Time> next_attempt;  ///< while pending
};

struct Event {
  std::string id;              ///< event_id
  std::uint64_t sequence = 0;  ///< from 1 in each collection, in the order of their creation
  std::string collection, watch;
  std::uint64_t version = 0;  ///< of the watch
  std::string document, title;
  Revision revision;              ///< of the document
  Overlap overlap;                ///< in the first tier; A is the watch's text, B the document
  std::string tier;               ///< the first that found it; empty without tiers
  std::vector<Passage> passages;  ///< the first kMaxPassages; aligned ones if alignment found the document
  std::uint64_t passages_total = 0;
  /// Where `b` of each passage is in the file that the document was read from; empty if that is not known.
  std::vector<ingest::FilePlace> places;
  Time created{};
  Delivery delivery;
};

inline constexpr std::size_t kMaxPassages = 1000;

/// "evt_" and 32 hex digits of SHA-256 over collection, watch, version, document and revision: the same event
/// has the same id, no matter which server finds it and how often.
[[nodiscard]] std::string event_id(const Event& event);

/// The stored form, which decode_event reads. Error: corrupt.
[[nodiscard]] std::string encode_event(const Event& event);
[[nodiscard]] Result<Event> decode_event(std::string_view stored);

/// {"id","sequence","watch","collection","document":{"id","title","features","stored"},"x","containment",
///  "contained","tier","passages":[{"a","b","features"|"words","b_pages","b_part"}],"passages_total","created",
///  "delivery":{"state","attempts","last_error","next_attempt"}}
[[nodiscard]] Json event_object(const Event& event);

/// The body of a webhook's request: {"type":"watch.matched","timestamp","data": event_object without
/// "delivery"}.
[[nodiscard]] std::string webhook_body(const Event& event);

}  // namespace akin::watch
