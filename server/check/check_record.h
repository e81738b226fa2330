// How checks are stored: the object, with its summary before it, and the text, under the check's id.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "server/json/json.h"
#include "server/state/state.h"

namespace akin::check {

inline constexpr std::string_view kCheckPrefix = "check-";
inline constexpr std::size_t kCheckIdDigits = 20;

/// Only possible ids are looked up: LMDB takes no key that is empty or too long.
[[nodiscard]] bool is_check_id(std::string_view id) noexcept;

/// "check 'ID'", for errors.
[[nodiscard]] std::string check_named(std::string_view id);
/// The error of a check that does not exist, or that the caller may not see.
[[nodiscard]] Error no_check(std::string_view id);
[[nodiscard]] Error corrupt_check(std::string_view id, std::string reason);

/// The length of a text in bytes and its zstd frame.
[[nodiscard]] Result<std::string> pack(std::string_view text);
/// Nothing if it is damaged.
[[nodiscard]] std::optional<std::string> unpack(std::string_view packed);

/// The names of the collections that a check searched, and of those that its text or a template is from.
[[nodiscard]] json::Json collections_of(const json::Json& check);

/// What lists show of a check: some of its fields, the `words` of its text, the name of its policy, of its
/// decision `state`, `proposed` and `share`; and as `concerns`, collections_of.
[[nodiscard]] json::Json summary_of(const json::Json& check);

/// The record of a check: its summary, a line feed, and the object, compressed. Lists read the summary alone.
[[nodiscard]] Result<std::string> encode_check(const json::Json& check);
/// The object in a record. Errors: not_found (no record), corrupt.
[[nodiscard]] Result<json::Json> decode_check(std::string_view id, const std::optional<std::string>& record);
/// Error: corrupt.
[[nodiscard]] Result<json::Json> decode_summary(std::string_view id, std::string_view record);

/// The key of an entry in Table::decisions; `number` counts from 1.
[[nodiscard]] std::string decision_key(std::string_view id, std::uint64_t number);

/// The digests of what a check keeps (kept_bytes.h); empty where it keeps none. The value in
/// Table::check_texts.
struct KeptParts {
  std::string text, file, excerpts;
  std::string later = {};   ///< a later outcome (standing.h)
  std::string places = {};  ///< of the file's words (extract/client/picture_answer.h)
  std::string map = {};     ///< of the text to pages and parts (ingest::encode_places)
};
[[nodiscard]] std::string encode_kept(const KeptParts& kept);
/// Nothing if it is damaged.
[[nodiscard]] std::optional<KeptParts> decode_kept(std::string_view value);

/// The text of a check. Errors: not_found, corrupt.
[[nodiscard]] Result<std::string> read_text(const state::State& state, std::string_view id);

/// Erases a check with all that is stored of it; whether it existed. Its expiry remains.
[[nodiscard]] Result<bool> erase_check(state::Writer& writer, std::string_view id);

}  // namespace akin::check
