// Where the documents of a corpus come from: lines of JSON, or files.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/dedup/corpus_line.h"
#include "cli/frame/file_line_reader.h"
#include "cli/frame/line_writer.h"
#include "server/ingest/document_feed.h"
#include "server/ingest/walk.h"

namespace akin::dedup {

/// The documents of a corpus, one after another. One thread, except `share_read`.
class Input {
 public:
  /// The most errors that are listed; beyond that they are only counted.
  static constexpr std::size_t kMostTold = 1000;

  Input() = default;
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  virtual ~Input() = default;

  /// The next document, with an id; nothing at the end. What cannot be read as a document is refused, and
  /// reading continues. Errors: io, corrupt (compressed data).
  [[nodiscard]] virtual Result<std::optional<CorpusDocument>> next() = 0;
  /// The share of the input that was read, 0..1; 0 if its size is unknown. Any thread.
  [[nodiscard]] virtual double share_read() const noexcept = 0;

  [[nodiscard]] std::uint64_t refused() const noexcept { return refused_; }
  [[nodiscard]] const std::vector<Error>& reported() const noexcept { return reported_; }

 protected:
  void refuse(Error error);

 private:
  std::uint64_t refused_ = 0;
  std::vector<Error> reported_;
};

struct CorpusLine {
  std::string text;
  std::size_t file = 0;      ///< its index
  std::uint64_t number = 0;  ///< in its file, from 1
};

/// The lines of several files that are not blank. One thread, except `share_read`.
class CorpusLines {
 public:
  /// `stop`: as FileLineReader::open.
  explicit CorpusLines(std::vector<std::filesystem::path> files, const std::atomic<bool>* stop = nullptr);

  /// Errors: as FileLineReader.
  [[nodiscard]] Result<std::optional<CorpusLine>> next();
  [[nodiscard]] double share_read() const noexcept {
    return bytes_ == 0 ? 0.0 : static_cast<double>(read_) / static_cast<double>(bytes_);
  }
  [[nodiscard]] const std::vector<std::filesystem::path>& files() const noexcept { return files_; }

 private:
  const std::vector<std::filesystem::path> files_;
  const std::atomic<bool>* stop_;
  std::size_t next_ = 0;
  std::unique_ptr<cli::FileLineReader> reader_;  ///< of the file before `next_`
  std::uint64_t bytes_ = 0;                      ///< of all files
  std::uint64_t bytes_before_ = 0;               ///< of the files before the reader's
  std::atomic<std::uint64_t> read_ = 0;
};

/// Documents on lines of JSON. One without an id gets FILE:LINE.
class LineInput final : public Input {
 public:
  /// `copy`: gets every line, for input that cannot be read again; may be null.
  LineInput(std::vector<std::filesystem::path> files, LineFields fields, const std::atomic<bool>* stop,
            std::unique_ptr<cli::LineWriter> copy)
      : lines_(std::move(files), stop), fields_(std::move(fields)), copy_(std::move(copy)) {}

  [[nodiscard]] Result<std::optional<CorpusDocument>> next() override;
  [[nodiscard]] double share_read() const noexcept override { return lines_.share_read(); }
  /// Of each line that is not blank, whether it is a document.
  [[nodiscard]] const std::vector<bool>& is_document() const noexcept { return is_document_; }

 private:
  CorpusLines lines_;
  const LineFields fields_;
  std::unique_ptr<cli::LineWriter> copy_;  ///< null once it is finished
  std::vector<bool> is_document_;
};

/// The documents in files, as `akin index` reads them.
class FileInput final : public Input {
 public:
  FileInput(ingest::InputList files, ingest::Reading reading, LineFields fields);

  [[nodiscard]] Result<std::optional<CorpusDocument>> next() override;
  [[nodiscard]] double share_read() const noexcept override;

 private:
  const ingest::InputList files_;
  const LineFields fields_;
  ingest::DocumentFeed feed_;
};

}  // namespace akin::dedup
