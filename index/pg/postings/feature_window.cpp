#include "index/pg/postings/feature_window.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "index/pg/postings/packed_rows.h"
#include "index/pg/postings/posting_rows.h"

namespace akin::pg {
namespace {

// Rows fetched together.
constexpr int kRecentAtOnce = 20'000, kPackedAtOnce = 2'000, kBlocksAtOnce = 200;

/// Calls visit(rows, row) for each row of a statement.
template <class Visit>
Result<void> for_each_row(Connection& connection, const std::string& select, int at_once,
                          const Visit& visit) {
  CursorRows rows(connection, select, at_once);
  for (;;) {
    AKIN_TRY(const bool there, rows.next());
    if (!there) return {};
    AKIN_CHECK(visit(rows.page(), rows.row()));
  }
}

}  // namespace

Result<FeatureWindow> FeatureWindow::read(Connection& connection, StoreNumber store, std::int64_t first,
                                          std::uint64_t postings) {
  FeatureWindow window;
  AKIN_CHECK(window.choose(connection, store, first, postings));
  AKIN_CHECK(window.gather(connection, store));
  return window;
}

/// Makes room for the documents' features.
Result<void> FeatureWindow::choose(Connection& connection, StoreNumber store, std::int64_t first,
                                   std::uint64_t postings) {
  const std::string from = std::to_string(first);
  CursorRows rows(connection,
                  of_store("SELECT doc, postings FROM akin.documents_@ WHERE id >= (SELECT id FROM"
                           " akin.documents_@ WHERE doc = " +
                               from + ") ORDER BY id",
                           store),
                  kRecentAtOnce);
  std::vector<std::int64_t> numbers;
  std::uint64_t all = 0;
  for (;;) {
    AKIN_TRY(const bool there, rows.next());
    if (!there) break;
    const auto own = static_cast<std::uint64_t>(rows.page().number(rows.row(), 1));
    all += own;
    if (all > postings && !numbers.empty()) break;
    numbers.push_back(rows.page().number(rows.row(), 0));
    features_[numbers.back()].reserve(static_cast<std::size_t>(std::min(own, postings)));
  }
  std::ranges::sort(numbers);
  numbers_ = DocumentSet(numbers);
  return {};
}

Result<void> FeatureWindow::gather(Connection& connection, StoreNumber store) {
  AKIN_CHECK(for_each_row(connection, of_store("SELECT key, doc FROM akin.postings_@", store), kRecentAtOnce,
                          [&](const Rows& rows, std::size_t row) -> Result<void> {
                            add(rows.number(row, 0), rows.number(row, 1));
                            return {};
                          }));
  AKIN_CHECK(for_each_row(connection, of_store("SELECT bucket, body FROM akin.packed_postings_@", store),
                          kPackedAtOnce, [&](const Rows& rows, std::size_t row) -> Result<void> {
                            const std::int64_t bucket = rows.number(row, 0);
                            const bool is_sound =
                                for_each_in_row(rows.bytes(row, 1), bucket,
                                                [&](auto key, auto document, auto) { add(key, document); });
                            return is_sound ? Result<void>() : damaged_postings("bucket", bucket);
                          }));
  return for_each_row(connection, of_store("SELECT key, body FROM akin.frequent_postings_@", store),
                      kBlocksAtOnce, [&](const Rows& rows, std::size_t row) -> Result<void> {
                        const std::int64_t key = rows.number(row, 0);
                        const bool is_sound = for_each_in_block(
                            rows.bytes(row, 1), key, [&](auto document, auto) { add(key, document); });
                        return is_sound ? Result<void>() : damaged_postings("block of key", key);
                      });
}

void FeatureWindow::add(std::int64_t key, std::int64_t document) {
  if (numbers_.contains(document)) features_.find(document)->second.push_back(feature_of(key));
}

std::optional<std::vector<Feature>> FeatureWindow::take(std::int64_t number) {
  auto found = features_.extract(number);
  return found ? std::optional(std::move(found.mapped())) : std::nullopt;
}

}  // namespace akin::pg
