// What a search asks, over the API or on the command line.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.h"
#include "index/store/store.h"
#include "server/api/parameters.h"
#include "server/search/tier_options.h"

namespace akin::api {

/// Where the passages of an answer come from.
enum class Evidence {
  automatic,  ///< aligned in a search that alignment verifies, else features
  none,
  features,  ///< runs of shared features
  aligned,   ///< alignment of the texts; needs stored texts
};

/// The passages that `include` names. Error: invalid_argument (features and aligned ones).
[[nodiscard]] Result<Evidence> evidence_of(const Parameters& parameters);

/// A text or a stored document, which documents are similar to it, and what is reported of them. docs/api.md
/// has the defaults of what is absent.
struct Question {
  std::optional<std::string_view> text;    ///< what it is a view of must outlive the search
  std::optional<Sha256> file_sha256 = {};  ///< of the file that the text was read from
  std::string id;                          ///< without a text: of the stored document, which is not a result
  std::string collection;                  ///< that document's; empty if only one is searched

  std::vector<TierChoice> tiers;
  std::optional<std::uint64_t> bound;
  std::optional<double> min_containment;
  /// The fewest words of a passage, kLeastPassageWords to kMostPassageWords.
  std::optional<std::uint64_t> min_words = {};
  bool best_only = false;
  std::optional<std::uint64_t> common_limit = {};  ///< at least 1
  decltype(SearchRequest::accept) accept = {};

  std::uint64_t limit = 10;
  std::uint64_t offset = 0;
  Evidence evidence = Evidence::automatic;
  bool ids_only = false;      ///< of a result only id, x and tier
  bool record = false;        ///< the whole record of each result, too
  bool passage_text = false;  ///< the texts of passages, too
  /// Whether the text of a document is not shown, as run/shown_texts.h has it; null: all are.
  std::function<Result<bool>(std::string_view collection, const DocumentRecord& document)> hides_text = {};
};

/// The question that the parameters of findSimilar ask, without what is searched for. Errors: as parse_tiers
/// and Filter::parse and evidence_of; invalid_argument (no cursor).
[[nodiscard]] Result<Question> question_of(const Parameters& parameters);

}  // namespace akin::api
