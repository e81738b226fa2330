// Stored checks: the object that each was answered with, and its text.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "index/codec/stored_file.h"
#include "server/check/check_record.h"
#include "server/check/kept_bytes.h"
#include "server/json/json.h"
#include "server/state/actor.h"
#include "server/state/state.h"

namespace akin::check {

/// The file that was handed in, byte for byte.
struct OriginalFile {
  std::string_view bytes;  ///< a view
  std::string name, media_type;
  std::string sent_as;  ///< content type and encoding by which it was read: "text/plain; charset=auto"
};

/// A check to be stored.
struct NewCheck {
  json::Json check;
  std::string text;
  std::optional<OriginalFile> file = {};
  json::Json excerpts = json::Json::array();  ///< of its sources: excerpts_of
  std::string places = {};                    ///< of the file's words; empty: none
  std::string map = {};                       ///< of the text to pages and parts; empty: none
  std::string id = {};                        ///< of a check that was handed in; empty: a new one
};

/// Members may be called from any number of threads.
class Checks {
 public:
  /// Checks expire after `keep_days`, or the `keep_days` of their policies; 0 keeps them forever. Files are
  /// kept while what all checks keep takes no more than `space` bytes; 0: any number.
  Checks(std::shared_ptr<state::State> state, unsigned keep_days, std::uint64_t space = 0) noexcept;

  /// Stores a check with what it keeps, durable when it returns. Its object then begins with `id` ("check-"
  /// and 20 hex digits, which ascend with time), `created` and `expires` (null: never), and ends with
  /// `original`, `admitted`, null, and `decision`, which is open. `original` is {"name", "media_type",
  /// "sent_as", "bytes", "sha256"}, or null if no file is kept: because the policy stores none, or for want
  /// of space. `first`, if set, runs in the same write; if it returns false, nothing is stored, and this
  /// returns null.
  [[nodiscard]] Result<json::Json> add(
      NewCheck made, Time now, const std::function<Result<bool>(state::Writer& writer)>& first = nullptr);

  /// An id for a check that is handed in now.
  [[nodiscard]] static std::string new_id(Time now);
  /// Whether there is space to keep so many bytes more. Errors: disk_full (there is not).
  [[nodiscard]] Result<void> check_space(std::uint64_t bytes) const;

  /// Errors: not_found, corrupt.
  [[nodiscard]] Result<json::Json> get(std::string_view id) const;
  [[nodiscard]] Result<std::string> text(std::string_view id) const;
  /// The original file. Errors: not_found (also if none is kept), corrupt.
  [[nodiscard]] Result<StoredFile> original(const json::Json& check) const;
  /// What excerpts_of reads; empty where nothing is kept. Errors: not_found, corrupt.
  [[nodiscard]] Result<json::Json> excerpts(std::string_view id) const;
  /// Where the words of the original file are, as it was given to `add`; empty where nothing is kept. Errors:
  /// not_found, corrupt.
  [[nodiscard]] Result<std::string> places(std::string_view id) const;
  /// Where the text is in its file, likewise: ingest::encode_places.
  [[nodiscard]] Result<std::string> map(std::string_view id) const;
  /// What all checks keep.
  [[nodiscard]] Result<KeptSpace> space() const { return kept_space(*state_); }

  /// The oldest `limit` checks with ids after `after`, by id.
  [[nodiscard]] Result<std::vector<json::Json>> list(std::string_view after, std::size_t limit) const;
  /// Calls `visit` for all checks, by id, until it returns an error, which is then returned. It may erase the
  /// check.
  [[nodiscard]] Result<void> for_each(
      const std::function<Result<void>(const json::Json& check)>& visit) const;
  /// The newest `limit` checks that are older than the one with the id `before`, or of all if it is empty;
  /// the newest first.
  [[nodiscard]] Result<std::vector<json::Json>> newest(std::string_view before, std::size_t limit) const;
  /// Some of these checks, as summary_of has them.
  struct Summaries {
    std::vector<json::Json> wanted;
    std::string last;     ///< id of the last check that was looked at
    bool is_end = false;  ///< no older one follows
  };
  /// Looks at the same checks, in a fraction of the time, and reads those whose summary, as it is stored, is
  /// wanted.
  [[nodiscard]] Result<Summaries> newest_summaries(
      std::string_view before, std::size_t limit,
      const std::function<bool(std::string_view summary)>& is_wanted) const;
  [[nodiscard]] Result<std::uint64_t> count() const;

  /// Sets `admitted`, and returns the changed check. Error: not_found.
  [[nodiscard]] Result<json::Json> set_admitted(std::string_view id, const json::Json& admitted);

  /// While this lives nobody else can admit the check, so that it is admitted only once. Error: busy.
  struct AdmissionLock {
    std::unique_lock<std::mutex> threads;
    std::unique_ptr<state::Lease> servers;
  };
  [[nodiscard]] Result<AdmissionLock> lock_admission(std::string_view id);

  /// Error: not_found.
  [[nodiscard]] Result<void> erase(std::string_view id, const state::Actor& by = {});

  /// Deletes checks that have expired, the oldest first, with their texts: at most `most`. Returns how many.
  [[nodiscard]] Result<std::size_t> forget_expired(Time now, std::size_t most);

 private:
  [[nodiscard]] Result<KeptParts> kept_parts(std::string_view id) const;
  [[nodiscard]] Result<std::optional<KeptBytes>> pack_file(const NewCheck& made) const;
  [[nodiscard]] std::optional<Time> expiry_of(const json::Json& check, Time now) const;
  [[nodiscard]] Result<std::vector<state::Entry>> back_from(std::string_view before, std::size_t limit) const;

  std::shared_ptr<state::State> state_;
  std::chrono::days keep_;
  std::uint64_t space_;
  std::mutex admission_;
};

}  // namespace akin::check
