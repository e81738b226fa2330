#include "index/pg/verify.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "index/codec/feature_counts.h"
#include "index/codec/stored_text.h"
#include "index/pg/postings/lists.h"
#include "index/pg/tables/schema.h"
#include "index/store/document_check.h"
#include "index/store/kept_words.h"
#include "index/store/posting_comparison.h"
#include "index/store/stored_document.h"

namespace akin::pg {
namespace {

struct KeptFile {
  std::int64_t number = 0;
  DocumentRecord record;
  std::int64_t stored_bytes = 0;  ///< as the directory says
};

class Verification {
 public:
  Verification(LookUps& look_ups, const VerifySubject& subject, const VerifyListener& listener)
      : look_ups_(look_ups),
        connection_(look_ups.connection()),
        store_(subject.store),
        identity_(subject.identity),
        contents_(subject.contents),
        listener_(listener) {}

  Result<std::uint64_t> run() {
    AKIN_TRY(stored_, read_counters(connection_, store_, false));
    AKIN_TRY(tables_, PostingTables::open(look_ups_, store_));
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
      AKIN_TRY(const Rows content,
               look_ups_.run(
                   of_store("SELECT doc, body, sequence FROM akin.contents_@ WHERE doc = ANY($1)", store_),
                   Params().numbers(numbers)));
      std::map<std::int64_t, std::size_t> row_of;
      for (std::size_t row = 0; row < content.size(); ++row) row_of.emplace(content.number(row, 0), row);
      for (std::size_t row = 0; row < directory.size(); ++row) {
        after = numbers[row];
        if (listener_.progress) {
          listener_.progress(postings_.size(), static_cast<std::uint64_t>(stored_.documents));
        }
        const auto own = row_of.find(after);
        const bool has_content = own != row_of.end();
        if (!has_content) found(name_of(directory, row), "it has neither text nor sequence");
        const auto column = [&](int at) {
          return has_content ? content.bytes(own->second, at) : std::string_view();
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
    postings_.add(document_of(number));
    ++counted_.documents;
    const Revision revision(static_cast<std::uint64_t>(rows.number(row, 2)));
    counted_.last_revision = std::max(counted_.last_revision, revision);
    const Result<StoredSequence> stored = sequence_of(features, number);
    if (stored.has_error()) {
      found(where, stored.error().reason);
    } else {
      postings_.set_sequence(*stored);
      const std::uint64_t distinct = stored->derived ? stored->derived->postings.postings
                                                     : count_features(stored->sequence.hashes).size();
      if (static_cast<std::int64_t>(distinct) != rows.number(row, 3)) {
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
    if (!stored.has_error()) {
      check_sequence(*stored, *record, [&](std::string broken) { found(where, std::move(broken)); });
    }
    if (identity_.store_text) check_text(body, *record, where);
    if (identity_.store_text) text_bytes_.emplace(number, record->text_bytes);
    const bool keeps_file = record->file && record->file->kept_bytes > 0;
    const std::int64_t file_bytes = rows.number(row, 6);
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
      if (bytes != stored_bytes)
        found(name_of_document(number), "its file is not as long as the directory says");
      counted_.files.bytes += static_cast<std::int64_t>(record.file->kept_bytes);
      counted_.files.stored_bytes += bytes;
      const Result<StoredFile> file = file_of(rows.bytes(0, 0), record, number);
      if (file.has_error()) found(name_of_document(number), file.error().reason);
    }
    return {};
  }

  /// One at a time, as files are: those of long texts are large.
  Result<void> check_words() {
    const std::map<std::int64_t, std::uint64_t> text_bytes = std::exchange(text_bytes_, {});
    if (text_bytes.empty()) return {};
    std::vector<std::int64_t> numbers;
    numbers.reserve(text_bytes.size());
    for (const auto& [number, bytes] : text_bytes) numbers.push_back(number);
    const Statement statement{
        of_store("SELECT doc, words FROM akin.contents_@ WHERE doc = ANY($1) AND words IS NOT NULL", store_),
        Params().numbers(numbers)};
    return connection_.stream(statement, [&](const Rows& row) -> Result<void> {
      const std::int64_t number = row.number(0, 0);
      const std::string where = name_of_document(number);
      const Result<void> valid = check_kept_words(row.bytes(0, 1), text_bytes.at(number), where);
      if (valid.has_error()) found(where, valid.error().reason);
      return {};
    });
  }

  void check_text(std::string_view body, const DocumentRecord& record, const std::string& where) {
    Result<StoredText> stored = StoredText::of(body, record.text_bytes, where);
    if (stored.has_error()) return found(where, stored.error().reason);
    const Result<std::string_view> text = stored->read();
    if (text.has_error()) return found(where, text.error().reason);
    akin::check_text(*text, record, [&](std::string broken) { found(where, std::move(broken)); });
  }

  Result<void> check_postings() {
    AKIN_TRY(const PgListSource source, PgListSource::open(tables_, std::nullopt));
    const auto for_each_posting = [&](const PostingComparison::VisitPosting& visit) -> Result<void> {
      AKIN_TRY(const auto lists, source.lists());
      for (;;) {
        AKIN_TRY(const bool there, lists->next());
        if (!there) return {};
        for (std::size_t i = 0; i < lists->documents().size(); ++i)
          visit(lists->feature(), lists->documents()[i], lists->counts()[i]);
      }
    };
    AKIN_CHECK(for_each_posting([&](Feature feature, DocNumber document, std::uint32_t count) {
      ++counted_.postings;
      // What does not exist is reported by check_leftovers.
      static_cast<void>(postings_.add_posting(feature, document, count));
    }));
    const auto sequence = [&](DocNumber document) -> Result<StoredSequence> {
      const auto number = static_cast<std::int64_t>(static_cast<std::uint32_t>(document));
      AKIN_TRY(const Rows rows,
               look_ups_.run(of_store("SELECT sequence, record FROM akin.contents_@ JOIN akin.documents_@"
                                      " USING (doc) WHERE doc = $1",
                                      store_),
                             Params().number(number)));
      AKIN_TRY(StoredSequence stored,
               sequence_of(rows.size() == 0 ? std::string_view() : rows.bytes(0, 0), number));
      if (!stored.derived) return stored;
      AKIN_TRY(const DocumentRecord record, record_of(rows.bytes(0, 1), number));
      AKIN_TRY(FeatureSequence derived, contents_.sequence({number, record.text_bytes}));
      return StoredSequence{.sequence = std::move(derived)};
    };
    return postings_.report_differences(
        {for_each_posting, sequence},
        [&](std::string where, std::string broken) { found(std::move(where), std::move(broken)); });
  }

  /// Content without a document must belong to a tombstone.
  Result<void> check_leftovers() {
    std::set<std::int64_t> leftovers;
    AKIN_CHECK(connection_.stream({of_store("SELECT doc FROM akin.contents_@", store_)},
                                  [&](const Rows& row) -> Result<void> {
                                    if (!postings_.contains(document_of(row.number(0, 0))))
                                      leftovers.insert(row.number(0, 0));
                                    return {};
                                  }));
    PostingRows postings(tables_, kNone.key);
    for (;;) {
      AKIN_TRY(const bool there, postings.next());
      if (!there) break;
      if (!postings_.contains(document_of(postings.posting().document)))
        leftovers.insert(postings.posting().document);
    }
    AKIN_CHECK(connection_.stream({of_store("SELECT doc FROM akin.tombstones_@", store_)},
                                  [&](const Rows& row) -> Result<void> {
                                    leftovers.erase(row.number(0, 0));
                                    return {};
                                  }));
    for (const std::int64_t number : leftovers)
      found(name_of_document(number), "it has postings or a text but does not exist");
    return {};
  }

  void check_counters() {
    stored_.compare(counted_, [&](std::string broken) { found("counters", std::move(broken)); });
  }

  LookUps& look_ups_;
  Connection& connection_;
  StoreNumber store_;
  const StoreIdentity& identity_;
  const ContentReader& contents_;
  PostingTables tables_;
  const VerifyListener& listener_;
  std::vector<KeptFile> kept_files_;  ///< of the page, to be checked
  /// Of its documents whose words may be kept, by number.
  std::map<std::int64_t, std::uint64_t> text_bytes_;
  std::uint64_t findings_ = 0;
  StoreCounters stored_, counted_;
  PostingComparison postings_;
};

}  // namespace

Result<std::uint64_t> verify_store(LookUps& look_ups, const VerifySubject& subject,
                                   const VerifyListener& listener) {
  return Verification(look_ups, subject, listener).run();
}

}  // namespace akin::pg
