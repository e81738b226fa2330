#include "server/http/fair_pool.h"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <utility>

namespace akin::http {

namespace {

/// A client counts among those that share for so long after it last wanted something.
constexpr std::chrono::seconds kInterest{10};
constexpr std::chrono::milliseconds kWindow{1000}, kWindowOverShare{200};
constexpr std::chrono::milliseconds kScanPause{5};

}  // namespace

/// Members are guarded by the mutex of the FairPool, except the atomic ones.
struct FairPool::Entry : std::enable_shared_from_this<FairPool::Entry> {
  Client* client = nullptr;
  FairPart::Transfer transfer;
  std::size_t held = 0;
  Clock::duration window{};  ///< the time waited at its begin
  std::size_t bytes = 0;     ///< moved in it
  bool slow_before = false;  ///< in the window before
  std::atomic<bool> runs = false, cut = false;

  [[nodiscard]] Clock::duration waited(Clock::time_point now) const {
    return transfer.waited ? transfer.waited() : now.time_since_epoch();
  }
  [[nodiscard]] bool is_slow(Clock::duration elapsed, std::size_t rate) const {
    return static_cast<double>(bytes) <
           std::chrono::duration<double>(elapsed).count() * static_cast<double>(rate);
  }
};

std::size_t FairPool::taken() const {
  const std::lock_guard lock(mutex_);
  return taken_;
}

std::size_t FairPool::equal_part(Clock::time_point now) {
  const auto sharing = std::ranges::count_if(clients_, [now](const auto& entry) {
    return entry.second.held > 0 || now - entry.second.wanted < kInterest;
  });
  return total_ / std::max<std::size_t>(1, static_cast<std::size_t>(sharing));
}

bool FairPool::has_room(Client& client, std::size_t amount, Clock::time_point now) {
  client.wanted = now;
  if (taken_ >= total_ || amount > total_ - taken_) return false;
  return client.held == 0 || taken_ + amount <= total_ / 2 || client.held + amount <= equal_part(now);
}

/// Cuts all slow transfers off: one alone may not make enough room.
void FairPool::cut_slow(Clock::time_point now) {
  if (now - scanned_ < kScanPause) return;
  scanned_ = now;
  const std::size_t equal = equal_part(now);
  for (Entry* entry : entries_) {
    if (!entry->runs || entry->cut || entry->held == 0) continue;
    const auto elapsed = entry->waited(now) - entry->window;
    const bool is_over = entry->client->held > equal;
    const bool is_judged = elapsed >= (is_over ? kWindowOverShare : kWindow);
    if (is_judged ? !entry->is_slow(elapsed, least_rate_) : !entry->slow_before) continue;
    entry->cut = true;
    try {
      boost::asio::post(entry->transfer.executor, [held = entry->shared_from_this()] {
        if (held->runs) {
          held->transfer.cut();
        } else {
          held->cut = false;
        }
      });
    } catch (const std::exception&) {  // no memory: a later attempt cuts it off
      entry->cut = false;
    }
  }
}

FairPart::FairPart(FairPool& pool, const std::string& client, Transfer transfer)
    : pool_(pool), entry_(std::make_shared<FairPool::Entry>()) {
  entry_->transfer = std::move(transfer);
  const std::lock_guard lock(pool_.mutex_);
  const auto found = pool_.clients_.try_emplace(client).first;
  try {
    pool_.entries_.insert(entry_.get());
  } catch (...) {
    if (found->second.parts == 0) pool_.clients_.erase(found);
    throw;
  }
  entry_->client = &found->second;
  ++found->second.parts;
}

FairPart::~FairPart() {
  end_transfer();
  give_back();
  const std::lock_guard lock(pool_.mutex_);
  pool_.entries_.erase(entry_.get());
  // A client that wanted something a moment ago keeps its place among those that share.
  if (--entry_->client->parts > 0) return;
  const auto now = FairPool::Clock::now();
  std::erase_if(pool_.clients_, [now](const auto& entry) {
    return entry.second.parts == 0 && now - entry.second.wanted >= kInterest;
  });
}

bool FairPart::take(std::size_t amount) {
  const std::lock_guard lock(pool_.mutex_);
  const auto now = FairPool::Clock::now();
  if (!pool_.has_room(*entry_->client, amount, now)) {
    pool_.cut_slow(now);
    return false;
  }
  entry_->held += amount;
  entry_->client->held += amount;
  pool_.taken_ += amount;
  return true;
}

bool FairPart::has_room() {
  const std::lock_guard lock(pool_.mutex_);
  return has_room_locked();
}

bool FairPart::begin_making() {
  const std::lock_guard lock(pool_.mutex_);
  const bool room = has_room_locked();
  if (room) ++entry_->client->making;
  return room;
}

bool FairPart::has_room_locked() {
  const auto now = FairPool::Clock::now();
  FairPool::Client& client = *entry_->client;
  const bool room = pool_.has_room(client, 1 + client.making * client.expected, now);
  if (!room) pool_.cut_slow(now);
  return room;
}

void FairPart::made(std::size_t amount) noexcept {
  const std::lock_guard lock(pool_.mutex_);
  FairPool::Client& client = *entry_->client;
  --client.making;
  client.expected = std::max(amount, client.expected - client.expected / 8);
  entry_->held += amount;
  client.held += amount;
  pool_.taken_ += amount;
}

void FairPart::give_back() noexcept { give_back(held()); }

void FairPart::give_back(std::size_t amount) noexcept {
  const std::lock_guard lock(pool_.mutex_);
  entry_->held -= amount;
  entry_->client->held -= amount;
  pool_.taken_ -= amount;
}

std::size_t FairPart::held() const {
  const std::lock_guard lock(pool_.mutex_);
  return entry_->held;
}

void FairPart::begin_transfer() {
  const std::lock_guard lock(pool_.mutex_);
  entry_->window = entry_->waited(FairPool::Clock::now());
  entry_->bytes = 0;
  entry_->slow_before = false;
  entry_->runs = true;
}

void FairPart::end_transfer() noexcept {
  const std::lock_guard lock(pool_.mutex_);  // nobody may be about to look at the transfer
  entry_->runs = false;
}

void FairPart::moved(std::size_t bytes) {
  const std::lock_guard lock(pool_.mutex_);
  const auto waited = entry_->waited(FairPool::Clock::now());
  const auto elapsed = waited - entry_->window;
  entry_->bytes += bytes;
  entry_->cut = false;  // it came too late to end this step
  if (elapsed < kWindow) return;
  entry_->slow_before = entry_->is_slow(elapsed, pool_.least_rate_);
  entry_->window = waited;
  entry_->bytes = 0;
}

bool FairPart::was_cut() const noexcept { return entry_->cut; }

std::string client_name(const std::string& key, const std::string& address) {
  if (!key.empty()) return "key " + key;
  boost::system::error_code failure;
  const auto parsed = boost::asio::ip::make_address(address, failure);
  if (failure || !parsed.is_v6() || parsed.to_v6().is_v4_mapped()) return address;
  auto bytes = parsed.to_v6().to_bytes();
  std::fill(bytes.begin() + bytes.size() / 2, bytes.end(), static_cast<unsigned char>(0));
  return boost::asio::ip::make_address_v6(bytes).to_string();
}

}  // namespace akin::http
