#include "server/state/state.h"

namespace akin::state {

namespace {

constexpr std::size_t kMaxKeyBytes = 511;  // LMDB's

}  // namespace

std::string pair_key(std::string_view first, std::string_view second) {
  std::string key(first);
  key += '\0';
  key += second;
  return key;
}

Result<void> check_key(std::string_view key) {
  if (!key.empty() && key.size() <= kMaxKeyBytes) return {};
  return Error{Errc::invalid_argument, "name",
               "it does not have 1 to " + std::to_string(kMaxKeyBytes) + " bytes", "choose another name"};
}

Result<void> State::put(Table table, std::string_view key, std::string_view value) {
  return write([&](Writer& writer) { return writer.put(table, key, value); });
}

Result<bool> State::erase(Table table, std::string_view key) {
  bool erased = false;
  AKIN_CHECK(write([&](Writer& writer) -> Result<void> {
    AKIN_TRY(erased, writer.erase(table, key));
    return {};
  }));
  return erased;
}

Result<void> remove_for_room(State* state, const std::function<Result<void>()>& removal) {
  Result<void> removed = removal();
  const bool is_full = removed.has_error() && removed.error().code == Errc::disk_full;
  return is_full && state != nullptr && state->give_up_reserve() ? removal() : removed;
}

}  // namespace akin::state
