#include "index/pg/batch.h"

#include <algorithm>

#include "index/feature_counts.h"
#include "index/records.h"
#include "index/sequence_codec.h"

namespace akin::pg {
namespace {

/// Rows of one statement: what a message may hold, and memory.
constexpr std::size_t kRowsAtOnce = 100'000;

}  // namespace

Result<Batch> Batch::begin(Connection& connection, StoreNumber store, std::span<const std::string_view> ids) {
  Batch batch(connection, store);
  AKIN_CHECK(pg::begin(connection));
  AKIN_TRY(batch.counters_, read_counters(connection, store, true));
  AKIN_TRY(
      const Rows rows,
      connection.run(of_store("SELECT doc, id, revision, record, coalesce(octet_length(body), 0)::bigint,"
                              " sequence FROM akin.d_@ WHERE id = ANY($1)",
                              store),
                     Params().byte_strings(ids)));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::int64_t number = rows.number(row, 0);
    batch.known_.emplace(std::string(rows.bytes(row, 1)),
                         Known{number, static_cast<std::uint64_t>(rows.number(row, 2)), nullptr, {}});
    Stored& stored = batch.stored_[number];
    stored.text_stored_bytes = rows.number(row, 4);
    const auto record = decode_record(rows.bytes(row, 3));
    if (record) {
      stored.features = static_cast<std::int64_t>(record->all_features());
      stored.text_bytes = static_cast<std::int64_t>(record->text_bytes);
    }
    const auto sequence = decode_sequence(rows.bytes(row, 5));
    stored.damaged = !sequence || sequence->shift != 0;
    if (!stored.damaged) stored.counts = count_features(sequence->sequence.hashes);
  }
  return batch;
}

void Batch::continue_after(std::uint64_t revision) noexcept {
  counters_.last_revision = std::max(counters_.last_revision, static_cast<std::int64_t>(revision));
}

Result<std::uint64_t> Batch::new_revision(const PreparedDocument& document) {
  if (document.revision == 0) {
    counters_.last_revision =
        static_cast<std::int64_t>(revision_after(static_cast<std::uint64_t>(counters_.last_revision)));
    return static_cast<std::uint64_t>(counters_.last_revision);
  }
  const Error taken{Errc::invalid_argument, "document '" + document.id + "'",
                    "another document has its revision " + std::to_string(document.revision), ""};
  for (const auto& [id, known] : known_) {
    if (known.revision == document.revision) return taken;
  }
  AKIN_TRY(const Rows rows, connection_.run(of_store("SELECT doc FROM akin.d_@ WHERE revision = $1", store_),
                                            Params().number(static_cast<std::int64_t>(document.revision))));
  if (rows.size() > 0 && std::ranges::find(gone_, rows.number(0, 0)) == gone_.end()) return taken;
  continue_after(document.revision);
  return document.revision;
}

/// A document goes: what it counts is taken back, and what was stored of it before is to be erased.
void Batch::withdraw(const Known& known) {
  --counters_.documents;
  if (known.of_batch != nullptr) {
    counters_.features -= static_cast<std::int64_t>(known.of_batch->features);
    counters_.postings -= static_cast<std::int64_t>(known.of_batch->counts.size());
    counters_.text_bytes -= static_cast<std::int64_t>(known.of_batch->text_bytes);
    counters_.text_stored_bytes -= static_cast<std::int64_t>(known.of_batch->text.size());
    return;
  }
  const Stored& stored = stored_.at(known.number);
  counters_.features -= stored.features;
  counters_.postings -= static_cast<std::int64_t>(stored.counts.size());
  counters_.text_bytes -= stored.text_bytes;
  counters_.text_stored_bytes -= stored.text_stored_bytes;
  gone_.push_back(known.number);
}

Result<PutResult> Batch::put(const PreparedDocument& document) {
  const auto found = known_.find(document.id);
  const bool replaced = found != known_.end();
  if (replaced) {
    withdraw(found->second);
    known_.erase(found);
  }
  AKIN_TRY(const std::uint64_t revision, new_revision(document));
  Known known{counters_.next_document++, revision, &document, document.record};
  set_revision(known.record, revision);
  known_.emplace(document.id, std::move(known));
  ++counters_.documents;
  counters_.features += static_cast<std::int64_t>(document.features);
  counters_.postings += static_cast<std::int64_t>(document.counts.size());
  counters_.text_bytes += static_cast<std::int64_t>(document.text_bytes);
  counters_.text_stored_bytes += static_cast<std::int64_t>(document.text.size());
  return PutResult{replaced, revision};
}

Result<std::vector<PutResult>> Batch::put(std::span<const PreparedDocument> documents) {
  std::vector<PutResult> results;
  results.reserve(documents.size());
  for (const PreparedDocument& document : documents) {
    AKIN_TRY(const PutResult result, put(document));
    results.push_back(result);
  }
  return results;
}

Result<bool> Batch::remove(std::string_view id) {
  const auto found = known_.find(id);
  if (found == known_.end()) return false;
  withdraw(found->second);
  known_.erase(found);
  return true;
}

Result<void> Batch::require(std::string_view id, const Precondition& condition) const {
  const auto found = known_.find(id);
  AKIN_CHECK(require_presence(id, condition, found != known_.end()));
  return found == known_.end() ? Result<void>() : require_revision(id, condition, found->second.revision);
}

Result<void> Batch::erase_gone() {
  if (gone_.empty()) return {};
  std::vector<std::int64_t> keys, numbers, damaged;
  for (const std::int64_t number : gone_) {
    const Stored& stored = stored_.at(number);
    if (stored.damaged) damaged.push_back(number);
    for (const FeatureCount& entry : stored.counts) {
      keys.push_back(key_of(entry.feature));
      numbers.push_back(number);
    }
  }
  for (const char* const table : {"akin.p_@", "akin.r_@"}) {
    const std::string erase = std::string("DELETE FROM ") + table;
    if (!keys.empty()) {
      AKIN_CHECK(connection_.run(of_store(erase + " t USING unnest($1, $2) AS u(key, doc)"
                                                  " WHERE t.key = u.key AND t.doc = u.doc",
                                          store_),
                                 Params().numbers(keys).numbers(numbers)));
    }
    if (!damaged.empty()) {
      AKIN_CHECK(
          connection_.run(of_store(erase + " WHERE doc = ANY($1)", store_), Params().numbers(damaged)));
    }
  }
  AKIN_CHECK(
      connection_.run(of_store("DELETE FROM akin.d_@ WHERE doc = ANY($1)", store_), Params().numbers(gone_)));
  return {};
}

Result<void> Batch::insert_documents() {
  for (const auto& [id, known] : known_) {
    if (known.of_batch == nullptr) continue;
    Params params;
    params.number(known.number)
        .bytes(id)
        .number(static_cast<std::int64_t>(known.revision))
        .bytes(known.record);
    if (known.of_batch->text.empty()) {
      params.null_bytes();
    } else {
      params.bytes(known.of_batch->text);
    }
    params.bytes(known.of_batch->sequence);
    AKIN_CHECK(
        connection_.run(of_store("INSERT INTO akin.d_@ VALUES ($1, $2, $3, $4, $5, $6)", store_), params));
  }
  return {};
}

Result<void> Batch::insert_postings() {
  std::vector<std::int64_t> keys, numbers, repeated_keys, repeated_numbers, repeats;
  const auto write = [&]() -> Result<void> {
    if (!keys.empty()) {
      AKIN_CHECK(connection_.run(of_store("INSERT INTO akin.p_@ SELECT * FROM unnest($1, $2)", store_),
                                 Params().numbers(keys).numbers(numbers)));
    }
    if (!repeats.empty()) {
      AKIN_CHECK(connection_.run(of_store("INSERT INTO akin.r_@ SELECT * FROM unnest($1, $2, $3)", store_),
                                 Params().numbers(repeated_keys).numbers(repeated_numbers).numbers(repeats)));
    }
    for (auto* const list : {&keys, &numbers, &repeated_keys, &repeated_numbers, &repeats}) list->clear();
    return {};
  };
  for (const auto& [id, known] : known_) {
    if (known.of_batch == nullptr) continue;
    for (const FeatureCount& entry : known.of_batch->counts) {
      keys.push_back(key_of(entry.feature));
      numbers.push_back(known.number);
      if (entry.count > 1) {
        repeated_keys.push_back(key_of(entry.feature));
        repeated_numbers.push_back(known.number);
        repeats.push_back(entry.count);
      }
      if (keys.size() == kRowsAtOnce) AKIN_CHECK(write());
    }
  }
  return write();
}

Result<void> Batch::finish() {
  AKIN_CHECK(erase_gone());
  AKIN_CHECK(insert_documents());
  AKIN_CHECK(insert_postings());
  AKIN_CHECK(write_counters(connection_, store_, counters_));
  return commit(connection_);
}

}  // namespace akin::pg
