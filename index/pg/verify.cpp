#include "index/pg/verify.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "index/feature_counts.h"
#include "index/kept_words.h"
#include "index/pg/lists.h"
#include "index/pg/schema.h"
#include "index/pg/stored.h"
#include "index/posting_digest.h"
#include "index/stored_text.h"

namespace akin::pg {
namespace {

/// A document according to its sequence, and according to the postings.
struct Account {
  unsigned shift = 0;  ///< of the stored sequence: features are compared without these last bits
  PostingDigest sequence, listed;
};

struct KeptFile {
  std::int64_t number = 0;
  DocumentRecord record;
  std::int64_t stored_bytes = 0;  ///< as the directory says, if it does
};

struct LongText {
  std::int64_t number = 0;
  std::uint64_t text_bytes = 0;
};

class Verification {
 public:
  Verification(Connection& connection, Pool& pool, const VerifySubject& subject,
               const VerifyListener& listener)
      : connection_(connection),
        pool_(pool),
        tables_(subject.tables),
        store_(subject.tables.store),
        store_text_(subject.store_text),
        with_words_(subject.with_words),
        listener_(listener) {}

  Result<std::uint64_t> run() {
    AKIN_TRY(stored_, read_counters(connection_, store_, false));
    AKIN_CHECK(check_documents());
    Result<void> compared = check_postings();
    if (!compared.has_error()) compared = check_leftovers();
    if (compared.has_error()) {
      if (compared.error().code != Errc::corrupt) return compared.error();
      found(compared.error().what, compared.error().reason + "; the postings after it were not compared");
      return findings_;
    }
    check_counters();
    return findings_;
  }

 private:
  void found(std::string where, std::string broken) {
    ++findings_;
    if (listener_.report) listener_.report({std::move(where), std::move(broken)});
  }

  Result<void> check_documents() {
    constexpr std::int64_t kPage = 500;
    for (std::int64_t after = -1;;) {
      AKIN_TRY(
          const Rows directory,
          connection_.run(
              of_store("SELECT d.* FROM akin.documents_@ d WHERE doc > $1 ORDER BY doc LIMIT $2", store_),
              Params().number(after).number(kPage)));
      std::vector<std::int64_t> numbers;
      for (std::size_t row = 0; row < directory.size(); ++row) numbers.push_back(directory.number(row, 0));
      const auto statement = [this](const std::string&) {
        return of_store("SELECT doc, body, sequence FROM akin.contents_@ WHERE doc = ANY($1)", store_);
      };
      AKIN_TRY(const std::vector<Rows> content,
               tables_.servers->ask(statement, Params().numbers(numbers), ""));
      std::map<std::int64_t, std::pair<const Rows*, std::size_t>> content_of;
      for (const Rows& rows : content) {
        for (std::size_t row = 0; row < rows.size(); ++row)
          content_of.emplace(rows.number(row, 0), std::pair(&rows, row));
      }
      for (std::size_t row = 0; row < directory.size(); ++row) {
        after = numbers[row];
        if (listener_.progress) {
          listener_.progress(documents_.size(), static_cast<std::uint64_t>(stored_.documents));
        }
        const auto own = content_of.find(after);
        const bool has_content = own != content_of.end();
        if (!has_content) found(name_of(directory, row), "it has neither text nor sequence");
        const auto column = [&](int at) {
          return has_content ? own->second.first->bytes(own->second.second, at) : std::string_view();
        };
        check_document(directory, row, column(1), column(2));
      }
      AKIN_CHECK(check_files());
      AKIN_CHECK(check_words());
      if (directory.size() < static_cast<std::size_t>(kPage)) return {};
    }
  }

  /// Of a row of the directory: number and id.
  static std::string name_of(const Rows& rows, std::size_t row) {
    return name_of_document(rows.number(row, 0)) + " ('" + std::string(rows.bytes(row, 1)) + "')";
  }

  /// A row of the directory, and what the document's content has.
  void check_document(const Rows& rows, std::size_t row, std::string_view body, std::string_view features) {
    const std::int64_t number = rows.number(row, 0);
    const std::string where = name_of(rows, row);
    Account& account = documents_[number];
    ++counted_.documents;
    const Revision revision(static_cast<std::uint64_t>(rows.number(row, 2)));
    counted_.last_revision = std::max(counted_.last_revision, revision);
    const Result<StoredSequence> stored = sequence_of(features, number);
    if (stored.has_error()) {
      found(where, stored.error().reason);
    } else {
      account.shift = stored->shift;
      const std::vector<FeatureCount> counts = count_features(stored->sequence.hashes);
      for (const FeatureCount& entry : counts) account.sequence.add(entry.feature, entry.count);
      if (static_cast<std::int64_t>(counts.size()) != rows.number(row, 3)) {
        found(where, "its sequence does not have as many features as the directory says");
      }
    }
    if (static_cast<std::int64_t>(body.size()) != rows.number(row, 4)) {
      found(where, "its text is not as long as the directory says");
    }
    const Result<DocumentRecord> record = record_of(rows.bytes(row, 5), number);
    if (record.has_error()) return found(where, record.error().reason);
    counted_.features += static_cast<std::int64_t>(record->all_features());
    counted_.text_bytes += static_cast<std::int64_t>(record->text_bytes);
    counted_.text_stored_bytes += static_cast<std::int64_t>(body.size());
    if (record->id != rows.bytes(row, 1)) found(where, "its id is not that of its record");
    if (record->revision != revision) {
      found(where, "its revision is not that of its record");
    }
    if (!stored.has_error() && stored->sequence.hashes.size() != record->all_features()) {
      found(where, "its record and its sequence have different numbers of features");
    }
    if (store_text_) check_text(body, *record, where);
    if (with_words_ && record->text_bytes > kLongText) long_texts_.push_back({number, record->text_bytes});
    const bool keeps_file = record->file && record->file->kept_bytes > 0;
    const std::int64_t file_bytes = stored_.files ? rows.number(row, 6) : 0;
    if (keeps_file) {
      kept_files_.push_back({number, *record, file_bytes});
    } else if (file_bytes > 0) {
      found(where, "the directory gives the length of a file that its record does not have");
    }
  }

  /// One at a time: files are large.
  Result<void> check_files() {
    for (const auto& [number, record, stored_bytes] : std::exchange(kept_files_, {})) {
      AKIN_TRY(const Rows rows,
               connection_.run(of_store("SELECT file FROM akin.contents_@ WHERE doc = $1", store_),
                               Params().number(number)));
      if (rows.size() == 0) continue;  // reported as content that is missing
      const auto bytes = static_cast<std::int64_t>(rows.bytes(0, 0).size());
      if (stored_.files && bytes != stored_bytes)
        found(name_of_document(number), "its file is not as long as the directory says");
      counted_files_.bytes += static_cast<std::int64_t>(record.file->kept_bytes);
      counted_files_.stored_bytes += bytes;
      const Result<StoredFile> file = file_of(rows.bytes(0, 0), record, number);
      if (file.has_error()) found(name_of_document(number), file.error().reason);
    }
    return {};
  }

  /// One at a time, as files are.
  Result<void> check_words() {
    for (const auto& [number, text_bytes] : std::exchange(long_texts_, {})) {
      AKIN_TRY(const Rows rows,
               connection_.run(of_store("SELECT words FROM akin.contents_@ WHERE doc = $1", store_),
                               Params().number(number)));
      if (rows.size() == 0 || rows.is_null(0, 0)) continue;
      const std::string where = name_of_document(number);
      const Result<void> valid = check_kept_words(rows.bytes(0, 0), text_bytes, where);
      if (valid.has_error()) found(where, valid.error().reason);
    }
    return {};
  }

  void check_text(std::string_view body, const DocumentRecord& record, const std::string& where) {
    Result<StoredText> stored = StoredText::of(body, record.text_bytes, where);
    if (stored.has_error()) return found(where, stored.error().reason);
    const Result<std::string_view> text = stored->read();
    if (text.has_error()) return found(where, text.error().reason);
    if (validate_utf8(*text, where).has_error()) return found(where, "its text is not UTF-8");
    if (count_code_points(*text) != record.code_points) {
      found(where, "its text does not have as many code points as its record says");
    }
  }

  Result<void> check_postings() {
    AKIN_TRY(const PgListSource source, PgListSource::open(connection_, tables_, std::nullopt));
    AKIN_TRY(const auto lists, source.lists());
    for (;;) {
      AKIN_TRY(const bool there, lists->next());
      if (!there) break;
      for (std::size_t i = 0; i < lists->documents().size(); ++i) {
        const auto number = static_cast<std::int64_t>(static_cast<std::uint32_t>(lists->documents()[i]));
        ++counted_.postings;
        const auto own = documents_.find(number);
        if (own == documents_.end()) continue;
        const auto leading = static_cast<std::uint64_t>(lists->feature()) >> own->second.shift;
        own->second.listed.add(Feature{leading}, lists->counts()[i]);
      }
    }
    for (const auto& [number, account] : documents_) {
      if (account.sequence != account.listed)
        found(name_of_document(number), "its sequence and its postings differ");
    }
    return {};
  }

  /// Content without a document must belong to a write in progress, or to a tombstone.
  Result<void> check_leftovers() {
    std::set<std::int64_t> leftovers;
    for (const ContentPlace& place : tables_.places) {
      AKIN_CHECK(
          place.connection->stream({of_store("SELECT doc FROM akin.contents_@" + place.suffix, store_)},
                                   [&](const Rows& row) -> Result<void> {
                                     if (!documents_.contains(row.number(0, 0)))
                                       leftovers.insert(row.number(0, 0));
                                     return {};
                                   }));
    }
    PostingRows postings(tables_, kNone.key);
    for (;;) {
      AKIN_TRY(const bool there, postings.next());
      if (!there) break;
      if (!documents_.contains(postings.posting().document)) leftovers.insert(postings.posting().document);
    }
    // Known in this snapshot, and perhaps erased since. On shards a larger number belongs to a newer
    // document.
    std::int64_t newest = documents_.empty() ? -1 : documents_.rbegin()->first;
    AKIN_CHECK(connection_.stream({of_store("SELECT doc FROM akin.tombstones_@", store_)},
                                  [&](const Rows& row) -> Result<void> {
                                    leftovers.erase(row.number(0, 0));
                                    newest = std::max(newest, row.number(0, 0));
                                    return {};
                                  }));
    if (tables_.servers->are_shards()) leftovers.erase(leftovers.upper_bound(newest), leftovers.end());
    if (leftovers.empty()) return {};
    // Shards are seen as of a later moment than the directory: what has been written since is known by now.
    const std::vector<std::int64_t> numbers(leftovers.begin(), leftovers.end());
    AKIN_TRY(const Pool::Lease now, pool_.lease());
    AKIN_TRY(const Rows unknown,
             now->run(of_store("SELECT u FROM unnest($1) AS u"
                               " WHERE NOT EXISTS (SELECT FROM akin.tombstones_@ g WHERE g.doc = u)"
                               " AND NOT EXISTS (SELECT FROM akin.documents_@ d WHERE d.doc = u)",
                               store_),
                      Params().numbers(numbers)));
    for (std::size_t row = 0; row < unknown.size(); ++row)
      found(name_of_document(unknown.number(row, 0)), "it has postings or a text but does not exist");
    return {};
  }

  void check_counters() {
    const auto check = [&](std::string_view name, std::int64_t stored, std::int64_t counted) {
      if (stored == counted) return;
      found("counters", std::string(name) + " is " + std::to_string(stored) + ", but " +
                            std::to_string(counted) + " were counted");
    };
    check("documents", stored_.documents, counted_.documents);
    check("features", stored_.features, counted_.features);
    check("postings", stored_.postings, counted_.postings);
    check("text bytes", stored_.text_bytes, counted_.text_bytes);
    check("stored text bytes", stored_.text_stored_bytes, counted_.text_stored_bytes);
    if (stored_.files) {
      check("file bytes", stored_.files->bytes, counted_files_.bytes);
      check("stored file bytes", stored_.files->stored_bytes, counted_files_.stored_bytes);
    }
    if (counted_.last_revision > stored_.last_revision) {
      found("counters", "a document has a later revision than the last one");
    }
  }

  Connection& connection_;
  Pool& pool_;
  const PostingTables& tables_;
  StoreNumber store_;
  bool store_text_, with_words_;
  const VerifyListener& listener_;
  std::vector<KeptFile> kept_files_;  ///< of the page, to be checked
  std::vector<LongText> long_texts_;  ///< the same
  std::uint64_t findings_ = 0;
  StoreCounters stored_, counted_;
  FileCounters counted_files_;
  std::map<std::int64_t, Account> documents_;
};

}  // namespace

Result<std::uint64_t> verify_store(Connection& connection, Pool& pool, const VerifySubject& subject,
                                   const VerifyListener& listener) {
  return Verification(connection, pool, subject, listener).run();
}

}  // namespace akin::pg
