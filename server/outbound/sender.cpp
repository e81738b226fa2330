#include "server/outbound/sender.h"

#include <curl/curl.h>
#include <netdb.h>
#include <sys/socket.h>

#include <utility>

#include "base/time.h"
#include "server/json/quoted.h"
#include "server/outbound/address.h"
#include "server/outbound/signature.h"

namespace akin::watch {

namespace {

constexpr std::size_t kMaxUrl = 2048;

struct FreeUrl {
  void operator()(CURLU* url) const noexcept { curl_url_cleanup(url); }
};
struct FreeText {
  void operator()(char* text) const noexcept { curl_free(text); }
};
struct FreeFields {
  void operator()(curl_slist* list) const noexcept { curl_slist_free_all(list); }
};
struct FreeEasy {
  void operator()(CURL* easy) const noexcept { curl_easy_cleanup(easy); }
};
struct FreeMulti {
  void operator()(CURLM* multi) const noexcept { curl_multi_cleanup(multi); }
};
using Url = std::unique_ptr<CURLU, FreeUrl>;

std::string part(CURLU* url, CURLUPart which) {
  char* text = nullptr;
  if (curl_url_get(url, which, &text, CURLU_DEFAULT_PORT) != CURLUE_OK) return {};
  const std::unique_ptr<char, FreeText> owned(text);
  return owned.get();
}

Error bad_url(const std::string& url, std::string reason, std::string remedy) {
  return Error{Errc::invalid_argument, "webhook url " + json::in_quotes(url), std::move(reason),
               std::move(remedy)};
}

/// Whether the host is a non-public address, in any spelling.
bool is_private_literal(std::string host) {
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(host.c_str(), nullptr, &hints, &found) != 0) return false;
  const bool open = is_public_address(*found->ai_addr);
  freeaddrinfo(found);
  return !open;
}

/// One exchange under way.
struct Exchange {
  std::uint64_t ticket = 0;
  Outgoing outgoing;
  std::size_t received = 0;
  std::size_t limit = 0;
  bool allow_private = false;
  bool refused_address = false;
  std::unique_ptr<curl_slist, FreeFields> fields;
  std::unique_ptr<CURL, FreeEasy> easy;
};

std::size_t drop_body(char*, std::size_t size, std::size_t count, void* user) {
  auto& exchange = *static_cast<Exchange*>(user);
  exchange.received += size * count;
  return exchange.received > exchange.limit ? 0 : size * count;
}

/// Called for each address before connecting to it.
curl_socket_t open_socket(void* user, curlsocktype, curl_sockaddr* address) {
  auto& exchange = *static_cast<Exchange*>(user);
  if (!exchange.allow_private && !is_public_address(address->addr)) {
    exchange.refused_address = true;
    return CURL_SOCKET_BAD;
  }
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

Answer answer_of(const Exchange& exchange, CURLcode code) {
  long status = 0;
  curl_easy_getinfo(exchange.easy.get(), CURLINFO_RESPONSE_CODE, &status);
  // A body that is too long has been cut off: its status still counts.
  if (code == CURLE_OK || (code == CURLE_WRITE_ERROR && exchange.received > exchange.limit))
    return {static_cast<int>(status), ""};
  if (exchange.refused_address) return {0, "the host's address is outside the public internet"};
  return {0, curl_easy_strerror(code)};
}

class CurlSender final : public Sender {
 public:
  CurlSender(SendOptions options, CURLM* multi) : options_(std::move(options)), multi_(multi) {}
  ~CurlSender() override {
    for (const auto& [easy, exchange] : exchanges_) curl_multi_remove_handle(multi_.get(), easy);
  }
  CurlSender(const CurlSender&) = delete;
  CurlSender& operator=(const CurlSender&) = delete;

  void begin(std::uint64_t ticket, Outgoing outgoing) override {
    auto exchange = std::make_unique<Exchange>();
    exchange->ticket = ticket;
    exchange->outgoing = std::move(outgoing);
    exchange->limit = options_.answer_limit;
    exchange->allow_private = options_.allow_private;
    exchange->easy.reset(curl_easy_init());
    CURL* easy = exchange->easy.get();
    if (easy == nullptr || !set_up(*exchange) || curl_multi_add_handle(multi_.get(), easy) != CURLM_OK) {
      failed_.emplace_back(ticket, Answer{0, "the request could not be set up"});
      return;
    }
    exchanges_.emplace(easy, std::move(exchange));
  }

  std::vector<std::pair<std::uint64_t, Answer>> wait(std::chrono::milliseconds patience) override {
    std::vector<std::pair<std::uint64_t, Answer>> answers = std::move(failed_);
    failed_.clear();
    int running = 0;
    curl_multi_perform(multi_.get(), &running);
    collect(answers);
    if (!answers.empty()) return answers;
    curl_multi_poll(multi_.get(), nullptr, 0, static_cast<int>(patience.count()), nullptr);
    curl_multi_perform(multi_.get(), &running);
    collect(answers);
    return answers;
  }

  void wake() noexcept override { curl_multi_wakeup(multi_.get()); }

 private:
  bool set_up(Exchange& exchange) const {
    const auto count_of = [](std::chrono::milliseconds time) { return static_cast<long>(time.count()); };
    for (const std::string& field : exchange.outgoing.fields) {
      curl_slist* longer = curl_slist_append(exchange.fields.get(), field.c_str());
      if (longer == nullptr) return false;
      static_cast<void>(exchange.fields.release());
      exchange.fields.reset(longer);
    }
    CURL* easy = exchange.easy.get();
    const auto& body = exchange.outgoing.body;
    bool fine = true;
    const auto set = [&](CURLoption option, auto value) {
      fine = fine && curl_easy_setopt(easy, option, value) == CURLE_OK;
    };
    set(CURLOPT_URL, exchange.outgoing.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_PROXY, "");
    set(CURLOPT_FOLLOWLOCATION, 0L);
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    set(CURLOPT_FRESH_CONNECT, 1L);  // an address that was verified once may belong to another host later
    set(CURLOPT_FORBID_REUSE, 1L);
    set(CURLOPT_CONNECTTIMEOUT_MS, count_of(options_.connect_timeout));
    set(CURLOPT_TIMEOUT_MS, count_of(options_.timeout));
    set(CURLOPT_HTTPHEADER, exchange.fields.get());
    set(CURLOPT_POST, 1L);
    set(CURLOPT_POSTFIELDS, body.c_str());
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
    set(CURLOPT_WRITEFUNCTION, drop_body);
    set(CURLOPT_WRITEDATA, static_cast<void*>(&exchange));
    set(CURLOPT_OPENSOCKETFUNCTION, open_socket);
    set(CURLOPT_OPENSOCKETDATA, static_cast<void*>(&exchange));
    if (!options_.authorities.empty()) set(CURLOPT_CAINFO, options_.authorities.c_str());
    return fine;
  }

  void collect(std::vector<std::pair<std::uint64_t, Answer>>& answers) {
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_.get(), &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      CURL* easy = message->easy_handle;
      const CURLcode code = message->data.result;  // `message` dies with the handle
      const auto found = exchanges_.find(easy);
      answers.emplace_back(found->second->ticket, answer_of(*found->second, code));
      curl_multi_remove_handle(multi_.get(), easy);
      exchanges_.erase(found);
    }
  }

  const SendOptions options_;
  std::unique_ptr<CURLM, FreeMulti> multi_;
  std::map<CURL*, std::unique_ptr<Exchange>> exchanges_;
  std::vector<std::pair<std::uint64_t, Answer>> failed_;  // failed before they were begun
};

}  // namespace

Result<void> check_url(const std::string& url, bool allow_private) {
  if (url.size() > kMaxUrl) return bad_url(url, "is longer than 2048 bytes", "shorten it");
  const Url parsed(curl_url());
  if (curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK || url.find('\0') != url.npos)
    return bad_url(url, "is not a URL", "give one like https://example.org/akin");
  const std::string scheme = part(parsed.get(), CURLUPART_SCHEME);
  if (scheme != "http" && scheme != "https")
    return bad_url(url, "is neither http nor https", "give one like https://example.org/akin");
  if (!part(parsed.get(), CURLUPART_USER).empty() || !part(parsed.get(), CURLUPART_PASSWORD).empty())
    return bad_url(url, "names a user", "leave the user out: requests are signed");
  if (!part(parsed.get(), CURLUPART_FRAGMENT).empty())
    return bad_url(url, "has a fragment", "leave out what follows #");
  if (!allow_private && is_private_literal(part(parsed.get(), CURLUPART_HOST))) {
    return bad_url(url, "its address is outside the public internet",
                   "give a public one, or run the server with --webhook-allow-private");
  }
  return {};
}

std::string host_of(const std::string& url) {
  const Url parsed(curl_url());
  curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0);
  return part(parsed.get(), CURLUPART_SCHEME) + "://" + part(parsed.get(), CURLUPART_HOST) + ":" +
         part(parsed.get(), CURLUPART_PORT);
}

Outgoing signed_message(const std::string& url, const std::string& id, std::string body,
                        std::string_view key) {
  const auto now = std::chrono::floor<std::chrono::seconds>(time_now());
  const std::string timestamp = std::to_string(now.time_since_epoch().count());
  std::vector<std::string> fields = {"Content-Type: application/json",
                                     "User-Agent: akin",
                                     "Expect:",
                                     "webhook-id: " + id,
                                     "webhook-timestamp: " + timestamp,
                                     "webhook-signature: " + signature(key, id, timestamp, body)};
  return {url, std::move(fields), std::move(body)};
}

Result<std::unique_ptr<Sender>> Sender::open(const SendOptions& options) {
  static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);
  CURLM* multi = ready == CURLE_OK ? curl_multi_init() : nullptr;
  if (multi == nullptr) return Error{Errc::internal, "webhooks", "libcurl cannot be set up", "report it"};
  return std::make_unique<CurlSender>(options, multi);
}

}  // namespace akin::watch
