#include "server/http/answering.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "server/api/boundary.h"
#include "server/api/message.h"
#include "server/api/target.h"
#include "server/http/decoded_body.h"
#include "server/http/obtain.h"
#include "server/http/work_memory.h"
#include "server/http/worker.h"
#include "server/ingest/content_coding.h"

namespace akin::http {

namespace {

constexpr std::size_t kLeastBytes = 1024;
constexpr std::size_t kMostBytes = std::numeric_limits<std::uint32_t>::max();

bool is_compressible(const api::Response& response) {
  if (response.body.size() < kLeastBytes || response.body.size() > kMostBytes) return false;
  return std::ranges::all_of(response.headers, [](const auto& field) {
    const auto& [name, value] = field;
    if (name == "Content-Type") return value == api::kJsonType || value == api::kLinesType;
    return name != "ETag" && name != "Content-Range";
  });
}

/// Compresses JSON of a kilobyte or more by zstd or gzip, if the client accepts one. An answer with an entity
/// tag stays as it is: the tag names its bytes. So do pages, which have secrets beside what a stranger may
/// have written.
void compress(api::Response& response, const api::Request& request) {
  if (!is_compressible(response)) return;
  response.headers.emplace_back("Vary", "Accept-Encoding");
  const ingest::Coding coding = ingest::accepted_coding(request.header("accept-encoding").value_or(""));
  if (coding == ingest::Coding::identity) return;
  Result<std::string> encoded = ingest::encode(coding, response.body);
  if (encoded.has_error()) return;
  response.body = *std::move(encoded);
  response.headers.emplace_back("Content-Encoding", coding == ingest::Coding::zstd ? "zstd" : "gzip");
}

constexpr int kAnswerAttempts = 20;
/// Answers that need no worker are counted only above this.
constexpr std::size_t kUncountedBytes = std::size_t{16} << 10U;

api::Response no_answer_memory(Shared& shared) {
  shared.metrics->rejected("answer_memory");
  return busy("answers that clients are taking fill the memory reserved for them");
}

api::Response answered(const Backend& backend, const api::Request& request) {
  api::Response response = backend.handle(request);
  compress(response, request);
  return response;
}

Result<void> undo_coding(ServedRequest& served, std::size_t limit) {
  const ingest::Coding coding = ingest::find_coding(served.request.header("content-encoding").value_or(""))
                                    .value_or(ingest::Coding::identity);
  if (coding == ingest::Coding::identity) return {};
  if (!served.body) {
    // Nothing that gzip or zstd makes is empty: a body of no bytes would replace a text by an empty one.
    if (served.request.header("content-length")) return ingest::truncated_coding();
    return {};
  }
  AKIN_TRY(served.request.body, decode_body(coding, served.request.body, limit,
                                            [&served](std::size_t more) { return served.body->take(more); }));
  return {};
}

/// Lets the connection's thread give up the work on its request.
class Abandonable {
 public:
  explicit Abandonable(Answering on) : connection_(on.connection) {
    const auto allowed = on.shared.options.request_timeout;
    work_.until = allowed.count() > 0 ? Clock::now() + allowed : Clock::time_point::max();
    watch_under_way(on.thread);
    connection_.work = &work_;
  }
  ~Abandonable() { connection_.work = nullptr; }
  Abandonable(const Abandonable&) = delete;
  Abandonable& operator=(const Abandonable&) = delete;

  [[nodiscard]] std::stop_token token() const { return work_.stop.get_token(); }
  [[nodiscard]] GivenUp given_up() const noexcept { return work_.given_up; }

 private:
  Connection& connection_;
  UnderWay work_;
};

}  // namespace

api::Response busy(const char* reason) {
  return api::error_response(Error{Errc::busy, "server", reason, "try again in a moment"});
}

api::Response queue_full(Shared& shared) {
  shared.metrics->rejected("queue_full");
  return busy("too many requests are waiting");
}

std::string subject_of(const api::Request& request) {
  constexpr std::string_view kOfCollection = "/v1/collections/{collection}";
  const api::Endpoint& endpoint = *request.endpoint;
  std::string subject = request.method + " " + std::string(endpoint.pattern);
  if (!endpoint.pattern.starts_with(kOfCollection)) return subject;
  const api::Captures::Place& place = endpoint.captures.places.front();
  return subject.append(" ").append(api::path_of(request.target).substr(place.begin, place.length));
}

FairPart::Transfer transfer_of(Channel& channel) {
  return {.executor = channel.wire().get_executor(), .cut = [&channel] { channel.watchdog().expire(); }};
}

boost::asio::awaitable<api::Response> make_answer(Answering on, ServedRequest& served) {
  Shared& shared = on.shared;
  const Backend& backend = shared.backend;
  const auto part = [&]() -> FairPart& {
    return served.answer.emplace(shared.answers, served.request.client, transfer_of(on.channel));
  };
  const api::Delivery delivery = served.request.endpoint->delivery;
  if (delivery == api::Delivery::probe) {
    on.channel.watchdog().release();
    api::Response response =
        co_await shared.probes.answer(backend, on.channel, served.request, shared.draining);
    served.passed(Phase::handler);
    co_return response;
  }
  if (delivery == api::Delivery::at_once) {
    api::Response response = api::answer_or_error([&] { return answered(backend, served.request); });
    served.passed(Phase::handler);
    const std::size_t bytes = response.body.size();
    if (bytes > kUncountedBytes && !part().take(bytes)) co_return no_answer_memory(shared);
    co_return response;
  }
  FairPart& memory = part();
  on.channel.watchdog().release();
  const Abandonable abandonable(on);
  const std::stop_token stop = abandonable.token();
  std::optional<api::Response> response;
  // An answer's size is known only when it is in memory: a worker begins one only while there is room.
  auto work = [&]() noexcept {
    if (stop.stop_requested() || !memory.begin_making()) return;
    response = api::answer_or_error([&] {
      const WorkMemory held(shared, served.request.client, on.channel.wire().get_executor());
      const auto undone = undo_coding(served, shared.options.body_limit);
      return undone.has_error() ? api::error_response(undone.error()) : answered(backend, served.request);
    });
    memory.made(response->body.size());
  };
  const auto given_up = [&] { return abandonable.given_up() != GivenUp::no; };
  for (int attempt = 0; attempt < kAnswerAttempts && !response && !given_up(); ++attempt) {
    if (!co_await obtain(on.channel, shared.draining, [&memory] { return memory.has_room(); }))
      co_return no_answer_memory(shared);
    FairPart place(shared.queue, served.request.client, transfer_of(on.channel));
    if (!place.take(1)) co_return queue_full(shared);
    const metrics::Counted counted(shared.metrics->load().queued);
    const WorkOf of{served.request.client, subject_of(served.request), stop};
    const auto queued = co_await run_on(*shared.workers, of, work);
    served.phases[static_cast<std::size_t>(Phase::queue)] += queued;
    served.passed(Phase::handler, queued);
  }
  constexpr int kServerError = 500;
  if (given_up() && (!response || response->status >= kServerError)) {
    shared.metrics->rejected("given_up");
    response = given_up_answer(abandonable.given_up(), shared.options);
  }
  co_return response ? *std::move(response) : no_answer_memory(shared);
}

}  // namespace akin::http
