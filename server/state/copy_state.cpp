#include "server/state/copy_state.h"

namespace akin::state {

namespace {

constexpr std::size_t kAtOnce = 500;

Result<std::uint64_t> copy_table(Table table, const State& from, State& to) {
  std::uint64_t copied = 0;
  for (std::string after;;) {
    AKIN_TRY(const auto entries, from.list(table, "", after, kAtOnce));
    if (entries.empty()) return copied;
    const auto written = to.write([&](Writer& writer) -> Result<void> {
      for (const Entry& entry : entries) AKIN_CHECK(writer.put(table, entry.key, entry.value));
      return {};
    });
    AKIN_CHECK(written);
    copied += entries.size();
    after = entries.back().key;
  }
}

}  // namespace

Result<std::uint64_t> copy_state(const State& from, State& to) {
  for (std::size_t table = 0; table < kTables; ++table) {
    AKIN_TRY(const std::uint64_t there, to.count(static_cast<Table>(table)));
    if (there == 0) continue;
    return Error{Errc::already_exists, "server's state", "there is one already where it is to be copied to",
                 "copy into a database or data folder without one"};
  }
  std::uint64_t copied = 0;
  for (std::size_t table = 0; table < kTables; ++table) {
    AKIN_TRY(const std::uint64_t of_table, copy_table(static_cast<Table>(table), from, to));
    copied += of_table;
  }
  return copied;
}

}  // namespace akin::state
