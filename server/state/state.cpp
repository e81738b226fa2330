#include "server/state/state.h"

#include <array>

#include "index/files.h"
#include "index/lmdb.h"

namespace akin::state {

namespace {

constexpr std::size_t kMaxKeyBytes = 511;  // LMDB's
/// The tables' names on the disk, in the order of Table.
constexpr std::array<std::string_view, kTables> kNames = {"keys",        "tasks",   "policies",     "checks",
                                                          "check_texts", "watches", "cursors",      "events",
                                                          "gates",       "groups",  "group_members"};

std::size_t index_of(Table table) { return static_cast<std::size_t>(table); }

class LmdbWriter final : public Writer {
 public:
  LmdbWriter(lmdb::WriteTxn& txn, const std::vector<lmdb::Table>& tables) : txn_(txn), tables_(tables) {}

  Result<std::optional<std::string>> get(Table table, std::string_view key) const override {
    AKIN_TRY(const auto value, txn_.get(tables_[index_of(table)], key));
    return value ? std::optional(std::string(*value)) : std::nullopt;
  }

  Result<void> put(Table table, std::string_view key, std::string_view value) override {
    if (key.empty() || key.size() > kMaxKeyBytes) {
      return Error{Errc::invalid_argument, "name",
                   "it does not have 1 to " + std::to_string(kMaxKeyBytes) + " bytes", "choose another name"};
    }
    return txn_.put(tables_[index_of(table)], key, value);
  }

  Result<bool> erase(Table table, std::string_view key) override {
    return txn_.erase(tables_[index_of(table)], key);
  }

 private:
  lmdb::WriteTxn& txn_;
  const std::vector<lmdb::Table>& tables_;
};

class LmdbState final : public State {
 public:
  explicit LmdbState(lmdb::Env env) : env_(std::move(env)) {}

  Result<std::optional<std::string>> get(Table table, std::string_view key) const override {
    AKIN_TRY(const lmdb::ReadTxn txn, env_.read());
    AKIN_TRY(const auto value, txn.get(env_.tables()[index_of(table)], key));
    return value ? std::optional(std::string(*value)) : std::nullopt;
  }

  Result<std::vector<Entry>> list(Table table, std::string_view prefix, std::string_view after,
                                  std::size_t limit) const override {
    AKIN_TRY(const lmdb::ReadTxn txn, env_.read());
    AKIN_TRY(lmdb::Cursor cursor, txn.cursor(env_.tables()[index_of(table)]));
    const std::string_view from = std::max(prefix, after);
    AKIN_TRY(bool there, from.empty() ? cursor.first() : cursor.seek_at_least(from));
    std::vector<Entry> entries;
    while (there && entries.size() < limit && cursor.key().starts_with(prefix)) {
      if (cursor.key() > after) entries.push_back({std::string(cursor.key()), std::string(cursor.value())});
      AKIN_TRY(there, cursor.next());
    }
    return entries;
  }

  Result<std::uint64_t> count(Table table) const override {
    AKIN_TRY(const lmdb::ReadTxn txn, env_.read());
    return txn.entries(env_.tables()[index_of(table)]);
  }

  Result<void> copy(const std::function<Result<void>(std::string_view)>& take) const override {
    return env_.copy(take);
  }

  Result<void> write(const std::function<Result<void>(Writer&)>& body) override {
    return env_.write([&](lmdb::WriteTxn& txn) {
      LmdbWriter writer(txn, env_.tables());
      return body(writer);
    });
  }

 private:
  lmdb::Env env_;
};

}  // namespace

std::string pair_key(std::string_view first, std::string_view second) {
  std::string key(first);
  key += '\0';
  key += second;
  return key;
}

Result<std::shared_ptr<State>> State::open(const std::filesystem::path& data) {
  const std::filesystem::path folder = data / "state";
  std::error_code failure;
  std::filesystem::create_directories(data, failure);
  if (failure) return system_error(failure.value(), "data folder '" + data.string() + "'", "make the folder");
  AKIN_CHECK(make_folder(folder));
  std::vector<lmdb::TableSpec> specs;
  specs.reserve(kNames.size());
  for (const std::string_view name : kNames) specs.push_back({name});
  lmdb::Options options;
  options.map_bytes = std::size_t{1} << 30;
  AKIN_TRY(lmdb::Env env, lmdb::Env::open(folder, specs, options, true));
  return std::shared_ptr<State>(std::make_shared<LmdbState>(std::move(env)));
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

}  // namespace akin::state
