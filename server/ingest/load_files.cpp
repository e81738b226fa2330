#include "server/ingest/load_files.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "index/bulk.h"
#include "server/ingest/input.h"

namespace akin::ingest {

namespace {

std::string title_of(const InputFile& file, const std::string& given) {
  if (!given.empty()) return given;
  return std::filesystem::path(file.path == "-" ? file.id : file.path.native()).stem().native();
}

}  // namespace

Result<void> load_files(Collection& collection, const LoadRequest& request, LoadResult& result) {
  const std::vector<InputFile>& files = *request.files;
  std::size_t next = 0;
  const auto read_some = [&](std::uint64_t wanted) -> Result<std::vector<OwnedDocument>> {
    std::vector<OwnedDocument> batch;
    for (std::uint64_t bytes = 0;
         next < files.size() && (batch.empty() || bytes + files[next].bytes <= wanted); ++next) {
      const InputFile& file = files[next];
      auto text = read_text(file.path);
      if (text.has_error()) {
        result.refused.push_back(std::move(text).error());
        continue;
      }
      bytes += text->size();
      batch.push_back({file.id, title_of(file, request.title), {}, std::move(*text)});
    }
    return batch;
  };
  std::vector<Error> refused;  // apart: both callbacks may run at once
  BulkOptions options;
  options.memory = request.memory;
  options.stop = request.stop;
  options.progress = request.progress;
  options.refused = [&](const OwnedDocument& document, Error error) {
    const auto file =
        std::find_if(files.begin(), files.end(), [&](const InputFile& one) { return one.id == document.id; });
    error.what = display_name(file->path);
    refused.push_back(std::move(error));
  };
  BulkResult stored;
  Result<void> outcome = bulk_load(collection, read_some, options, stored);
  result.refused.insert(result.refused.end(), std::make_move_iterator(refused.begin()),
                        std::make_move_iterator(refused.end()));
  result.stored = stored.stored;
  result.replaced = stored.replaced;
  result.bytes = stored.bytes;
  result.interrupted = stored.interrupted;
  return outcome;
}

}  // namespace akin::ingest
