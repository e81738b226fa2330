// Passes files through a collection's gate, one document after another in the order of the files.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cli/frame/workspace.h"
#include "server/gate/gates.h"
#include "server/ingest/document_batches.h"
#include "server/ingest/load_files.h"
#include "server/json/json.h"

namespace akin::cli {

/// A document that was not simply admitted, and the decision, as POST …/admissions returns it.
struct DecidedDocument {
  std::string name;  ///< file, and page of a dump
  json::Json outcome;
};

/// What a gate decided about many documents.
struct AdmissionTally {
  std::uint64_t admitted = 0, grouped = 0;  ///< stored now
  std::uint64_t repeated = 0;               ///< already stored, with the same texts
  std::uint64_t replaced = 0;               ///< stored documents that survivors replaced
  std::array<std::uint64_t, gate::kAllReasons.size()> refused{};  ///< by gate::Reason
  std::vector<DecidedDocument> decided;                           ///< filled if requested

  [[nodiscard]] std::uint64_t all_refused() const noexcept;
};

struct AdmissionRequest {
  gate::Gates* gates = nullptr;
  const std::vector<ingest::InputFile>* files = nullptr;  ///< those of `batches`
  ingest::DocumentBatches* batches = nullptr;
  const std::atomic<bool>* stop = nullptr;  ///< once true: the current batch is finished, no other is started
  bool list = false;                        ///< fill AdmissionTally::decided
  std::function<void(std::uint64_t documents_done)> progress;
};

/// Admits the documents of the batches; texts are analysed ahead, on all cores. `load` receives what was
/// stored, and the documents with errors of their own, for instance an id that is already stored with another
/// text; these do not stop the others.
[[nodiscard]] Result<void> admit_files(Collection& collection, const AdmissionRequest& request,
                                       AdmissionTally& tally, ingest::LoadResult& load);

}  // namespace akin::cli
