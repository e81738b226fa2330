#include "cli/commands/dedup/dedup_input.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/ascii.h"
#include "cli/commands/common/actor.h"
#include "cli/frame/stop_signal.h"
#include "server/ingest/input.h"

namespace akin::cli {

namespace {

namespace fs = std::filesystem;

/// The documents of a collection in byte order of their ids.
class CollectionInput final : public dedup::Input {
 public:
  CollectionInput(OpenCollection collection, std::unique_ptr<Snapshot> snapshot, std::uint64_t documents)
      : collection_(std::move(collection)), snapshot_(std::move(snapshot)), documents_(documents) {}

  Result<std::optional<dedup::CorpusDocument>> next() override {
    if (at_ == page_.size()) {
      constexpr std::size_t kListed = 1000;
      AKIN_TRY(page_, snapshot_->list(after_, kListed));
      at_ = 0;
      if (page_.empty()) return std::optional<dedup::CorpusDocument>();
      after_ = page_.back().id;
    }
    const StoredDocument& record = page_[at_++];
    ++read_;
    dedup::CorpusDocument document{record.id, {}, 0.0};
    AKIN_TRY(document.text, snapshot_->text(record));
    return std::optional(std::move(document));
  }
  double share_read() const noexcept override {
    return documents_ == 0 ? 0.0 : static_cast<double>(read_) / static_cast<double>(documents_);
  }

 private:
  const OpenCollection collection_;
  const std::unique_ptr<Snapshot> snapshot_;
  const std::uint64_t documents_;
  std::vector<StoredDocument> page_;
  std::size_t at_ = 0;
  std::string after_;  ///< the last id of the pages so far
  std::atomic<std::uint64_t> read_ = 0;
};

bool is_folder(const fs::path& path) {
  std::error_code failure;
  return path != "-" && fs::is_directory(path, failure);
}

/// What to do with a file whose rows or records are documents, and which would be read as one.
std::optional<Error> wrong_kind(const fs::path& path) {
  const std::string name = ascii_lower(path.filename().native());
  const auto ends_with = [&](std::initializer_list<std::string_view> ends) {
    return std::ranges::any_of(ends, [&](std::string_view end) { return name.ends_with(end); });
  };
  if (ends_with({".parquet", ".warc", ".warc.gz", ".wet", ".wet.gz"}))
    return Error{Errc::invalid_argument, ingest::display_name(path), "is read by the package for Python",
                 "akin-python lines FILE | akin dedup - --out OUT, or akin.dedup in Python"};
  if (ends_with({".csv", ".csv.gz", ".csv.zst", ".tsv", ".tsv.gz", ".tsv.zst"}))
    return Error{
        Errc::invalid_argument, ingest::display_name(path), "is a table, whose rows are not read",
        "convert it to lines of JSON with the field text, or give pandas.read_csv(FILE) to akin.dedup "
        "in Python"};
  return std::nullopt;
}

}  // namespace

Result<std::vector<fs::path>> with_lines_of_folders(const std::vector<fs::path>& paths,
                                                    const CommonOptions& common) {
  std::vector<fs::path> all;
  for (const fs::path& path : paths) {
    if (!is_folder(path)) {
      if (const auto wrong = wrong_kind(path)) return *wrong;
      all.push_back(path);
      continue;
    }
    AKIN_TRY(const ingest::InputList list, ingest::collect_inputs({path}, "", common.data));
    const auto path_of = &ingest::InputFile::path;
    if (std::ranges::none_of(list.files, is_surely_lines, path_of)) {
      all.push_back(path);
    } else if (std::ranges::all_of(list.files, is_lines, path_of)) {
      for (const ingest::InputFile& file : list.files) all.push_back(file.path);
    } else {
      const auto other = std::ranges::find_if_not(list.files, is_lines, path_of);
      return Error{Errc::invalid_argument, ingest::display_name(path),
                   "has lines of JSON beside other files, such as '" + other->id + "'",
                   "name the files, for instance FOLDER/*.jsonl"};
    }
  }
  return all;
}

Result<bool> reads_lines(const std::vector<fs::path>& paths) {
  const auto lines =
      std::ranges::count_if(paths, [](const fs::path& path) { return is_lines(path) && !is_folder(path); });
  if (lines == 0) return false;
  if (static_cast<std::size_t>(lines) == paths.size()) return true;
  return Error{Errc::invalid_argument, "dedup", "lines of JSON and other files cannot be one corpus",
               "give either files that end with .jsonl, .ndjson or .json (also .gz, .zst), or others"};
}

Result<DedupInput> open_dedup_input(const DedupSource& source, const CommonOptions& common,
                                    const fs::path& copy) {
  AKIN_TRY(const bool lines, reads_lines(source.paths));
  DedupInput opened;
  if (!lines) {
    AKIN_TRY(ingest::InputList files, ingest::collect_inputs(source.paths, "", common.data));
    AKIN_CHECK(extract::check_encoding(source.encoding));
    ingest::Reading reading;
    reading.encoding = source.encoding;
    opened.input = std::make_unique<dedup::FileInput>(std::move(files), std::move(reading), source.fields);
    return opened;
  }
  if (std::ranges::count(source.paths, fs::path("-")) > 1) {
    return Error{Errc::invalid_argument, "-", "standard input is given twice", "give it once"};
  }
  std::unique_ptr<LineWriter> writer;
  const bool from_pipe = std::ranges::find(source.paths, fs::path("-")) != source.paths.end();
  if (from_pipe && !copy.empty()) {
    AKIN_TRY(writer, LineWriter::open(copy, Compression::zstd));
  }
  auto input = std::make_unique<dedup::LineInput>(source.paths, source.fields, &StopOnSignal::asked(),
                                                  std::move(writer));
  opened.lines = input.get();
  opened.input = std::move(input);
  return opened;
}

Result<DedupInput> open_known_documents(const std::string& name, const DedupSource& like,
                                        const CommonOptions& common) {
  std::error_code failure;
  if (fs::exists(name, failure)) {
    DedupSource source = like;
    AKIN_TRY(source.paths, with_lines_of_folders({name}, common));
    source.fields.refused.clear();
    return open_dedup_input(source, common, {});
  }
  CommonOptions own = common;
  own.collection = name;
  own.scheme.reset();
  Result<OpenCollection> opened = open_collection(own);
  if (opened.has_error() && opened.error().code == Errc::not_found) {
    const Error& missing = opened.error();
    return Error{Errc::not_found, "--against '" + name + "'",
                 "is neither a file nor a folder, and " + missing.what + ": " + missing.reason,
                 "check the path; " + missing.remedy};
  }
  AKIN_TRY(OpenCollection collection, std::move(opened));
  if (!collection->keeps_texts()) {
    return Error{Errc::unsupported, "collection '" + name + "'", "it keeps no texts, which are compared",
                 "give the documents as a file"};
  }
  AKIN_TRY(const auto state, find_state(own));
  AKIN_CHECK(record_reading(state.get(), *collection.catalog, "collection.read", name));
  AKIN_TRY(auto snapshot, collection->snapshot());
  AKIN_TRY(const StoreStats stats, snapshot->stats());
  return DedupInput{
      std::make_unique<CollectionInput>(std::move(collection), std::move(snapshot), stats.documents),
      nullptr};
}

}  // namespace akin::cli
