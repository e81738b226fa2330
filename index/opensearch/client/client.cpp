#include "index/opensearch/client/client.h"

#include <curl/curl.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "base/waiting.h"

namespace akin::opensearch {
namespace {

using std::chrono::milliseconds;

constexpr long kConnectMilliseconds = 5'000;
/// For an answer, and for each so many bytes that a node has to take in before.
constexpr long kAnswerMilliseconds = 60'000;
constexpr std::size_t kBytesAMillisecond = 256;
/// How long a request is repeated that nobody has answered, and the first pause between.
constexpr milliseconds kPatience(10'000);
constexpr milliseconds kFirstPause(50);

std::size_t append(char* bytes, std::size_t size, std::size_t count, void* to) {
  static_cast<std::string*>(to)->append(bytes, size * count);
  return size * count;
}

int is_unwanted(void* /*user*/, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return stop_of_work().stop_requested() ? 1 : 0;
}

/// Whether the request has certainly had no effect, if it has failed.
bool has_no_effect(CURLcode code, const Answer& answer) {
  if (code == CURLE_OK) return answer.status == 429 || answer.status == 503;
  return code == CURLE_COULDNT_CONNECT || code == CURLE_COULDNT_RESOLVE_HOST;
}

}  // namespace

/// A connection that is kept open.
struct Client::Transfer {
  CURL* easy = curl_easy_init();
  Transfer() = default;
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;
  ~Transfer() { curl_easy_cleanup(easy); }

  /// `most`: how long it may take.
  CURLcode perform(const Address& address, const std::string& url, const Request& request, milliseconds most,
                   std::string& answer) {
    if (easy == nullptr) return CURLE_OUT_OF_MEMORY;
    curl_easy_reset(easy);
    bool fine = true;
    const auto set = [&](CURLoption option, auto value) {
      fine = fine && curl_easy_setopt(easy, option, value) == CURLE_OK;
    };
    curl_slist* wanted = nullptr;
    for (const char* const field : {"Content-Type: application/json", "Accept: application/cbor", "Expect:"})
      wanted = curl_slist_append(wanted, field);
    const std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> fields(wanted, curl_slist_free_all);
    set(CURLOPT_URL, url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_FOLLOWLOCATION, 0L);
    set(CURLOPT_ACCEPT_ENCODING, "");
    set(CURLOPT_CONNECTTIMEOUT_MS, kConnectMilliseconds);
    const long usual = kAnswerMilliseconds + static_cast<long>(request.body.size() / kBytesAMillisecond);
    set(CURLOPT_TIMEOUT_MS, std::min(usual, static_cast<long>(most.count())));
    set(CURLOPT_HTTPHEADER, fields.get());
    set(CURLOPT_CUSTOMREQUEST, request.method.c_str());
    if (!request.body.empty()) {
      set(CURLOPT_POSTFIELDS, request.body.c_str());
      set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    }
    if (!address.authorities.empty()) set(CURLOPT_CAINFO, address.authorities.c_str());
    if (!address.user.empty()) {
      set(CURLOPT_USERNAME, address.user.c_str());
      set(CURLOPT_PASSWORD, address.password.c_str());
    }
    set(CURLOPT_WRITEFUNCTION, append);
    set(CURLOPT_WRITEDATA, static_cast<void*>(&answer));
    if (!request.is_change) {
      set(CURLOPT_NOPROGRESS, 0L);
      set(CURLOPT_XFERINFOFUNCTION, is_unwanted);
    }
    return fine ? curl_easy_perform(easy) : CURLE_FAILED_INIT;
  }
};

Client::Client(Address address) noexcept : address_(std::move(address)) {}
Client::~Client() = default;

std::unique_ptr<Client::Transfer> Client::take() {
  const std::lock_guard guard(mutex_);
  if (idle_.empty()) return std::make_unique<Transfer>();
  std::unique_ptr<Transfer> transfer = std::move(idle_.back());
  idle_.pop_back();
  return transfer;
}

milliseconds Client::rest() const noexcept {
  const auto since = failing_since_.load();
  if (!is_for_job_ || since == Clock::time_point::max()) return std::chrono::hours(1);
  return std::max(milliseconds(0), std::chrono::ceil<milliseconds>(since + kJobPatience - Clock::now()));
}

std::shared_ptr<Client> Client::for_job() const {
  std::shared_ptr<Client> client(new Client(address_));
  client->product_ = product_;
  client->is_for_job_ = true;
  return client;
}

Result<Answer> Client::send(const Request& request) {
  const Waiting waiting;
  const auto begin = Clock::now();
  for (milliseconds pause = kFirstPause;; pause *= 2) {
    const milliseconds rest = this->rest();
    if (rest == milliseconds(0)) return no_answer("it has taken no change for too long");
    std::string body;
    std::unique_ptr<Transfer> transfer = take();
    const std::size_t node = node_;
    ++requests_;
    const std::string url = address_.nodes[node % address_.nodes.size()] + request.path;
    const CURLcode code = transfer->perform(address_, url, request, rest, body);
    Answer answer;
    if (code == CURLE_OK) {
      long status = 0;
      curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
      // A proxy before the nodes answers in JSON.
      answer = {static_cast<int>(status), body.starts_with('{') ? Json::parse(body, nullptr, false)
                                                                : Json::from_cbor(body, true, false)};
      const std::lock_guard guard(mutex_);
      idle_.push_back(std::move(transfer));
    } else {
      std::size_t failed = node;  // others may have gone on to another node meanwhile
      node_.compare_exchange_strong(failed, node + 1);
    }
    if (!request.is_change && stop_of_work().stop_requested()) return stopped_work();
    const bool failed = code != CURLE_OK || is_passing(answer);
    auto none = Clock::time_point::max();
    if (failed) failing_since_.compare_exchange_strong(none, begin);
    if (!failed && request.is_change) failing_since_ = none;
    const bool again = failed && (!request.is_change || has_no_effect(code, answer));
    const bool patient = Clock::now() - begin + pause < kPatience && code != CURLE_OPERATION_TIMEDOUT;
    if (again && patient) {
      std::this_thread::sleep_for(pause);
      continue;
    }
    if (code != CURLE_OK) return no_answer(curl_easy_strerror(code));
    return answer;
  }
}

Result<Answer> Client::try_ask(const Request& request) {
  AKIN_TRY(Answer answer, send(request));
  const bool is_missing_index =
      answer.status == 404 && answer.body.is_object() && answer.body.contains("error");
  const bool is_answer = (answer.status >= 200 && answer.status < 300) || answer.status == 409 ||
                         (answer.status == 404 && !is_missing_index);
  if (!is_answer) return error_of(answer);
  if (answer.body.is_discarded()) return no_answer("its answer is neither CBOR nor JSON");
  return answer;
}

Result<Json> Client::ask(const Request& request) {
  AKIN_TRY(Answer answer, try_ask(request));
  if (answer.status == 404 || answer.status == 409) return error_of(answer);
  return std::move(answer.body);
}

Result<Json> Client::search(const std::string& index, const Json& body) {
  AKIN_TRY(Json answer, ask({.method = "POST",
                             .path = "/" + index + "/_search?allow_partial_search_results=false",
                             .body = body.dump()}));
  AKIN_CHECK(check_shards(answer));
  return answer;
}

Result<std::shared_ptr<Client>> Client::open(const Address& address) {
  static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (ready != CURLE_OK) return Error{Errc::internal, "cluster", "libcurl cannot be set up", "report it"};
  std::shared_ptr<Client> client(new Client(address));
  AKIN_TRY(const Json about, client->ask({.path = "/"}));
  const Json version = about.value("version", Json::object());
  const std::string number = version.value("number", "");
  const std::string major = number.substr(0, number.find('.'));
  const bool is_opensearch = version.value("distribution", "") == "opensearch";
  if (is_opensearch ? major != "2" && major != "3" : major != "8")
    return Error{Errc::unsupported, "cluster", "akin was not made for its version " + number,
                 "use OpenSearch 2 or 3, or Elasticsearch 8"};
  client->product_ = is_opensearch ? Product::opensearch : Product::elasticsearch;
  return client;
}

}  // namespace akin::opensearch
