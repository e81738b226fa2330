#include "server/audit/audit_log.h"

#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include "base/hex.h"
#include "base/sha256.h"
#include "base/time.h"
#include "server/audit/erasure.h"
#include "server/json/strict_json.h"
#include "server/state/copy_state.h"

namespace akin::audit {

namespace {

using json::Json;

constexpr auto kTable = state::Table::audit;
constexpr std::size_t kPage = 256;

struct Head {
  std::uint64_t number = 0;
  std::string hash;

  [[nodiscard]] std::string text() const { return std::to_string(number) + ' ' + hash; }
  [[nodiscard]] static std::optional<Head> read(std::string_view text) {
    Head head;
    const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), head.number);
    if (failure != std::errc() || stop == text.data() + text.size() || *stop != ' ') return std::nullopt;
    head.hash = text.substr(static_cast<std::size_t>(stop - text.data()) + 1);
    return head;
  }
};

Error damaged_head() {
  return Error{Errc::corrupt, "audit log", "the record of its last entry cannot be read",
               "restore the state from a backup; akin audit export saves what there is"};
}

std::string hash_field(const std::string& hash) { return ",\"hash\":\"" + hash + "\"}"; }

/// A line as it is stored, and its parts.
struct Line {
  std::uint64_t number = 0;
  std::string previous, hash;
  bool is_whole = false;   ///< its hash is that of its bytes
  bool is_erased = false;  ///< erasure.h
  Json vouches_for;        ///< [[number, hash]…]; null: nothing
};

Line read_line(const std::string& text) {
  Line line;
  const auto object = json::parse_json(text);
  if (object.has_error() || !object->is_object()) return line;
  const Json number = object->value("number", Json());
  const Json previous = object->value("previous", Json()), hash = object->value("hash", Json());
  if (!number.is_number_unsigned() || !previous.is_string() || !hash.is_string()) return line;
  line.number = number.get<std::uint64_t>();
  line.previous = previous.get<std::string>();
  line.hash = hash.get<std::string>();
  const std::string end = hash_field(line.hash);
  if (!text.ends_with(end)) return line;
  const Json details = object->value("details", Json::object());
  line.is_erased = details == Json{{"erased", true}};
  if (object->value("action", "") == kErasingAction) line.vouches_for = details.value("entries", Json());
  line.is_whole = sha256_hex(text.substr(0, text.size() - end.size()) + "}") == line.hash;
  return line;
}

/// Compares the entries one after the other with what must follow.
class Chain {
 public:
  void take(const state::Entry& entry) {
    const std::string name = "entry " + std::to_string(verified.entries + 1);
    const Line line = read_line(entry.value);
    ++verified.entries;
    if (line.is_whole && line.number > verified.entries && entry.key == hex16(line.number)) {
      problem(line.number == verified.entries + 1 ? name + " is missing"
                                                  : "entries " + std::to_string(verified.entries) + " to " +
                                                        std::to_string(line.number - 1) + " are missing");
      verified.entries = line.number;
    } else if (line.is_erased && entry.key == hex16(line.number) && line.number == verified.entries) {
      erased_.emplace(line.number, line.hash);
      if (line.previous != verified.head) problem(name + " does not follow the one before it");
    } else if (!line.is_whole || entry.key != hex16(verified.entries) || line.number != verified.entries) {
      problem(name + " was changed");
    } else if (line.previous != verified.head) {
      problem(name + " does not follow the one before it");
    }
    verified.head = line.hash;
    if (!line.is_whole || !line.vouches_for.is_array()) return;
    for (const Json& one : line.vouches_for) {
      const auto found = erased_.find(one.at(0).get<std::uint64_t>());
      if (found != erased_.end() && one.at(1) == Json(found->second)) erased_.erase(found);
    }
  }
  void finish(const std::optional<std::string>& stored) {
    for (const auto& [number, hash] : erased_) problem("entry " + std::to_string(number) + " was changed");
    const auto head = stored ? Head::read(*stored) : Head();
    if (!head) return problem("the record of the last entry was changed");
    if (head->number > verified.entries)
      return problem("entries " + std::to_string(verified.entries + 1) + " to " +
                     std::to_string(head->number) + " are missing");
    if (head->number != verified.entries || head->hash != verified.head)
      problem("the record of the last entry does not name the last entry");
  }

  Verified verified;

 private:
  std::map<std::uint64_t, std::string> erased_;  ///< those that no later entry has vouched for yet

  void problem(std::string text) {
    if (verified.problems.size() < kMostProblems) verified.problems.push_back(std::move(text));
  }
};

}  // namespace

Json actor_object(const state::Actor& actor) {
  if (!actor.is_known()) return nullptr;
  return {{"kind", actor.kind}, {"id", actor.id}, {"name", actor.name}};
}

Result<void> append(state::Writer& writer, const Event& event) {
  AKIN_TRY(const auto stored, writer.get(kTable, state::kAuditHead));
  auto head = stored ? Head::read(*stored) : Head();
  if (!head) return damaged_head();
  Json entry;
  entry["number"] = ++head->number;
  entry["time"] = format_time(time_now());
  entry["by"] = actor_object(event.by);
  entry["address"] = event.by.address;
  entry["action"] = event.action;
  entry["about"] = event.about;
  entry["details"] = event.details;
  entry["previous"] = head->hash;
  std::string line = entry.dump(-1, ' ', false, Json::error_handler_t::replace);
  head->hash = sha256_hex(line);
  line.pop_back();
  line += hash_field(head->hash);
  AKIN_CHECK(writer.put(kTable, hex16(head->number), line));
  return writer.put(kTable, state::kAuditHead, head->text());
}

Result<void> record(state::State& state, const Event& event) {
  return state.write([&](state::Writer& writer) { return append(writer, event); });
}

Result<void> record_failure(state::State& state, Event event, const Error& error) {
  event.details["failed"] = error_name(error.code);
  return record(state, event);
}

Result<void> record_and_do(state::State* state, const Event& event,
                           const std::function<Result<void>()>& act) {
  if (state == nullptr) return act();
  AKIN_CHECK(record(*state, event));
  Result<void> done = act();
  if (done.has_error()) AKIN_CHECK(record_failure(*state, event, done.error()));
  return done;
}

Result<std::vector<std::string>> lines(const state::State& state, std::uint64_t after, std::size_t limit) {
  AKIN_TRY(auto entries, state.list(kTable, "", after == 0 ? "" : hex16(after), limit));
  std::vector<std::string> found;
  for (state::Entry& entry : entries) {
    if (entry.key != state::kAuditHead) found.push_back(std::move(entry.value));
  }
  return found;
}

Result<std::vector<std::string>> newest_lines(const state::State& state, std::uint64_t before,
                                              std::size_t limit) {
  AKIN_TRY(auto entries, state.list_back(kTable, before == 0 ? state::kAuditHead : hex16(before), limit));
  std::vector<std::string> found;
  found.reserve(entries.size());
  for (state::Entry& entry : entries) found.push_back(std::move(entry.value));
  return found;
}

Result<Verified> verify(const state::State& state) {
  Chain chain;
  for (std::string after;;) {
    AKIN_TRY(const auto entries, state.list(kTable, "", after, kPage));
    for (const state::Entry& entry : entries) {
      if (entry.key != state::kAuditHead) chain.take(entry);
    }
    if (entries.size() < kPage) break;
    after = entries.back().key;
  }
  AKIN_TRY(const auto head, state.get(kTable, state::kAuditHead));
  chain.finish(head);
  return std::move(chain.verified);
}

}  // namespace akin::audit
