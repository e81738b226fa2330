#include "server/run/dictionary_watch.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "base/exceptions.h"
#include "server/json/quoted.h"

namespace akin::api {

namespace {

/// Collections named in one line of the log.
constexpr std::size_t kMostNamed = 10;
constexpr MinuteOfDay kMinutesPerHour = 60;

std::optional<int> two_digits(std::string_view text, int most) {
  int number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end != text.data() + text.size() || text.size() != 2) return std::nullopt;
  return number >= 0 && number <= most ? std::optional(number) : std::nullopt;
}

std::string named(const std::vector<std::string>& collections) {
  std::string names;
  for (std::size_t i = 0; i < std::min(collections.size(), kMostNamed); ++i)
    names += (i == 0 ? "" : ", ") + json::in_quotes(collections[i]);
  if (collections.size() > kMostNamed)
    names += " and " + std::to_string(collections.size() - kMostNamed) + " more";
  return names;
}

bool is_waiting(const std::vector<tasks::TaskInfo>& tasks, const std::string& collection) {
  return std::ranges::any_of(tasks, [&](const tasks::TaskInfo& task) {
    return task.type == "reindex" && task.collection == collection && !task.ended();
  });
}

}  // namespace

std::tm local_time() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  return local;
}

Result<MinuteOfDay> parse_minute_of_day(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon != std::string_view::npos) {
    const auto hour = two_digits(text.substr(0, colon), 23);
    const auto minute = two_digits(text.substr(colon + 1), 59);
    if (hour && minute) return *hour * kMinutesPerHour + *minute;
  }
  return Error{Errc::invalid_argument, "time " + json::in_quotes(text), "it is not a time of day",
               "give hours and minutes, as in 03:30"};
}

bool DailyTime::comes(const std::tm& now) {
  const bool is_later = now.tm_hour * kMinutesPerHour + now.tm_min >= minute_;
  const bool was_first = std::exchange(is_first_, false);
  if (!is_later || (year_ == now.tm_year && day_ == now.tm_yday + 1)) return false;
  year_ = now.tm_year;
  day_ = now.tm_yday + 1;
  return !was_first;
}

DictionaryWatch::DictionaryWatch(const Service& service, Options options)
    : service_(service),
      options_(std::move(options)),
      daily_(options_.reindex_at ? std::optional<DailyTime>(*options_.reindex_at) : std::nullopt),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

void DictionaryWatch::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    static_cast<void>(without_exceptions([this] { return look(); }));  // the next look tries again
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, stop, options_.pause, [] { return false; });
  }
}

Result<void> DictionaryWatch::look() {
  refresh();
  AKIN_TRY(const auto outdated, service_.catalog->outdated());
  announce(outdated);
  std::set<std::string> names(outdated.in_use.begin(), outdated.in_use.end());
  for (const UnreadableCollection& one : outdated.unreadable) names.insert(one.name);
  if (daily_ && daily_->comes(options_.now())) to_be_added_.insert(names.begin(), names.end());
  if (!to_be_added_.empty()) add_tasks(names);
  return {};
}

void DictionaryWatch::refresh() {
  const Result<bool> changed = service_.dictionaries->refresh();
  const std::string refusal = changed.has_error() ? changed.error().message() : "";
  if (refusal != refusal_ && !refusal.empty()) {
    options_.warn("the configured dictionaries cannot be opened, those opened before stay in use: " +
                  refusal);
  }
  refusal_ = refusal;
  if (changed.has_error() || !*changed) return;
  announced_.clear();
  options_.warn("the configured dictionaries have changed: new collections and reindexes use them");
}

void DictionaryWatch::announce(const OutdatedCollections& outdated) {
  std::vector<std::string> fresh;
  for (const std::string& name : outdated.in_use) {
    if (!announced_.contains(name)) fresh.push_back(name);
  }
  announced_ = {outdated.in_use.begin(), outdated.in_use.end()};
  if (!fresh.empty()) {
    options_.warn(
        "built with other dictionaries than those configured, and in use with their own until a reindex: " +
        named(fresh));
  }
  announce_unreadable(outdated.unreadable);
}

void DictionaryWatch::announce_unreadable(const std::vector<UnreadableCollection>& unreadable) {
  // One line for each reason: an upgrade makes many collections unreadable at once.
  std::map<std::string, std::pair<const Error*, std::vector<std::string>>> by_reason;
  std::set<std::string> names;
  for (const auto& [name, error] : unreadable) {
    names.insert(name);
    if (announced_unreadable_.contains(name)) continue;
    auto& [first, others] = by_reason[error.reason];
    if (first != nullptr) others.push_back(name);
    if (first == nullptr) first = &error;
  }
  announced_unreadable_ = std::move(names);
  for (const auto& [reason, group] : by_reason) {
    const auto& [first, others] = group;
    options_.warn("cannot be read: " + first->message() +
                  (others.empty() ? "" : "; the same holds for " + named(others)));
  }
}

bool DictionaryWatch::may_reindex(const std::string& name) const {
  const auto identity = service_.catalog->identity(name);
  return identity.has_value() && identity->store_text &&
         service_.dictionaries->for_store(*identity).has_value();
}

void DictionaryWatch::add_tasks(const std::set<std::string>& outdated) {
  if (service_.tasks == nullptr || service_.state == nullptr) return;
  // Of several servers one adds them; the others then find the tasks, or the collections rebuilt.
  const auto lease = service_.state->try_lease("reindex-at");
  if (lease.has_error() || *lease == nullptr) return;
  const auto known = service_.tasks->list();
  if (known.has_error()) return;
  while (!to_be_added_.empty()) {
    const std::string& name = *to_be_added_.begin();
    const bool wanted = outdated.contains(name) && !is_waiting(*known, name);
    if (wanted && may_reindex(name)) {
      const auto added = service_.tasks->add("reindex", name, Json{{"scheme", ""}});
      if (added.has_error()) return;  // too many wait; the next look adds more
    }
    to_be_added_.erase(to_be_added_.begin());
  }
}

}  // namespace akin::api
