// The lines of an answer about many documents, one for each, and what they add up to.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/exceptions.h"
#include "index/collection/bulk.h"
#include "server/api/stream.h"
#include "server/json/json.h"

namespace akin::api {

struct Tally {
  std::uint64_t created = 0, replaced = 0, deleted = 0, unchanged = 0, errors = 0, bytes = 0;
  std::uint64_t no_words = 0;  ///< stored, and without a word
};

/// Writes nothing more after a write to the client has failed. One thread at a time, except client_is_gone.
class OutcomeLines {
 public:
  explicit OutcomeLines(AnswerSink& sink) noexcept : sink_(sink) {}

  // Each adds a document's `status` to its line, and counts it.

  void stored(json::Json& line, const OwnedDocument& document, const PutResult& result);
  void deleted(json::Json& line);
  void unchanged(json::Json& line);
  /// Adds `error` too.
  void failed(json::Json& line, const Error& error);

  /// Sends the lines that `make` returns. After an exception from it nothing more is sent, and the client
  /// sees that the answer is incomplete.
  template <class Make>
  void write(const Make& make) noexcept {
    Result<void> written = without_exceptions([&]() -> Result<void> {
      const std::string lines = make();
      if (gone_ || lines.empty()) return {};
      return sink_.write(lines);
    });
    if (!written.has_error()) return;
    failure_ = std::move(written).failure();
    gone_ = true;
  }
  /// The last line. The log gets the first error of the server's, if documents failed by such. Error: that of
  /// the write that failed.
  [[nodiscard]] Result<void> summary(const json::Json& entry);

  [[nodiscard]] const Tally& tally() const noexcept { return tally_; }
  /// Any thread.
  [[nodiscard]] bool client_is_gone() const noexcept { return gone_; }

 private:
  AnswerSink& sink_;
  Tally tally_;
  std::uint64_t troubles_ = 0;  ///< documents that failed by the server's fault
  std::string first_trouble_ = {};
  std::optional<Failure> failure_;
  std::atomic<bool> gone_ = false;
};

}  // namespace akin::api
