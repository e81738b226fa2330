#include "index/pairs/text_copies.h"

#include <map>
#include <utility>

#include "base/sha256.h"

namespace akin {

Result<void> for_each_document(const Snapshot& snapshot,
                               const std::function<Result<void>(const StoredDocument&)>& see) {
  constexpr std::size_t kPage = 256;
  std::string after;
  for (;;) {
    AKIN_TRY(const std::vector<StoredDocument> page, snapshot.list(after, kPage));
    if (page.empty()) return {};
    for (const StoredDocument& document : page) AKIN_CHECK(see(document));
    after = page.back().id;
  }
}

Result<TextCopies> TextCopies::find(const Snapshot& snapshot, const std::vector<bool>* only) {
  TextCopies found;
  std::map<Sha256, std::pair<std::string, std::string>> two;  // of each text the first documents
  AKIN_CHECK(for_each_document(snapshot, [&](const StoredDocument& document) -> Result<void> {
    AKIN_TRY(const std::uint64_t number, snapshot.number_in_pairs(document));
    if (only != nullptr && (number >= only->size() || !(*only)[number])) return {};
    if (document.text_sha256) {
      auto& [first, second] = two[*document.text_sha256];
      if (!second.empty()) {
        found.copies_.push_back({first, second, document.id});
        return {};
      }
      (first.empty() ? first : second) = document.id;
    }
    if (found.others_.size() <= number) found.others_.resize(number + 1);
    found.others_[number] = true;
    return {};
  }));
  return found;
}

void TextCopies::join(NamedGroups& groups) const {
  for (const Copy& copy : copies_)
    if (groups.are_joined(copy.first, copy.second)) groups.join(copy.second, copy.id);
}

}  // namespace akin
