#include "server/state/copy_state.h"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/state/clock_keys.h"

namespace akin::state {
namespace {

constexpr std::size_t kPage = 256;

struct NamedTable {
  Table table;
  const char* name;  ///< of one entry, for errors
};

constexpr std::array<NamedTable, 25> kCopied{{{Table::keys, "access key"},
                                              {Table::persons, "person"},
                                              {Table::policies, "policy"},
                                              {Table::kept_bytes, "bytes of checks"},
                                              {Table::kept_sizes, "size of the bytes"},
                                              {Table::kept_uses, "use of bytes by a check"},
                                              {Table::check_tasks, "check that was handed in"},
                                              {Table::certificate_keys, "certificate key"},
                                              {Table::checks, "check"},
                                              {Table::check_texts, "text of the check"},
                                              {Table::expiries, "expiry of a check"},
                                              {Table::decisions, "decision of a check"},
                                              {Table::check_links, "links to a check"},
                                              {Table::restrictions, "restriction of"},
                                              {Table::standing, "standing check"},
                                              {Table::watches, "watch"},
                                              {Table::cursors, "place of the watches of"},
                                              {Table::events, "event"},
                                              {Table::gates, "gate of"},
                                              {Table::groups, "group"},
                                              {Table::group_members, "group's member"},
                                              {Table::refusals, "refusal"},
                                              {Table::labels, "labels of"},
                                              {Table::models, "model"},
                                              {Table::audit, "entry of the audit log"}}};

Result<void> write_entries(State& to, Table table, const std::vector<Entry>& entries) {
  if (entries.empty()) return {};
  return to.write([&](Writer& writer) -> Result<void> {
    for (const Entry& entry : entries) AKIN_CHECK(writer.put(table, entry.key, entry.value));
    return {};
  });
}

/// Whether all entries of the target's audit log are in that of the source, which has grown since a copy.
Result<bool> continues(const State& from, const State& to) {
  std::string after;
  for (;;) {
    AKIN_TRY(const std::vector<Entry> page, to.list(Table::audit, "", after, kPage));
    if (page.empty()) return true;
    after = page.back().key;
    for (const Entry& entry : page) {
      if (entry.key == kAuditHead) continue;
      AKIN_TRY(const std::optional<std::string> there, from.get(Table::audit, entry.key));
      if (there != entry.value) return false;
    }
  }
}

/// The entries of a page that the target does not have; an error if it has one with another value, but for
/// the head of a log that continues.
Result<std::vector<Entry>> missing(const State& from, const State& to, const NamedTable& table,
                                   std::vector<Entry> page, Errc otherwise) {
  std::vector<Entry> wanted;
  for (Entry& entry : page) {
    AKIN_TRY(const std::optional<std::string> there, to.get(table.table, entry.key));
    if (there == entry.value) continue;
    bool is_wanted = !there;
    if (there && table.table == Table::audit && entry.key == kAuditHead) {
      AKIN_TRY(is_wanted, continues(from, to));
    }
    if (is_wanted) {
      wanted.push_back(std::move(entry));
      continue;
    }
    return Error{otherwise, "state", "there is another " + std::string(table.name) + " '" + entry.key + "'",
                 "copy only the collections, by their names, or copy to a place without a state"};
  }
  return wanted;
}

/// Whether a place has an audit log of its own, which a copy does not mix with another.
Result<bool> keeps_own_log(const State& from, const State& to) {
  AKIN_TRY(const auto first, from.list(Table::audit, "", "", 1));
  AKIN_TRY(const auto there, to.list(Table::audit, "", "", 1));
  return !there.empty() && (first.empty() || first.front().value != there.front().value);
}

/// Calls visit(table, entries of the source that the target does not have, size of the page) for every page.
template <class Visit>
Result<void> compare(const State& from, const State& to, Errc otherwise, const Visit& visit) {
  AKIN_TRY(const bool own_log, keeps_own_log(from, to));
  for (const NamedTable& table : kCopied) {
    if (table.table == Table::audit && own_log) continue;
    std::string after;
    for (;;) {
      AKIN_TRY(std::vector<Entry> page, from.list(table.table, "", after, kPage));
      if (page.empty()) break;
      after = page.back().key;
      const std::size_t size = page.size();
      AKIN_TRY(const std::vector<Entry> wanted, missing(from, to, table, std::move(page), otherwise));
      AKIN_CHECK(visit(table.table, wanted, size));
    }
  }
  return {};
}

}  // namespace

Result<StateCopy> copy_state(const State& from, State& to) {
  const auto nothing = [](Table, const std::vector<Entry>&, std::size_t) { return Result<void>(); };
  AKIN_CHECK(compare(from, to, Errc::already_exists, nothing));
  AKIN_TRY([[maybe_unused]] const bool was_summed, to.erase(Table::clock, kKeptSpace));
  StateCopy copy;
  AKIN_CHECK(compare(from, to, Errc::already_exists,
                     [&](Table table, const std::vector<Entry>& wanted, std::size_t size) -> Result<void> {
                       copy.copied += wanted.size();
                       copy.kept += size - wanted.size();
                       return write_entries(to, table, wanted);
                     }));
  AKIN_CHECK(compare(from, to, Errc::mismatch,
                     [](Table, const std::vector<Entry>& wanted, std::size_t) -> Result<void> {
                       if (wanted.empty()) return {};
                       return Error{Errc::mismatch, "state", "it was written to while it was copied",
                                    "stop the servers and copy again"};
                     }));
  // A server on the target may have summed what was there before.
  AKIN_TRY([[maybe_unused]] const bool was_summed_again, to.erase(Table::clock, kKeptSpace));
  return copy;
}

}  // namespace akin::state
