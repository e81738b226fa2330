// A watch: a stored text that new documents are matched against.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/time.h"
#include "index/store/revision.h"
#include "server/json/json.h"

namespace akin::watch {

using json::Json;

/// Where events are sent. The secret signs them; no answer contains it.
struct Webhook {
  std::string url;
  std::string secret;  ///< "whsec_" and the key in base64
};

/// The stored part of a watch besides its text. A document D is an event if a search for the text would list
/// D: the search for reuse (reuse_tiers in index/search/tier_search.h), or X(text, D) > bound and X / |text|
/// >= min_containment in the collection's first tier.
struct Watch {
  std::string collection;
  std::string name;
  std::uint64_t version = 0;  ///< incremented by each PUT
  std::string document;       ///< id of the document that the text is from, which is left out; or empty
  bool reuse = false;         ///< bound and min_containment are then those of reuse_tiers
  std::uint64_t bound = 3;
  double min_containment = 0.0;
  std::string filter;  ///< selects the documents (server/filter); empty = all
  std::optional<Webhook> webhook;
  bool enabled = true;
  std::string disabled_reason;  ///< why the server disabled it; or empty
  std::string description;
  Time created{}, updated{};
  std::uint64_t sentences = 0, features = 0, code_points = 0;  ///< of the text when it was put

  /// Documents with larger revisions are reported as they are stored.
  Revision after;
  /// While it still matches older documents: those up to this revision are done, those from there to `after`
  /// are not.
  std::optional<Revision> caught_up_to;
};

/// The stored form, which decode_watch reads. Error: corrupt.
[[nodiscard]] std::string encode_watch(const Watch& watch);
[[nodiscard]] Result<Watch> decode_watch(std::string_view stored);

/// {"name","collection","document","sentences","features","code_points","reuse","bound","min_containment",
///  "filter","webhook":{"url"}|null,"enabled","disabled_reason","description","catching_up","created","updated"}
[[nodiscard]] Json watch_object(const Watch& watch);

/// 1 to 64 letters, digits and . _ -, a letter or digit first.
[[nodiscard]] bool is_watch_name(std::string_view name) noexcept;

}  // namespace akin::watch
