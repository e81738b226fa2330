#include "base/fair_workers.h"

#include <algorithm>
#include <new>
#include <utility>

namespace akin {
namespace {

/// Work that takes longer no longer keeps its client from beginning more beside it.
constexpr std::chrono::milliseconds kShort(100);
constexpr std::chrono::milliseconds kLookAgain(10);

}  // namespace

/// The place of a piece, or of a thread with a part of one.
class FairWorkers::Place final : public WorkPlace {
 public:
  const Clients::iterator client;
  const bool is_piece;
  Clock::time_point begun{};

  Place(FairWorkers& its_workers, Clients::iterator its_client, bool its_piece) noexcept
      : client(its_client), is_piece(its_piece), workers_(its_workers) {}

  void leave() noexcept override {
    {
      const std::lock_guard lock(workers_.mutex_);
      workers_.end_work(*this);
      workers_.provide_thread();
    }
    workers_.changed_.notify_one();
  }
  void return_to() noexcept override {
    const std::lock_guard lock(workers_.mutex_);
    workers_.begin_work(*this);
  }
  void share(std::size_t parts, const std::function<bool()>& part) noexcept override {
    Shared shared{part, client, stop_of_work()};
    std::size_t idle = 0;
    {
      const std::lock_guard lock(workers_.mutex_);
      workers_.offer(shared);
      idle = workers_.limits_.working - std::min(workers_.limits_.working, workers_.working_);
    }
    for (std::size_t i = 0; i < std::min(idle, parts - 1); ++i) workers_.changed_.notify_one();
    while (part()) {
    }
    {
      const std::lock_guard lock(workers_.mutex_);
      std::erase(workers_.shared_, &shared);
      if (shared.helpers == 0) return;
    }
    leave();
    {
      std::unique_lock lock(workers_.mutex_);
      shared.left.wait(lock, [&shared] { return shared.helpers == 0; });
    }
    return_to();
  }

 private:
  FairWorkers& workers_;
};

FairWorkers::FairWorkers(const Limits& limits)
    : limits_(limits), most_threads_(limits.working + limits.further + limits.waiting) {
  threads_.reserve(most_threads_);
  try {
    for (std::size_t i = 0; i < limits_.working; ++i) threads_.emplace_back([this] { run(); });
  } catch (...) {
    stop_and_join();
    throw;
  }
}

FairWorkers::~FairWorkers() { stop_and_join(); }

void FairWorkers::stop_and_join() noexcept {
  std::vector<std::thread> threads;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    threads.swap(threads_);
  }
  changed_.notify_all();
  for (std::thread& thread : threads) thread.join();
}

void FairWorkers::add(Piece piece) {
  {
    const std::lock_guard lock(mutex_);
    auto client = std::ranges::find(clients_, piece.client, &Client::name);
    if (client == clients_.end()) client = clients_.insert(clients_.end(), Client{piece.client});
    try {
      Subject& subject = subjects_[piece.subject];
      client->pieces.push_back(std::move(piece));
      ++subject.pieces;
    } catch (...) {
      forget_if_absent(client);
      throw;
    }
    ++queued_;
    provide_thread();
  }
  changed_.notify_one();
}

void FairWorkers::forget_if_absent(Clients::iterator client) noexcept {
  if (client->pieces.empty() && client->threads == 0) clients_.erase(client);
}

bool FairWorkers::may_begin(const Client& client, Clock::time_point now) const noexcept {
  if (working_ < limits_.working) return true;
  const std::size_t places = limits_.working + limits_.further;
  if (working_ >= places || client.working > places - working_) return false;
  return client.newest == nullptr || now - client.newest->begun >= kShort;
}

std::optional<FairWorkers::Next> FairWorkers::find_next() noexcept {
  const auto now = Clock::now();
  for (auto client = clients_.begin(); client != clients_.end(); ++client) {
    if (client->pieces.empty() || !may_begin(*client, now)) continue;
    const auto piece = std::ranges::find_if(client->pieces, [this](const Piece& one) {
      return one.subject.empty() || subjects_.find(one.subject)->second.threads < most_threads_ - occupied_;
    });
    if (piece != client->pieces.end()) return Next{client, piece};
  }
  return std::nullopt;
}

void FairWorkers::begin_work(Place& place) noexcept {
  if (place.is_piece) {
    place.begun = Clock::now();
    place.client->newest = &place;
  }
  ++place.client->working;
  ++working_;
}

void FairWorkers::end_work(const Place& place) noexcept {
  if (place.client->newest == &place) place.client->newest = nullptr;
  --place.client->working;
  --working_;
}

void FairWorkers::provide_thread() noexcept {
  const std::size_t places = limits_.working + limits_.further;
  const std::size_t wanted = std::min(queued_, std::max<std::size_t>(1, places - std::min(places, working_)));
  if (stopped_ || threads_.size() - occupied_ >= wanted || threads_.size() >= most_threads_) return;
  try {
    threads_.emplace_back([this] { run(); });
  } catch (...) {  // fewer must do
  }
}

void FairWorkers::do_piece(std::unique_lock<std::mutex>& lock, const Next& next) noexcept {
  const Clients::iterator client = next.client;
  const auto subject = subjects_.find(next.piece->subject);
  Place place(*this, client, true);
  {
    const Piece piece = std::move(*next.piece);
    client->pieces.erase(next.piece);
    clients_.splice(clients_.end(), clients_, client);
    --queued_;
    ++occupied_;
    ++client->threads;
    ++subject->second.threads;
    begin_work(place);
    provide_thread();
    const bool others_wait = queued_ > 0;
    lock.unlock();
    if (others_wait) changed_.notify_one();
    const WorkUnder under(&place, piece.stop);
    piece.work();
  }
  lock.lock();
  end_work(place);
  --client->threads;
  --occupied_;
  --subject->second.threads;
  if (--subject->second.pieces == 0) subjects_.erase(subject);
  forget_if_absent(client);
}

void FairWorkers::offer(Shared& shared) noexcept {
  try {
    shared_.push_back(&shared);
  } catch (const std::bad_alloc&) {  // its own thread does it all
  }
}

void FairWorkers::do_part(std::unique_lock<std::mutex>& lock, Shared& shared) noexcept {
  Place place(*this, shared.client, false);
  ++occupied_;
  ++shared.helpers;
  begin_work(place);
  const bool others_wait = queued_ > 0;
  lock.unlock();
  if (others_wait) changed_.notify_one();
  bool is_more = false;
  {
    const WorkUnder under(&place, shared.stop);
    is_more = shared.part();
  }
  lock.lock();
  end_work(place);
  --occupied_;
  if (!is_more) std::erase(shared_, &shared);
  if (--shared.helpers == 0) shared.left.notify_one();
}

void FairWorkers::run() noexcept {
  std::unique_lock lock(mutex_);
  while (!stopped_) {
    if (const auto next = find_next()) {
      do_piece(lock, *next);
    } else if (!shared_.empty() && working_ < limits_.working) {
      do_part(lock, *shared_.front());
    } else if (queued_ > 0 && !watched_) {
      watched_ = true;
      changed_.wait_for(lock, kLookAgain);
      watched_ = false;
    } else {
      changed_.wait(lock);
    }
  }
}

}  // namespace akin
