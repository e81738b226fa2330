#include "index/collection/transfer.h"

#include <optional>
#include <utility>

#include "base/ordered_work.h"
#include "base/parallel.h"
#include "index/collection/collection.h"

namespace akin {

namespace {

/// A batch is one transaction and is kept in memory.
constexpr std::size_t kBatchDocuments = 512;
constexpr std::size_t kBatchBytes = std::size_t{16} << 20;

Error of_document(const Error& error, const std::string& id) {
  return Error{error.code, "document '" + id + "'", error.reason, "delete it or put it again, then repeat"};
}

}  // namespace

struct Transfer::Document {
  DocumentRecord record;
  std::string text;
  FeatureSequence features;        // as stored; empty if they are derived again
  std::optional<StoredFile> file;  // if there is one

  [[nodiscard]] std::optional<FileView> original() const {
    return file ? std::optional(file->view()) : std::nullopt;
  }
  [[nodiscard]] std::uint64_t bytes() const noexcept {
    return record.text_bytes + (file ? file->bytes.size() : 0);
  }
};

/// Reads the documents of a snapshot in batches, for one thread at a time: in the order of their revisions,
/// which is that of their arrival, then those that only the list of ids has, as damage may leave them. With
/// `wanted`, in the order of ids alone.
class Transfer::Reader {
 public:
  Reader(Transfer& transfer, const Snapshot& from, const Wanted& wanted)
      : transfer_(transfer), from_(from), wanted_(wanted), by_ids_(wanted != nullptr) {}

  /// Nothing at the end.
  Result<std::optional<std::vector<Document>>> next() {
    std::vector<Document> batch;
    // A page without a wanted document is not the end.
    while (batch.empty()) {
      AKIN_CHECK(transfer_.check_stop());
      if (by_ids_) {
        AKIN_TRY(const std::vector<StoredDocument> page, from_.list(after_, kBatchDocuments));
        if (page.empty()) return std::optional<std::vector<Document>>();
        AKIN_CHECK(read_page(page, batch));
      } else {
        const auto page = from_.changes(revision_, kBatchDocuments);
        by_ids_ = page.has_error() || page->empty();
        if (!by_ids_) AKIN_CHECK(read_page(*page, batch));
      }
    }
    return std::optional(std::move(batch));
  }

 private:
  Result<void> read_page(const std::vector<StoredDocument>& page, std::vector<Document>& batch) {
    std::size_t bytes = 0;
    for (const StoredDocument& record : page) {
      if (bytes >= kBatchBytes) break;
      if (by_ids_) {
        after_ = record.id;
      } else {
        revision_ = record.revision;
      }
      if (!wanted_ && !is_new(record.number)) continue;
      if (wanted_) {
        AKIN_TRY(const bool wanted, wanted_(record));
        if (!wanted) {
          transfer_.advance(1, record.text_bytes);
          continue;
        }
      }
      AKIN_TRY(Document document, transfer_.read(from_, record));
      bytes += static_cast<std::size_t>(document.bytes());
      batch.push_back(std::move(document));
    }
    return {};
  }

  bool is_new(std::uint64_t number) {
    if (number >= known_.size()) known_.resize(number + number / 8 + 1);
    if (known_[number]) return false;
    known_[number] = true;
    return true;
  }

  Transfer& transfer_;
  const Snapshot& from_;
  const Wanted& wanted_;
  bool by_ids_;
  Revision revision_;        ///< of the last one read
  std::string after_;        ///< its id
  std::vector<bool> known_;  ///< by number: it was read
};

Result<void> Transfer::copy_all(const Snapshot& from, Store& to, const Wanted& wanted) {
  AKIN_TRY(const StoreStats stats, from.stats());
  expect(stats.documents, stats.text_bytes);
  begin_phase("copying");
  struct Prepared {
    std::vector<Document> documents;
    std::vector<Change> changes;
  };
  Reader reader(*this, from, wanted);
  return OrderedWork<std::vector<Document>, Prepared>(thread_count(0), 1)
      .run([&] { return reader.next(); },
           [&](unsigned, std::vector<Document> documents) {
             Prepared prepared{std::move(documents), {}};
             for (const Document& document : prepared.documents)
               prepared.changes.push_back(change_of(document, to));
             return prepared;
           },
           [&](Prepared prepared, bool) -> Result<bool> {
             AKIN_CHECK(to.write(prepared.changes, WriteMode::all));
             std::uint64_t bytes = 0;
             for (const Document& document : prepared.documents) bytes += document.record.text_bytes;
             advance(prepared.documents.size(), bytes);
             return true;
           });
}

Result<void> Transfer::follow(const Snapshot& from, const std::vector<std::string>& ids, Store& to) {
  std::vector<Document> batch;
  std::vector<std::string> gone;
  std::size_t bytes = 0;
  const auto write_batch = [&]() -> Result<void> {
    AKIN_CHECK(write(batch, to));
    batch.clear();
    bytes = 0;
    return {};
  };
  for (const std::string& id : ids) {
    AKIN_TRY(const std::optional<StoredDocument> record, from.find(id));
    if (!record) {
      gone.push_back(id);
      continue;
    }
    AKIN_TRY(Document document, read(from, *record));
    bytes += static_cast<std::size_t>(document.bytes());
    batch.push_back(std::move(document));
    if (bytes >= kBatchBytes || batch.size() == kBatchDocuments) AKIN_CHECK(write_batch());
  }
  AKIN_CHECK(write_batch());
  AKIN_CHECK(to.remove(gone));
  const std::lock_guard lock(mutex_);
  progress_.documents_done += ids.size();
  return {};
}

Result<Transfer::Document> Transfer::read(const Snapshot& from, const StoredDocument& record) const {
  Document document;
  document.record = record;
  if (analysis_.texts) {
    Result<std::string> text = from.text(record);
    if (text.has_error()) return of_document(text.error(), record.id);
    document.text = std::move(*text);
  }
  if (analysis_.files && record.file && record.file->kept_bytes > 0) {
    Result<StoredFile> file = from.file(record);
    if (file.has_error()) return of_document(file.error(), record.id);
    document.file = std::move(*file);
  }
  if (analysis_.dictionary == nullptr) {
    Result<FeatureSequence> features = from.features(record);
    if (features.has_error()) return of_document(features.error(), record.id);
    document.features = std::move(*features);
  }
  return document;
}

Result<PreparedDocument> Transfer::prepare(const Document& document, const Store& to) const {
  const DocumentRecord& record = document.record;
  if (analysis_.dictionary == nullptr)
    return to.prepare({record, document.text, &document.features, document.original()});
  Result<FeatureSequence> features =
      extract_features(document.text, *analysis_.dictionary, *analysis_.scheme);
  if (features.has_error()) {
    Error error = std::move(features).error();
    error.what = "document '" + record.id + "': " + error.what;
    return error;
  }
  NewDocument analyzed = new_document({record.id, record.title, record.metadata, document.text, record.file,
                                       record.places, document.original()},
                                      *features);
  analyzed.record.revision = record.revision;
  return to.prepare(std::move(analyzed));
}

Change Transfer::change_of(const Document& document, const Store& to) const {
  return {.id = document.record.id, .document = prepare(document, to)};
}

Result<void> Transfer::write(const std::vector<Document>& documents, Store& to) const {
  std::vector<Change> changes(documents.size());
  for_each_index(documents.size(), [&](std::size_t i) { changes[i] = change_of(documents[i], to); });
  AKIN_CHECK(to.write(changes, WriteMode::all));
  return {};
}

void Transfer::begin_phase(std::string_view phase) {
  const std::lock_guard lock(mutex_);
  progress_.phase = phase;
  if (control_.progress) control_.progress(progress_);
}

void Transfer::expect(std::uint64_t documents, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  progress_.documents_total += documents;
  progress_.bytes_total += bytes;
}

void Transfer::advance(std::uint64_t documents, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  progress_.documents_done += documents;
  progress_.bytes_done += bytes;
  if (control_.progress) control_.progress(progress_);
}

Result<void> Transfer::check_stop() const {
  if (!control_.stop.stop_requested()) return {};
  return Error{Errc::unsupported, "job", "it was stopped before it finished", "start it again"};
}

}  // namespace akin
