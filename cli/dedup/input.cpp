#include "cli/dedup/input.h"

#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/ascii.h"
#include "server/ingest/input.h"
#include "server/json/json.h"

namespace akin::dedup {

namespace fs = std::filesystem;

void Input::refuse(Error error) {
  ++refused_;
  if (reported_.size() < kMostTold) reported_.push_back(std::move(error));
}

CorpusLines::CorpusLines(std::vector<fs::path> files, const std::atomic<bool>* stop)
    : files_(std::move(files)), stop_(stop) {
  for (const fs::path& file : files_) {
    std::error_code failure;
    const std::uintmax_t bytes = file == "-" ? 0 : fs::file_size(file, failure);
    if (!failure) bytes_ += bytes;
  }
}

Result<std::optional<CorpusLine>> CorpusLines::next() {
  for (;;) {
    if (reader_ == nullptr) {
      if (next_ == files_.size()) return std::optional<CorpusLine>();
      AKIN_TRY(reader_, cli::FileLineReader::open(files_[next_++], stop_));
    }
    AKIN_TRY(std::optional<std::string> line, reader_->next());
    read_ = bytes_before_ + reader_->bytes_read();
    if (!line) {
      bytes_before_ = read_;
      reader_.reset();
      continue;
    }
    AKIN_CHECK(cli::check_lines_of_json(*line, reader_->number(), ingest::display_name(files_[next_ - 1])));
    if (!is_blank(*line)) return std::optional(CorpusLine{std::move(*line), next_ - 1, reader_->number()});
  }
}

Result<std::optional<CorpusDocument>> LineInput::next() {
  for (;;) {
    AKIN_TRY(const std::optional<CorpusLine> line, lines_.next());
    if (!line) {
      if (copy_ != nullptr) AKIN_CHECK(std::exchange(copy_, nullptr)->finish());
      return std::optional<CorpusDocument>();
    }
    if (copy_ != nullptr) AKIN_CHECK(copy_->write(line->text + "\n"));
    const fs::path& file = lines_.files()[line->file];
    Result<CorpusDocument> document = read_corpus_line(line->text, fields_);
    is_document_.push_back(document.has_value());
    if (document.has_error()) {
      Error error = document.error();
      error.what = ingest::display_name(file) + " line " + std::to_string(line->number) + ": " + error.what;
      refuse(std::move(error));
      continue;
    }
    if (document->id.empty()) {
      document->id =
          ingest::display_name(file == "-" ? file : file.filename()) + ":" + std::to_string(line->number);
    }
    return std::optional(std::move(*document));
  }
}

FileInput::FileInput(ingest::InputList files, ingest::Reading reading, LineFields fields)
    : files_(std::move(files)),
      fields_(std::move(fields)),
      feed_(files_.files, std::move(reading), [this](Error error) { refuse(std::move(error)); }) {
  for (const Error& error : files_.refused) refuse(error);
}

Result<std::optional<CorpusDocument>> FileInput::next() {
  std::optional<OwnedDocument> read = feed_.next();
  if (!read) return std::optional<CorpusDocument>();
  CorpusDocument document{std::move(read->id), std::move(read->text), {}};
  const json::Json about{{"metadata", json::Json::parse(read->metadata, nullptr, false)}};
  document.preference = preference_of(about, document.text, fields_);
  return std::optional(std::move(document));
}

double FileInput::share_read() const noexcept {
  const std::uint64_t all = files_.bytes();
  return all == 0 ? 0.0 : static_cast<double>(feed_.bytes_read()) / static_cast<double>(all);
}

}  // namespace akin::dedup
