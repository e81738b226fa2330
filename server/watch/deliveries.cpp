#include "server/watch/deliveries.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

#include "base/exceptions.h"
#include "server/outbound/signature.h"
#include "server/watch/stored_json.h"

namespace akin::watch {

namespace {

using std::chrono::milliseconds;

constexpr std::size_t kPage = 10'000;
constexpr milliseconds kLongestWait{1'000};
/// The wait after the journal could not be read or written.
constexpr std::chrono::seconds kAfterTrouble{5};
constexpr int kGone = 410;

std::string in_words(const Answer& answer) {
  if (answer.status == 0) return answer.error;
  std::string words = "the webhook answered " + std::to_string(answer.status);
  if (answer.status >= 300 && answer.status < 400) words += "; redirects are not followed";
  return words;
}

}  // namespace

/// One exchange under way.
struct Deliveries::Attempt {
  Place place;
  std::string host;
  Watch watch;
  Delivery delivery;  ///< before the attempt
  std::chrono::steady_clock::time_point begun;
};

/// A scheme, a host and a port.
struct Deliveries::Receiver {
  std::deque<Place> waiting;  ///< due
  std::size_t running = 0;    ///< exchanges
  bool slow = false;
  std::uint64_t turn = 0;  ///< when one was begun last

  [[nodiscard]] bool is_idle() const { return waiting.empty() && running == 0; }
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
  for (auto& [host, receiver] : receivers_) receiver.waiting.clear();
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
      receivers_[host_of((*watch)->webhook->url)].waiting.push_back(place);
    }
  }
}

void Deliveries::begin_waiting() {
  while (Receiver* const receiver = next_receiver()) {
    receiver->turn = ++turns_;
    const Place place = receiver->waiting.front();
    receiver->waiting.pop_front();
    begin(place);
  }
  // That one is slow is remembered, as far as that is little.
  constexpr std::size_t kRemembered = 10'000;
  std::erase_if(receivers_, [remembers = receivers_.size() <= kRemembered](const auto& entry) {
    return entry.second.is_idle() && !(entry.second.slow && remembers);
  });
}

/// Of the receivers that may be sent more, the one with the fewest exchanges; of those, the one whose turn is
/// longest ago. Null if there is none.
Deliveries::Receiver* Deliveries::next_receiver() {
  if (attempts_.size() >= options_.at_once) return nullptr;
  const auto active = static_cast<std::size_t>(
      std::ranges::count_if(receivers_, [](const auto& entry) { return !entry.second.is_idle(); }));
  const std::size_t share =
      std::clamp<std::size_t>(options_.at_once / std::max<std::size_t>(active, 1), 1, options_.per_host);
  const bool takes_slow = slow_running_ < std::max<std::size_t>(options_.at_once / 2, 1);
  Receiver* next = nullptr;
  for (auto& [host, receiver] : receivers_) {
    if (receiver.waiting.empty() || receiver.running >= share || (receiver.slow && !takes_slow)) continue;
    if (next == nullptr || std::pair(receiver.running, receiver.turn) < std::pair(next->running, next->turn))
      next = &receiver;
  }
  return next;
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
  sender_->begin(ticket, signed_message(webhook.url, (*event)->id, webhook_body(**event), *key));
  Receiver& receiver = receivers_[host];
  ++receiver.running;
  if (receiver.slow) ++slow_running_;
  attempts_.emplace(ticket,
                    Attempt{place, host, **watch, (*event)->delivery, std::chrono::steady_clock::now()});
}

void Deliveries::finish(std::uint64_t ticket, const Answer& answer) {
  const auto found = attempts_.find(ticket);
  const Attempt attempt = std::move(found->second);
  attempts_.erase(found);
  Receiver& receiver = receivers_[attempt.host];
  if (receiver.slow) slow_running_ -= receiver.running;
  --receiver.running;
  receiver.slow = std::chrono::steady_clock::now() - attempt.begun > options_.slow;
  if (receiver.slow) slow_running_ += receiver.running;
  Delivery delivery = attempt.delivery;
  ++delivery.attempts;
  delivery.next_attempt.reset();
  if (answer.taken()) {
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
