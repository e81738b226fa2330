#include "cli/frame/file_line_reader.h"

#include <poll.h>

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "extract/formats/formats.h"
#include "server/ingest/content_coding.h"
#include "server/ingest/open_input.h"

namespace akin::cli {

namespace {

constexpr std::size_t kBlock = std::size_t{1} << 18;
constexpr std::string_view kGzip = "\x1f\x8b";
constexpr std::string_view kZstd = "\x28\xb5\x2f\xfd";

/// The user chose the file, so the limit is zstd's own default.
constexpr int kWindowLog = 27;

ingest::Coding coding_of(std::string_view begin) {
  if (begin.starts_with(kGzip)) return ingest::Coding::gzip;
  if (begin.starts_with(kZstd)) return ingest::Coding::zstd;
  return ingest::Coding::identity;
}

/// The ending of a compressed file's name, in any case; "" for others.
std::string_view compressed_ending(const std::string& name) {
  const std::string lower = ascii_lower(name);
  for (const std::string_view ending : {".gz", ".zst"})
    if (lower.ends_with(ending)) return ending;
  return "";
}

/// In small letters, without the ending of its compression.
std::string plain_name(const std::filesystem::path& path) {
  std::string name = ascii_lower(path.filename().native());
  name.resize(name.size() - compressed_ending(name).size());
  return name;
}

class OpenedFileLines final : public FileLineReader {
 public:
  OpenedFileLines(ingest::OpenInput file, const std::atomic<bool>* stop)
      : file_(std::move(file)), stop_(stop) {}

  Result<std::optional<std::string>> next() override {
    ++number_;
    for (std::size_t seen = at_;;) {
      const std::size_t end = buffer_.find('\n', seen);
      if (end != std::string::npos) {
        std::string line = buffer_.substr(at_, end - at_);
        at_ = end + 1;
        return std::optional(std::move(line));
      }
      buffer_.erase(0, std::exchange(at_, 0));
      seen = buffer_.size();
      if (seen > kMaxLineBytes) {
        return Error{Errc::too_large, place(), "longer than " + std::to_string(kMaxLineBytes) + " bytes",
                     "split it: a line is one document"};
      }
      if (ended_) {
        if (buffer_.empty() || stopped_) return std::optional<std::string>();
        return std::optional(std::exchange(buffer_, {}));
      }
      AKIN_CHECK(read_more());
    }
  }

  std::uint64_t number() const noexcept override { return number_; }
  std::uint64_t bytes_read() const noexcept override { return read_; }
  std::uint64_t bytes_total() const noexcept override { return file_.size().value_or(0); }

 private:
  [[nodiscard]] std::string place() const { return file_.name() + " line " + std::to_string(number_); }

  /// Waits until there is input, or until a stop is requested; returns true for a stop.
  bool wait_or_stop() {
    constexpr int kPatience = 100;  // ms
    pollfd input{file_.descriptor(), POLLIN, 0};
    while (!stop_->load()) {
      if (::poll(&input, 1, kPatience) > 0) return false;
    }
    return true;
  }

  /// Waits for input and reads it; 0 is the end of the file or a stop.
  Result<std::size_t> read_block(char* into, std::size_t room) {
    if (stop_ != nullptr && wait_or_stop()) {
      stopped_ = true;
      return std::size_t{0};
    }
    return file_.read(into, room);
  }

  Result<void> read_more() {
    block_.resize(kBlock);
    std::size_t size = 0;
    // The first block must hold the magic bytes, however a pipe splits them.
    const std::size_t least = begun_ ? 1 : kZstd.size();
    while (size < least) {
      AKIN_TRY(const std::size_t got, read_block(block_.data() + size, block_.size() - size));
      if (got == 0) {
        ended_ = true;
        break;
      }
      size += got;
    }
    read_ += size;
    const std::string_view bytes(block_.data(), size);
    if (!std::exchange(begun_, true)) {
      // What a full disk or a broken transfer leaves: a compressed file has bytes, even of no lines.
      if (bytes.empty() && !stopped_ && !compressed_ending(file_.name()).empty()) return broken();
      AKIN_TRY(decoder_, ingest::make_decoder(coding_of(bytes), kWindowLog));
    }
    if (decoder_ == nullptr) {
      buffer_ += bytes;
      return {};
    }
    if (stopped_) return {};
    if (decode(bytes).has_error() || (ended_ && !decoder_->complete())) return broken();
    return {};
  }

  [[nodiscard]] Error broken() const {
    return {Errc::corrupt, place(),
            ended_ ? "the compressed file is cut off" : "the compressed data are corrupt",
            "copy or download it again"};
  }

  Result<void> decode(std::string_view encoded) {
    for (bool full = false; full || !encoded.empty();) {
      const std::size_t before = buffer_.size();
      buffer_.resize(before + kBlock);
      const auto step = decoder_->decode(encoded, std::span(buffer_).subspan(before));
      buffer_.resize(before + (step.has_error() ? 0 : step->produced));
      AKIN_CHECK(step);
      encoded.remove_prefix(step->consumed);
      full = step->produced == kBlock;
    }
    return {};
  }

  const ingest::OpenInput file_;
  bool begun_ = false;
  std::unique_ptr<ingest::Decoder> decoder_;  ///< null: the file is plain
  std::vector<char> block_;
  std::string buffer_;  ///< from at_ on: decompressed, not returned yet
  std::size_t at_ = 0;
  std::uint64_t number_ = 0, read_ = 0;
  bool ended_ = false;
  const std::atomic<bool>* stop_;  ///< null: reading is never stopped
  bool stopped_ = false;
};

}  // namespace

bool is_lines(const std::filesystem::path& path) {
  return path == "-" || is_surely_lines(path) || plain_name(path).ends_with(".json");
}

bool is_surely_lines(const std::filesystem::path& path) {
  const std::string name = plain_name(path);
  return name.ends_with(".jsonl") || name.ends_with(".ndjson");
}

Result<void> check_lines_of_json(std::string_view line, std::uint64_t number, const std::string& file) {
  if (number != 1) return {};
  if (line.starts_with("\xff\xfe") || line.starts_with("\xfe\xff")) {
    return Error{Errc::invalid_argument, file, "is UTF-16, not UTF-8",
                 "convert it, for instance with iconv -f utf-16 -t utf-8"};
  }
  const std::string_view written = trimmed(line, " \t\r");
  if (written.starts_with('['))
    return Error{Errc::invalid_argument, file, "is a JSON array, not a line for each document",
                 "make lines of it, for instance with jq -c '.[]'"};
  if (written == "{")
    return Error{Errc::invalid_argument, file,
                 "has JSON objects of several lines, not a line for each document",
                 "make lines of it, for instance with jq -c ."};
  if (written.starts_with('{')) return {};
  if (auto other = extract::not_text(line, file)) {
    other->remedy = "akin index reads documents; this reads a line of JSON for each";
    return *std::move(other);
  }
  return {};
}

Result<std::unique_ptr<FileLineReader>> FileLineReader::open(const std::filesystem::path& path,
                                                             const std::atomic<bool>* stop) {
  AKIN_TRY(ingest::OpenInput file, ingest::OpenInput::open(path));
  return std::unique_ptr<FileLineReader>(std::make_unique<OpenedFileLines>(std::move(file), stop));
}

}  // namespace akin::cli
