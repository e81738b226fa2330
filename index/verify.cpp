#include "index/verify.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/hash.h"
#include "base/utf8.h"
#include "index/feature_counts.h"
#include "index/postings.h"

namespace akin {

namespace {

/// A document's postings in one number each way of looking at them; order does not matter. Equal digests of
/// the sequence and of the posting lists mean equal postings, up to a chance of 2^-64.
struct Digest {
  std::uint64_t postings = 0;
  std::uint64_t sum = 0;
  void add(Feature feature, std::uint32_t count) noexcept {
    ++postings;
    sum += mix64(mix64(static_cast<std::uint64_t>(feature)) + count);
  }
  friend bool operator==(const Digest&, const Digest&) = default;
};

/// A stored document as its sequence tells it, and as the posting lists do.
struct Account {
  DocNumber number{};
  Digest sequence, listed;
};

/// How many documents' postings are told one by one; beyond that only the document is named.
constexpr std::size_t kMaxCompared = 100;

class Verification {
 public:
  Verification(Reading reading, const std::function<void(const Finding&)>& report,
               const std::function<void(std::uint64_t, std::uint64_t)>& progress)
      : reading_(reading), report_(report), progress_(progress) {}

  Result<std::uint64_t> run() {
    read_stored_counters();
    AKIN_CHECK(check_documents());
    AKIN_CHECK(check_ids());
    AKIN_CHECK(check_values_have_documents(reading_.tables.texts, "text"));
    AKIN_CHECK(check_values_have_documents(reading_.tables.sequences, "feature sequence"));
    AKIN_CHECK(check_postings());
    check_counters();
    return findings_;
  }

 private:
  void found(std::string where, std::string broken) {
    ++findings_;
    if (report_) report_({std::move(where), std::move(broken)});
  }
  void found(const Error& error) { found(error.what, error.reason); }

  void read_stored_counters() {
    Result<Counters> counters = read_counters(reading_.txn, reading_.tables);
    if (counters.has_error()) {
      found(counters.error());
    } else {
      stored_ = *counters;
    }
  }

  /// Null if there is no record with this number.
  Account* account(DocNumber number) noexcept {
    const auto at =
        std::lower_bound(documents_.begin(), documents_.end(), number,
                         [](const Account& entry, DocNumber wanted) { return entry.number < wanted; });
    return at == documents_.end() || at->number != number ? nullptr : &*at;
  }

  Result<void> check_documents() {
    AKIN_TRY(const std::uint64_t total, reading_.txn.entries(reading_.tables.records));
    AKIN_TRY(lmdb::Cursor cursor, reading_.txn.cursor(reading_.tables.records));
    for (std::uint64_t done = 0;; ++done) {
      if (progress_) progress_(done, total);
      AKIN_TRY(const bool there, cursor.next());
      if (!there) return {};
      const std::optional<DocNumber> number = decode_document_key(cursor.key());
      if (!number) {
        found("records", "a key does not have 4 bytes");
        continue;
      }
      documents_.push_back({*number, {}, {}});  // keys ascend
      AKIN_CHECK(check_document(*number));
    }
  }

  Result<void> check_document(DocNumber number) {
    if (stored_ && static_cast<std::uint32_t>(number) >= stored_->next_document) {
      found(name_of(number), "its number was never given out");
    }
    ++counted_.documents;
    Result<DocumentRecord> record = read_record(reading_, number);
    if (record.has_error()) {
      found(record.error());
    } else {
      counted_.features += record->features;
      counted_.text_bytes += record->text_bytes;
      AKIN_TRY(const std::optional<std::string_view> known,
               reading_.txn.get(reading_.tables.ids, record->id));
      if (!known || decode_document_number(*known) != number) {
        found(name_of(number), "its id '" + record->id + "' does not lead back to it");
      }
      check_text(number, *record);
    }
    check_sequence(number, record.has_error() ? nullptr : &*record);
    Result<std::uint64_t> stored_bytes = read_stored_text_bytes(reading_, number);
    if (!stored_bytes.has_error()) counted_.text_stored_bytes += *stored_bytes;
    return {};
  }

  void check_text(DocNumber number, const DocumentRecord& record) {
    Result<std::string> text = read_text(reading_, number, record);
    if (text.has_error()) return found(text.error());
    Result<void> valid = validate_utf8(*text, name_of(number));
    if (valid.has_error()) return found(name_of(number), "its text is " + valid.error().reason);
    if (count_code_points(*text) != record.code_points) {
      found(name_of(number), "its text does not have as many code points as its record tells");
    }
  }

  void check_sequence(DocNumber number, const DocumentRecord* record) {
    Result<FeatureSequence> sequence = read_sequence(reading_, number);
    if (sequence.has_error()) return found(sequence.error());
    for (const FeatureCount& entry : count_features(sequence->hashes)) {
      documents_.back().sequence.add(entry.feature, entry.count);
    }
    if (record == nullptr) return;
    if (sequence->hashes.size() != record->features) {
      found(name_of(number), "its record and its sequence tell different numbers of features");
    }
    if (sequence->sentences != record->sentences) {
      found(name_of(number), "its record and its sequence tell different numbers of sentences");
    }
    if (sequence->code_points != record->code_points) {
      found(name_of(number), "its record and its sequence tell different numbers of code points");
    }
    const auto outside = [&](TextRange range) { return range.end > record->code_points; };
    if (std::any_of(sequence->ranges.begin(), sequence->ranges.end(), outside)) {
      found(name_of(number), "a feature's range lies outside the text");
    }
  }

  Result<void> check_ids() {
    AKIN_TRY(lmdb::Cursor cursor, reading_.txn.cursor(reading_.tables.ids));
    for (;;) {
      AKIN_TRY(const bool there, cursor.next());
      if (!there) return {};
      const std::string where = "id '" + std::string(cursor.key()) + "'";
      const std::optional<DocNumber> number = decode_document_number(cursor.value());
      if (!number) {
        found(where, "its document number does not have 4 bytes");
      } else if (account(*number) == nullptr) {
        found(where, "there is no " + name_of(*number));
      } else if (Result<DocumentRecord> record = read_record(reading_, *number);
                 !record.has_error() && record->id != cursor.key()) {
        found(where, name_of(*number) + " has another id");
      }
    }
  }

  Result<void> check_values_have_documents(lmdb::Table table, std::string_view what) {
    AKIN_TRY(lmdb::Cursor cursor, reading_.txn.cursor(table));
    for (;;) {
      AKIN_TRY(const bool there, cursor.next());
      if (!there) return {};
      const std::optional<DocNumber> number = decode_document_key(cursor.key());
      if (!number) {
        found(std::string(what), "a key does not have 4 bytes");
      } else if (account(*number) == nullptr) {
        found(name_of(*number), "there is a " + std::string(what) + " without a record");
      }
    }
  }

  Result<void> check_postings() {
    Posting last{};
    const auto visit = [&](const Posting& posting) {
      if (counted_.postings == 0 || posting.feature != last.feature) {
        ++counted_.distinct_features;
      } else if (posting.document <= last.document) {
        found(name_of(posting.feature), name_of(posting.document) + " stands in its list twice");
      }
      ++counted_.postings;
      last = posting;
      if (posting.count == 0) found(name_of(posting.feature), name_of(posting.document) + " has the count 0");
      if (Account* const document = account(posting.document); document != nullptr) {
        document->listed.add(posting.feature, posting.count);
      } else {
        found(name_of(posting.feature), name_of(posting.document) + " is in its list and does not exist");
      }
    };
    const auto damaged = [&](std::string where, std::string broken) {
      found(std::move(where), std::move(broken));
    };
    AKIN_CHECK(for_each_posting(reading_.txn, reading_.tables, visit, damaged));

    std::set<DocNumber> differing;
    for (const Account& document : documents_) {
      if (document.listed == document.sequence) continue;
      if (differing.size() < kMaxCompared) {
        differing.insert(document.number);
      } else {
        found(name_of(document.number), "its sequence and its postings differ");
      }
    }
    return differing.empty() ? Result<void>() : compare_postings(differing);
  }

  /// Names what is missing, left over or counted wrongly in the lists of these documents.
  Result<void> compare_postings(const std::set<DocNumber>& documents) {
    std::map<DocNumber, std::map<Feature, std::uint32_t>> listed;
    const auto visit = [&](const Posting& posting) {
      if (documents.contains(posting.document)) listed[posting.document][posting.feature] = posting.count;
    };
    AKIN_CHECK(for_each_posting(reading_.txn, reading_.tables, visit,
                                [](const std::string&, const std::string&) {}));
    for (DocNumber number : documents) {
      Result<FeatureSequence> sequence = read_sequence(reading_, number);
      if (sequence.has_error()) continue;  // told before; nothing to compare with
      std::map<Feature, std::uint32_t>& postings = listed[number];
      for (const FeatureCount& entry : count_features(sequence->hashes)) {
        const auto posting = postings.find(entry.feature);
        if (posting == postings.end()) {
          found(name_of(entry.feature), "the posting of " + name_of(number) + " is missing");
          continue;
        }
        if (posting->second != entry.count) {
          found(name_of(entry.feature), "the posting of " + name_of(number) + " counts " +
                                            std::to_string(posting->second) + ", its sequence " +
                                            std::to_string(entry.count));
        }
        postings.erase(posting);
      }
      for (const auto& [feature, count] : postings) {
        found(name_of(feature),
              "there is a posting of " + name_of(number) + ", whose sequence lacks the feature");
      }
    }
    return {};
  }

  void check_counters() {
    if (!stored_) return;
    const auto check = [&](std::string_view name, std::uint64_t stored, std::uint64_t counted) {
      if (stored == counted) return;
      found("meta 'counters'",
            std::string(name) + " is " + std::to_string(stored) + ", counted are " + std::to_string(counted));
    };
    check("documents", stored_->documents, counted_.documents);
    check("features", stored_->features, counted_.features);
    check("distinct features", stored_->distinct_features, counted_.distinct_features);
    check("postings", stored_->postings, counted_.postings);
    check("text bytes", stored_->text_bytes, counted_.text_bytes);
    check("stored text bytes", stored_->text_stored_bytes, counted_.text_stored_bytes);
  }

  Reading reading_;
  const std::function<void(const Finding&)>& report_;
  const std::function<void(std::uint64_t, std::uint64_t)>& progress_;
  std::uint64_t findings_ = 0;
  std::optional<Counters> stored_;
  Counters counted_;
  std::vector<Account> documents_;  ///< numbers ascending
};

}  // namespace

Result<std::uint64_t> verify_store(Reading reading, const std::function<void(const Finding&)>& report,
                                   const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  return Verification(reading, report, progress).run();
}

}  // namespace akin
