#include "index/pg/following.h"

#include <memory>
#include <string>
#include <vector>

namespace akin::pg {
namespace {

constexpr std::size_t kStep = 512;

}  // namespace

Result<std::uint64_t> Following::round() {
  AKIN_TRY(const std::unique_ptr<Snapshot> view, from_.snapshot());
  std::uint64_t followed = 0;
  for (;;) {
    AKIN_CHECK(transfer_.check_stop());
    AKIN_TRY(const std::vector<DocumentRecord> changed, view->changes(seen_, kStep));
    if (changed.empty()) break;
    std::vector<std::string> ids;
    ids.reserve(changed.size());
    for (const DocumentRecord& record : changed) ids.push_back(record.id);
    AKIN_CHECK(transfer_.follow(*view, ids, to_));
    seen_ = changed.back().revision;
    followed += changed.size();
  }
  AKIN_TRY(const std::uint64_t removed, follow_removals());
  return followed + removed;
}

Result<std::uint64_t> Following::follow_removals() {
  AKIN_TRY(const Pool::Lease connection, pool_.lease());
  const std::string from = of_store("akin.documents_@", from_.number());
  const std::string to = of_store("akin.documents_@", to_.number());
  AKIN_TRY(const Rows rows, connection->run("SELECT id FROM " + to + " t WHERE NOT EXISTS (SELECT FROM " +
                                            from + " f WHERE f.id = t.id)"));
  std::vector<std::string> ids;
  for (std::size_t row = 0; row < rows.size(); ++row) ids.emplace_back(rows.bytes(row, 0));
  return to_.remove(ids);
}

}  // namespace akin::pg
