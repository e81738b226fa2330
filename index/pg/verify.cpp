#include "index/pg/verify.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/hash.h"
#include "base/utf8.h"
#include "index/feature_counts.h"
#include "index/pg/lists.h"
#include "index/pg/stored.h"

namespace akin::pg {
namespace {

/// What a document's postings and its sequence must both add up to.
struct Account {
  std::uint64_t sum = 0;
  std::uint64_t features = 0;
  void add(Feature feature, std::uint64_t count) noexcept {
    sum += mix64(static_cast<std::uint64_t>(feature) ^ mix64(count));
    features += count;
  }
  friend bool operator==(const Account&, const Account&) = default;
};

class Verification {
 public:
  Verification(Connection& connection, StoreNumber store, bool store_text, const VerifyListener& listener)
      : connection_(connection), store_(store), store_text_(store_text), listener_(listener) {}

  Result<std::uint64_t> run() {
    AKIN_TRY(told_, read_counters(connection_, store_, false));
    AKIN_CHECK(check_documents());
    AKIN_CHECK(check_postings());
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
      AKIN_TRY(const Rows rows,
               connection_.run(of_store("SELECT doc, id, revision, record, body, sequence FROM akin.d_@"
                                        " WHERE doc > $1 ORDER BY doc LIMIT $2",
                                        store_),
                               Params().number(after).number(kPage)));
      for (std::size_t row = 0; row < rows.size(); ++row) {
        after = rows.number(row, 0);
        if (listener_.progress) {
          listener_.progress(documents_.size(), static_cast<std::uint64_t>(told_.documents));
        }
        check_document(rows, row);
      }
      if (rows.size() < static_cast<std::size_t>(kPage)) return {};
    }
  }

  void check_document(const Rows& rows, std::size_t row) {
    const std::int64_t number = rows.number(row, 0);
    const std::string where = name_of_document(number);
    Account& account = documents_[number];
    ++counted_.documents;
    counted_.last_revision = std::max(counted_.last_revision, rows.number(row, 2));
    if (number >= told_.next_document) found(where, "its number was never given out");
    const Result<FeatureSequence> sequence = sequence_of(rows.bytes(row, 5), number);
    if (sequence.has_error()) {
      found(where, sequence.error().reason);
    } else {
      for (const FeatureCount& entry : count_features(sequence->hashes))
        account.add(entry.feature, entry.count);
    }
    const Result<DocumentRecord> record = record_of(rows.bytes(row, 3), number);
    if (record.has_error()) return found(where, record.error().reason);
    counted_.features += static_cast<std::int64_t>(record->all_features());
    counted_.text_bytes += static_cast<std::int64_t>(record->text_bytes);
    counted_.text_stored_bytes += static_cast<std::int64_t>(rows.bytes(row, 4).size());
    if (record->id != rows.bytes(row, 1)) found(where, "its id is not that of its record");
    if (record->revision != static_cast<std::uint64_t>(rows.number(row, 2))) {
      found(where, "its revision is not that of its record");
    }
    if (!sequence.has_error() && sequence->hashes.size() != record->all_features()) {
      found(where, "its record and its sequence tell different numbers of features");
    }
    if (store_text_) check_text(text_of(rows.bytes(row, 4), *record, number), *record, where);
  }

  void check_text(const Result<std::string>& text, const DocumentRecord& record, const std::string& where) {
    if (text.has_error()) return found(where, text.error().reason);
    if (validate_utf8(*text, where).has_error()) return found(where, "its text is not UTF-8");
    if (count_code_points(*text) != record.code_points) {
      found(where, "its text does not have as many code points as its record tells");
    }
  }

  Result<void> check_postings() {
    const PgListSource source(connection_, store_, static_cast<std::uint64_t>(told_.next_document),
                              std::nullopt);
    AKIN_TRY(const auto lists, source.lists());
    std::map<std::int64_t, Account> listed;
    for (;;) {
      AKIN_TRY(const bool there, lists->next());
      if (!there) break;
      for (std::size_t i = 0; i < lists->documents().size(); ++i) {
        const auto number = static_cast<std::int64_t>(static_cast<std::uint32_t>(lists->documents()[i]));
        ++counted_.postings;
        if (documents_.contains(number)) {
          listed[number].add(lists->feature(), lists->counts()[i]);
        } else {
          found(name_of(lists->feature()), name_of_document(number) + " is in its list and does not exist");
        }
      }
    }
    for (const auto& [number, account] : documents_) {
      const auto own = listed.find(number);
      if (account != (own == listed.end() ? Account() : own->second)) {
        found(name_of_document(number), "its sequence and its postings differ");
      }
    }
    return {};
  }

  void check_counters() {
    const auto check = [&](std::string_view name, std::int64_t told, std::int64_t counted) {
      if (told == counted) return;
      found("counters",
            std::string(name) + " is " + std::to_string(told) + ", counted are " + std::to_string(counted));
    };
    check("documents", told_.documents, counted_.documents);
    check("features", told_.features, counted_.features);
    check("postings", told_.postings, counted_.postings);
    check("text bytes", told_.text_bytes, counted_.text_bytes);
    check("stored text bytes", told_.text_stored_bytes, counted_.text_stored_bytes);
    if (counted_.last_revision > told_.last_revision) {
      found("counters", "a document has a later revision than the last one");
    }
  }

  Connection& connection_;
  StoreNumber store_;
  bool store_text_;
  const VerifyListener& listener_;
  std::uint64_t findings_ = 0;
  StoreCounters told_, counted_;
  std::map<std::int64_t, Account> documents_;  ///< what their sequences add up to
};

}  // namespace

Result<std::uint64_t> verify_store(Connection& connection, StoreNumber store, bool store_text,
                                   const VerifyListener& listener) {
  return Verification(connection, store, store_text, listener).run();
}

}  // namespace akin::pg
