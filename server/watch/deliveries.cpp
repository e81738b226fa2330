#include "server/watch/deliveries.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

#include "base/exceptions.h"
#include "server/watch/signature.h"
#include "server/watch/stored_json.h"

namespace akin::watch {

namespace {

using std::chrono::milliseconds;

constexpr std::size_t kPage = 10'000;
constexpr milliseconds kLongestWait{1'000};
/// The wait after the journal could not be read or written.
constexpr std::chrono::seconds kAfterTrouble{5};
constexpr int kGone = 410;

bool taken(const Answer& answer) { return answer.status >= 200 && answer.status < 300; }

std::string in_words(const Answer& answer) {
  if (answer.status == 0) return answer.error;
  std::string words = "the webhook answered " + std::to_string(answer.status);
  if (answer.status >= 300 && answer.status < 400) words += "; redirects are not followed";
  return words;
}

Outgoing outgoing_of(const Event& event, const Webhook& webhook, const std::string& key) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time_now()).time_since_epoch().count();
  const std::string timestamp = std::to_string(seconds);
  std::string body = webhook_body(event);
  std::vector<std::string> fields = {"Content-Type: application/json",
                                     "User-Agent: akin",
                                     "Expect:",
                                     "webhook-id: " + event.id,
                                     "webhook-timestamp: " + timestamp,
                                     "webhook-signature: " + signature(key, event.id, timestamp, body)};
  return {webhook.url, std::move(fields), std::move(body)};
}

}  // namespace

/// One exchange under way.
struct Deliveries::Attempt {
  Place place;
  std::string host;
  Watch watch;
  Delivery delivery;  ///< before the attempt
};

Result<std::unique_ptr<Deliveries>> Deliveries::open(std::shared_ptr<Journal> journal,
                                                     const DeliveryOptions& options,
                                                     const Leadership& leadership) {
  AKIN_TRY(auto sender, Sender::open(options.send));
  return std::unique_ptr<Deliveries>(
      new Deliveries(std::move(journal), options, std::move(sender), leadership));
}

Deliveries::Deliveries(std::shared_ptr<Journal> journal, const DeliveryOptions& options,
                       std::unique_ptr<Sender> sender, const Leadership& leadership)
    : journal_(std::move(journal)), options_(options), sender_(std::move(sender)), leadership_(leadership) {
  thread_ = std::jthread([this](const std::stop_token& ended) { work(ended); });
}

Deliveries::~Deliveries() {
  thread_.request_stop();
  sender_->wake();
}

void Deliveries::add(const Place& place, Time when) {
  {
    const std::lock_guard lock(mutex_);
    new_.emplace_back(when, place);
  }
  sender_->wake();
}

void Deliveries::work(const std::stop_token& ended) {
  while (!ended.stop_requested()) {
    try {
      note_term(ended);
      take_new();
      take_due(time_now());
      begin_waiting();
      for (const auto& answered : sender_->wait(patience(time_now()))) {
        // The event of one that fails stays pending in the journal.
        const auto done =
            without_exceptions([&] { return finish(answered.first, answered.second), Result<void>(); });
        load_again_ = load_again_ || done.has_error();
      }
    } catch (const std::exception&) {  // no memory: the events stay pending in the journal
      load_again_ = true;
      std::this_thread::sleep_for(milliseconds(100));
    }
  }
}

/// Events to be sent in a former term belong to another server now, and vice versa.
void Deliveries::note_term(const std::stop_token& ended) {
  const std::uint64_t term = leadership_.term();
  if (term == term_ && !load_again_ && !asked_again()) return;
  load_again_ = true;  // until the end of this function
  term_ = term;
  later_.clear();
  waiting_.clear();
  if (term_ != 0) load_pending(ended);
  load_again_ = false;
}

/// Whether a further delivery of an event was requested, perhaps through another server; queried from time to
/// time.
bool Deliveries::asked_again() {
  const auto now = std::chrono::steady_clock::now();
  if (term_ == 0 || now - asked_ < kLongestWait) return false;
  asked_ = now;
  const auto retries = journal_->retries();
  if (retries.has_error() || *retries == retries_) return false;
  retries_ = *retries;
  return true;
}

void Deliveries::load_pending(const std::stop_token& ended) {
  std::optional<Place> last;
  while (!ended.stop_requested()) {
    const auto places = journal_->pending(last, kPage);
    if (places.has_error()) {
      std::this_thread::sleep_for(kLongestWait);
      continue;
    }
    if (places->empty()) return;
    // The due time of each is read when its turn comes; begin() postpones it.
    for (const Place& place : *places) later_.emplace(Time{}, place);
    last = places->back();
  }
}

void Deliveries::take_new() {
  const std::lock_guard lock(mutex_);
  if (term_ != 0) later_.insert(new_.begin(), new_.end());
  new_.clear();
}

void Deliveries::take_due(Time now) {
  while (!later_.empty() && later_.begin()->first <= now) {
    const auto [when, place] = *later_.begin();
    later_.erase(later_.begin());
    const auto event = journal_->find_event(place.first, place.second);
    if (event.has_error()) {
      later_.emplace(now + kAfterTrouble, place);
      continue;
    }
    if (!*event || (*event)->delivery.state != DeliveryState::pending) continue;
    if (const Time due = (*event)->delivery.next_attempt.value_or(Time{}); due > now) {
      later_.emplace(due, place);
      continue;
    }
    const auto watch = journal_->find_watch(place.first, (*event)->watch);
    if (watch.has_error()) {
      later_.emplace(now + kAfterTrouble, place);
    } else if (!*watch) {
      give_up(**event, "the watch was removed");
    } else if (!(*watch)->webhook) {
      give_up(**event, "the watch no longer has a webhook");
    } else if (!(*watch)->enabled) {
      give_up(**event, "the watch is disabled");
    } else {
      waiting_[host_of((*watch)->webhook->url)].push_back(place);
    }
  }
}

void Deliveries::begin_waiting() {
  for (auto host = waiting_.begin(); host != waiting_.end();) {
    auto& [name, places] = *host;
    while (!places.empty() && attempts_.size() < options_.at_once && running_[name] < options_.per_host) {
      const Place place = places.front();
      places.pop_front();
      begin(place);
    }
    host = places.empty() ? waiting_.erase(host) : std::next(host);
  }
}

/// Changes since the event was due must count, so it is read again.
void Deliveries::begin(const Place& place) {
  const auto is_it = [&](const auto& entry) { return entry.second.place == place; };
  if (std::ranges::any_of(attempts_, is_it)) return;  // it was both in the journal and added
  const auto event = journal_->find_event(place.first, place.second);
  if (event.has_error()) {
    later_.emplace(time_now() + kAfterTrouble, place);
    return;
  }
  if (!*event || (*event)->delivery.state != DeliveryState::pending) return;
  const auto watch = journal_->find_watch(place.first, (*event)->watch);
  if (watch.has_error() || !*watch || !(*watch)->webhook || !(*watch)->enabled) {
    later_.emplace(time_now(), place);  // take_due decides what happens to it
    return;
  }
  const Webhook& webhook = *(*watch)->webhook;
  const auto key = secret_key(webhook.secret);
  if (key.has_error()) {
    give_up(**event, "the watch's secret cannot be read");
    return;
  }
  const std::uint64_t ticket = next_ticket_++;
  const std::string host = host_of(webhook.url);
  sender_->begin(ticket, outgoing_of(**event, webhook, *key));
  ++running_[host];
  attempts_.emplace(ticket, Attempt{place, host, **watch, (*event)->delivery});
}

void Deliveries::finish(std::uint64_t ticket, const Answer& answer) {
  const auto found = attempts_.find(ticket);
  const Attempt attempt = std::move(found->second);
  attempts_.erase(found);
  if (--running_[attempt.host] == 0) running_.erase(attempt.host);
  Delivery delivery = attempt.delivery;
  ++delivery.attempts;
  delivery.next_attempt.reset();
  if (taken(answer)) {
    delivery.state = DeliveryState::delivered;
    delivery.last_error.clear();
  } else {
    delivery.last_error = in_words(answer);
    delivery.state = DeliveryState::failed;
    if (answer.status == kGone) {
      static_cast<void>(journal_->disable_watch(
          attempt.watch, "the webhook answered 410 Gone at " + format_time(time_now())));
    } else if (delivery.attempts <= options_.retries.size()) {
      delivery.state = DeliveryState::pending;
      delivery.next_attempt = after_failure(delivery.attempts, time_now());
    }
  }
  count(delivery);
  record(attempt.place, delivery);
}

void Deliveries::count(const Delivery& delivery) {
  ++(delivery.state == DeliveryState::delivered ? counts_.delivered
     : delivery.state == DeliveryState::failed  ? counts_.given_up
                                                : counts_.failed);
}

/// A result that cannot be recorded leads to another delivery: at least once.
void Deliveries::record(const Place& place, const Delivery& delivery) {
  const auto written = journal_->set_delivery(place, delivery);
  if (written.has_error()) {
    later_.emplace(time_now() + kAfterTrouble, place);
  } else if (delivery.next_attempt) {
    later_.emplace(*delivery.next_attempt, place);
  }
}

void Deliveries::give_up(const Event& event, const std::string& why) {
  Delivery delivery = event.delivery;
  delivery.state = DeliveryState::failed;
  delivery.last_error = why;
  delivery.next_attempt.reset();
  count(delivery);
  record({event.collection, event.sequence}, delivery);
}

milliseconds Deliveries::patience(Time now) const {
  if (later_.empty()) return kLongestWait;
  const auto wait = std::chrono::ceil<milliseconds>(later_.begin()->first - now);
  return std::clamp(wait, milliseconds(0), kLongestWait);
}

Time Deliveries::after_failure(std::uint64_t attempts, Time now) {
  std::uniform_real_distribution<double> share(1.0 - options_.jitter, 1.0 + options_.jitter);
  const auto wait = static_cast<double>(options_.retries[attempts - 1].count()) * share(random_);
  return now + std::chrono::duration_cast<milliseconds>(std::chrono::duration<double, std::milli>(wait));
}

}  // namespace akin::watch
