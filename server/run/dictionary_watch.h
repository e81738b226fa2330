// Notices dictionaries that have changed, announces them, and has collections rebuilt with them if wanted.
#pragma once

#include <chrono>
#include <condition_variable>
#include <ctime>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "server/api/service.h"

namespace akin::api {

/// A time of day, local: minutes after midnight.
using MinuteOfDay = int;

/// "03:30". Error: invalid_argument.
[[nodiscard]] Result<MinuteOfDay> parse_minute_of_day(std::string_view text);

/// Reports once a day that a time of day has come; not on the day of the first call if that is later than the
/// time.
class DailyTime {
 public:
  explicit DailyTime(MinuteOfDay minute) : minute_(minute) {}
  [[nodiscard]] bool comes(const std::tm& now);

 private:
  MinuteOfDay minute_;
  bool is_first_ = true;
  int year_ = 0, day_ = 0;  ///< of the last day on which it came
};

/// The time of this machine.
[[nodiscard]] std::tm local_time();

/// Looks every ten seconds, on a thread of its own. The service must have a catalog, and must outlive this
/// object; the stores' servers may be several.
class DictionaryWatch {
 public:
  struct Options {
    /// When outdated and unreadable collections are rebuilt, as tasks: those of the configured languages that
    /// keep texts. The others would change more than their dictionaries' version.
    std::optional<MinuteOfDay> reindex_at = {};
    std::function<void(std::string_view)> warn;  ///< takes lines for the log
    std::chrono::milliseconds pause{10'000};     ///< between two looks
    std::function<std::tm()> now = local_time;
  };
  DictionaryWatch(const Service& service, Options options);

 private:
  void run(const std::stop_token& stop);
  [[nodiscard]] Result<void> look();
  void refresh();
  void announce(const OutdatedCollections& outdated);
  void announce_unreadable(const std::vector<UnreadableCollection>& unreadable);
  void add_tasks(const std::set<std::string>& outdated);
  [[nodiscard]] bool may_reindex(const std::string& name) const;

  const Service& service_;
  const Options options_;
  std::optional<DailyTime> daily_;
  std::string refusal_;              ///< why the dictionaries could not be opened at the last look
  std::set<std::string> announced_;  ///< outdated collections that are in use
  std::set<std::string> announced_unreadable_;
  std::set<std::string> to_be_added_;  ///< collections for which a task is still to be added
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::jthread thread_;  // last: it uses the other members
};

}  // namespace akin::api
