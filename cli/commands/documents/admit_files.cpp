#include "cli/commands/documents/admit_files.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "base/parallel.h"
#include "server/api/write/gate_objects.h"

namespace akin::cli {

namespace {

/// Text that is analysed ahead of the admissions.
constexpr std::uint64_t kBatchBytes = std::uint64_t{8} << 20;

/// Documents that are admitted while other processes' admissions wait.
constexpr std::size_t kTogether = 256;

/// Whether the failure lies in one document, so that the others can still be admitted.
bool concerns_document(Errc code) {
  return code == Errc::invalid_argument || code == Errc::invalid_utf8 || code == Errc::too_large ||
         code == Errc::already_exists || code == Errc::type_unsupported;
}

class Admissions {
 public:
  Admissions(Collection& collection, const AdmissionRequest& request, AdmissionTally& tally,
             ingest::LoadResult& load)
      : collection_(collection), request_(request), tally_(tally), load_(load) {}

  Result<void> run() {
    for (;;) {
      AKIN_TRY(const std::vector<OwnedDocument> batch, request_.batches->next(kBatchBytes));
      if (batch.empty()) return {};
      std::vector<Result<FeatureSequence>> features(batch.size(), FeatureSequence());
      for_each_index(batch.size(), [&](std::size_t i) { features[i] = collection_.analyze(batch[i].text); });
      for (std::size_t i = 0; i < batch.size(); i += kTogether) {
        if (request_.stop != nullptr && request_.stop->load()) {
          load_.interrupted = true;
          return {};
        }
        const std::size_t count = std::min(batch.size() - i, kTogether);
        AKIN_CHECK(admit(std::span(batch).subspan(i, count), std::span(features).subspan(i, count)));
        if (request_.progress) request_.progress(done_ += count);
      }
    }
  }

 private:
  Result<void> admit(std::span<const OwnedDocument> documents,
                     std::span<const Result<FeatureSequence>> features) {
    std::vector<gate::Submission> submissions;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < documents.size(); ++i) {
      if (features[i].has_error()) {
        AKIN_CHECK(refuse(documents[i], features[i].error()));
        continue;
      }
      submissions.push_back({view_of(documents[i]), &*features[i]});
      places.push_back(i);
    }
    AKIN_TRY(const auto outcomes, request_.gates->admit_all(collection_, submissions));
    std::vector<api::Json> refusals;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const OwnedDocument& document = documents[places[i]];
      if (outcomes[i].has_error()) {
        AKIN_CHECK(refuse(document, outcomes[i].error()));
      } else {
        count(document, *outcomes[i]);
        if (outcomes[i]->decision == gate::Decision::refused)
          refusals.push_back(api::admission_object(document.id, *outcomes[i]));
      }
    }
    return request_.gates->refusals().keep(collection_.name(), refusals);
  }

  /// An error of one document is recorded; any other error ends the job.
  Result<void> refuse(const OwnedDocument& document, Error error) {
    if (!concerns_document(error.code)) return error;
    error.what = ingest::document_name(*request_.files, document);
    load_.refused.push_back(std::move(error));
    return {};
  }

  void count(const OwnedDocument& document, const gate::Admission& outcome) {
    if (outcome.repeated) {
      ++tally_.repeated;
    } else if (outcome.decision == gate::Decision::refused) {
      ++tally_.refused[static_cast<std::size_t>(*outcome.reason)];
    } else {
      ++(outcome.decision == gate::Decision::grouped ? tally_.grouped : tally_.admitted);
      tally_.replaced += outcome.replaced.size();
      ++load_.stored;
      load_.bytes += document.text.size();
    }
    if (!request_.list || !outcome.reason || outcome.repeated) return;
    tally_.decided.push_back(
        {ingest::document_name(*request_.files, document), api::admission_object(document.id, outcome)});
  }

  Collection& collection_;
  const AdmissionRequest& request_;
  AdmissionTally& tally_;
  ingest::LoadResult& load_;
  std::uint64_t done_ = 0;
};

}  // namespace

std::uint64_t AdmissionTally::all_refused() const noexcept {
  return std::accumulate(refused.begin(), refused.end(), std::uint64_t{0});
}

Result<void> admit_files(Collection& collection, const AdmissionRequest& request, AdmissionTally& tally,
                         ingest::LoadResult& load) {
  AKIN_CHECK(Admissions(collection, request, tally, load).run());
  return load.stored > 0 ? collection.flush_and_merge() : Result<void>();
}

}  // namespace akin::cli
