#include "server/cli/ingest.h"

#include <cstddef>
#include <future>

#include "server/cli/input.h"

namespace akin::cli {

namespace {

constexpr std::uint64_t kBatchBytes = std::uint64_t{16} << 20U;
constexpr std::size_t kBatchDocuments = 4096;

struct LoadedFile {
  const InputFile* file;
  std::string title;
  std::string text;
};

struct Batch {
  std::vector<LoadedFile> loaded;
  std::vector<Error> refused;
  std::size_t files_end = 0;  ///< index behind the last file taken
  std::uint64_t bytes = 0;
};

std::string title_of(const InputFile& file, const std::string& given) {
  if (!given.empty()) return given;
  return std::filesystem::path(file.path == "-" ? file.id : file.path.native()).stem().native();
}

Batch load_batch(const std::vector<InputFile>& files, std::size_t begin, const std::string& title) {
  Batch batch;
  batch.files_end = begin;
  while (batch.files_end < files.size() && batch.loaded.size() < kBatchDocuments) {
    const InputFile& file = files[batch.files_end];
    if (!batch.loaded.empty() && batch.bytes + file.bytes > kBatchBytes) break;
    ++batch.files_end;
    auto text = read_text(file.path);
    if (text.has_error()) {
      batch.refused.push_back(std::move(text).error());
      continue;
    }
    batch.bytes += text->size();
    batch.loaded.push_back({&file, title_of(file, title), std::move(*text)});
  }
  return batch;
}

/// Whether the failure lies in one document, so that the others can still be stored.
bool concerns_document(Errc code) {
  return code == Errc::invalid_argument || code == Errc::invalid_utf8 || code == Errc::too_large;
}

SourceDocument source_of(const LoadedFile& loaded) {
  return {loaded.file->id, loaded.title, {}, loaded.text};
}

Result<void> store_singly(Collection& collection, const Batch& batch, IngestResult& result) {
  for (const LoadedFile& loaded : batch.loaded) {
    auto replaced = collection.put(source_of(loaded));
    if (replaced.has_error()) {
      Error error = std::move(replaced).error();
      if (!concerns_document(error.code)) return error;
      error.what = display_name(loaded.file->path);
      result.refused.push_back(std::move(error));
      continue;
    }
    ++result.stored;
    result.replaced += *replaced ? 1 : 0;
    result.bytes += loaded.text.size();
  }
  return {};
}

Result<void> store(Collection& collection, const Batch& batch, IngestResult& result) {
  std::vector<SourceDocument> documents;
  documents.reserve(batch.loaded.size());
  for (const LoadedFile& loaded : batch.loaded) documents.push_back(source_of(loaded));
  auto replaced = collection.put_all(documents);
  if (replaced.has_error()) {
    if (concerns_document(replaced.error().code)) return store_singly(collection, batch, result);
    return std::move(replaced).error();
  }
  result.stored += documents.size();
  result.replaced += *replaced;
  result.bytes += batch.bytes;
  return {};
}

}  // namespace

Result<void> ingest(Collection& collection, const IngestRequest& request, IngestResult& result) {
  const std::vector<InputFile>& files = *request.files;
  std::uint64_t bytes_done = 0;
  Batch batch = load_batch(files, 0, request.title);
  for (;;) {
    const bool last = batch.files_end == files.size();
    std::future<Batch> next;
    if (!last) {
      next = std::async(std::launch::async, load_batch, std::cref(files), batch.files_end,
                        std::cref(request.title));
    }
    result.refused.insert(result.refused.end(), batch.refused.begin(), batch.refused.end());
    if (!batch.loaded.empty()) AKIN_CHECK(store(collection, batch, result));
    bytes_done += batch.bytes;
    if (request.progress) request.progress(batch.files_end, bytes_done);
    if (last) return {};
    if (request.stop != nullptr && request.stop->load()) {
      result.interrupted = true;
      return {};
    }
    batch = next.get();
  }
}

}  // namespace akin::cli
