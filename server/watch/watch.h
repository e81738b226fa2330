// A watch: a text that waits for documents which share more with it than its bound.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/time.h"
#include "server/json/json.h"

namespace akin::watch {

using json::Json;

/// Where events are sent. The secret signs them; nothing gives it back.
struct Webhook {
  std::string url;
  std::string secret;  ///< "whsec_" and the key in base64
};

/// What is kept of a watch beside its text. A document D is an event when X(text, D) > bound and
/// X / |text| >= min_containment: when a search for the text with these bounds would list D.
struct Watch {
  std::string collection;
  std::string name;
  std::uint64_t version = 0;  ///< larger with each PUT
  std::string document;       ///< id of the document whose text it was, which is left out; or empty
  std::uint64_t bound = 3;
  double min_containment = 0.0;
  std::string filter;  ///< which documents it is about (server/filter); empty = all
  std::optional<Webhook> webhook;
  bool enabled = true;
  std::string disabled_reason;  ///< why the server has disabled it; or empty
  std::string description;
  Time created{}, updated{};
  std::uint64_t sentences = 0, features = 0, code_points = 0;  ///< of the text when it was put

  /// Documents with larger revisions are reported as they come.
  std::uint64_t after = 0;
  /// While it still looks at the documents from before: those up to this revision are done, those from there
  /// to `after` are not.
  std::optional<std::uint64_t> caught_up_to;
};

/// As it is kept; decode_watch takes it back. Error: corrupt.
[[nodiscard]] std::string encode_watch(const Watch& watch);
[[nodiscard]] Result<Watch> decode_watch(std::string_view stored);

/// {"name","collection","document","sentences","features","code_points","bound","min_containment",
///  "filter","webhook":{"url"}|null,"enabled","disabled_reason","description","catching_up","created","updated"}
[[nodiscard]] Json watch_object(const Watch& watch);

/// 1 to 64 letters, digits and . _ -, a letter or digit first.
[[nodiscard]] bool is_watch_name(std::string_view name) noexcept;

}  // namespace akin::watch
