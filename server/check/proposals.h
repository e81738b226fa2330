// Passages that so many documents of a collection have that they may be templates; a person accepts them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/text_range.h"
#include "index/collection/catalog.h"
#include "server/check/policy.h"

namespace akin::check {

/// A passage, as the document has it that was stored first.
struct ProposedTemplate {
  std::uint64_t documents = 0;  ///< that have all of its features, but for those at its ends
  std::uint64_t words = 0;
  std::string id;   ///< of the document
  TextRange range;  ///< of its text
  std::string text;
};

struct ProposalRequest {
  std::uint64_t more_than = 0;          ///< documents
  std::uint64_t least_words = 12;       ///< of a passage
  std::size_t limit = 100;              ///< of the proposals
  std::vector<std::string> accepted{};  ///< texts of templates, whose passages are not proposed
  /// Whether the text of a document may be shown; nothing is proposed from another. Null: all may.
  std::function<Result<bool>(const DocumentRecord& document)> may_show = nullptr;
};

/// How many features are looked at, those that most documents have.
inline constexpr std::size_t kProposedFeatures = 10'000;

/// The passages that more documents have, as far as they consist of the kProposedFeatures most frequent
/// features of the tier of seeds (else of the first tier): those of most documents first, then the longest.
/// No two of them share a feature. Reads all postings once, then the documents that have some of these
/// features first. Errors: unsupported (the collection keeps no texts; as Snapshot::most_common), those of
/// stopped work.
[[nodiscard]] Result<std::vector<ProposedTemplate>> propose_templates(const Collection& collection,
                                                                      const ProposalRequest& request);

/// The texts of a policy's templates. Errors: not_found, unsupported (of a stored document).
[[nodiscard]] Result<std::vector<std::string>> template_texts(Catalog& catalog, const Policy& policy);

/// Adds a text to the templates. Errors: invalid_argument, too_large (the limits of templates).
[[nodiscard]] Result<Policy> with_template(const Policy& policy, std::string text);

}  // namespace akin::check
