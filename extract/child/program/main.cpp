// akin-extract: reads files for akin. Started with one end of a control socket as descriptor 3, it warms its
// libraries up, tries the sandbox, and then forks for each file a process that reads that file alone, in the
// sandbox.
#include <fcntl.h>
#include <libxml/parser.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <charconv>
#include <clocale>
#include <cstdio>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

#include "extract/child/page/ocr.h"
#include "extract/child/page/pdf_view.h"
#include "extract/child/readers.h"
#include "extract/child/run_filter.h"
#include "extract/child/sandbox.h"
#include "extract/client/answer.h"
#include "extract/client/page_answer.h"

namespace akin::extract {
namespace {

constexpr int kControl = 3;

struct Settings {
  Limits limits;
  std::uint64_t most_text = 0;
};

bool write_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(socket, bytes.data(), bytes.size());
    if (wrote <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return true;
}

bool read_all(int socket, char* into, std::size_t size) {
  while (size > 0) {
    const ssize_t got = ::read(socket, into, size);
    if (got <= 0) return false;
    into += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

Error out_of_memory(const Settings& settings) {
  return {Errc::file_too_large, "file",
          "reading it takes more than " + std::to_string(settings.limits.memory >> 20U) + " MiB of memory",
          "split it"};
}

/// What `run`, run_filter or run_command, makes of the file.
template <class Answer>
Result<Answer> run_on_file(std::string_view body, const Settings& settings,
                           Result<Answer> (*run)(const std::vector<std::string>&, std::string_view,
                                                 const Limits&, std::uint64_t)) {
  AKIN_TRY(const Filtering filtering, split_command(body));
  return run(filtering.command, filtering.bytes, settings.limits, settings.most_text);
}

std::string read_page_request(std::string_view body) {
  const Result<PageRequest> request = decode_page_request(body);
  if (request.has_error()) ::_exit(1);
  return encode_page(read_page(*request, "file"));
}

std::string draw_requested_page(std::string_view body) {
  const Result<PictureRequest> request = decode_picture_request(body);
  if (request.has_error()) ::_exit(1);
  return encode_picture(draw_page(*request));
}

/// The body of the answer. `filters`: the request is to have a filter, and this process is not confined.
std::string answer_request(int socket, const Settings& settings, bool filters) {
  char head[kFrameHead];
  if (!read_all(socket, head, sizeof head)) ::_exit(1);
  const std::string_view begin(head, sizeof head);
  const bool any = begin.starts_with(kContentMagic), page = begin.starts_with(kPageMagic);
  const bool output = begin.starts_with(kOutputMagic), picture = begin.starts_with(kPictureMagic);
  const bool places = begin.starts_with(kPlacesMagic);
  const std::string_view magic = filters && output ? kOutputMagic
                                 : filters         ? kFilterMagic
                                 : any             ? kContentMagic
                                 : page            ? kPageMagic
                                 : picture         ? kPictureMagic
                                 : places          ? kPlacesMagic
                                                   : kRequestMagic;
  const auto length = read_frame_head(magic, begin);
  if (length.has_error()) ::_exit(1);
  try {
    std::string bytes(*length, '\0');
    if (!read_all(socket, bytes.data(), bytes.size())) ::_exit(1);
    if (filters && output) return encode_output(run_on_file(bytes, settings, run_command));
    if (filters) return encode_answer(run_on_file(bytes, settings, run_filter));
    if (page) return read_page_request(bytes);
    if (picture) return draw_requested_page(bytes);
    if (places) return encode_places(place_words(bytes));
    if (any) return encode_content(read_content(bytes, settings.most_text));
    return encode_answer(read_file(bytes, settings.most_text));
  } catch (const std::bad_alloc&) {
    return encode_content(out_of_memory(settings));
  } catch (const std::length_error&) {
    return encode_content(out_of_memory(settings));
  } catch (const std::exception& failure) {
    return encode_content(Error{Errc::file_damaged, "file", failure.what(), ""});
  }
}

void end_if_hung_up(int, siginfo_t* info, void*) {
  if ((info->si_band & POLLHUP) != 0) ::_exit(1);
}

/// Ends this process once the other end of the socket is closed: nobody waits for its answer any more.
bool end_with_peer(int socket) {
  struct sigaction action {};
  action.sa_sigaction = end_if_hung_up;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  const int signal = SIGRTMIN;  // one with si_band; an overflow of its queue sends SIGIO, which ends too
  return ::sigaction(signal, &action, nullptr) == 0 && ::fcntl(socket, F_SETSIG, signal) == 0 &&
         ::fcntl(socket, F_SETOWN, ::getpid()) == 0 && ::fcntl(socket, F_SETFL, O_ASYNC) == 0;
}

/// Reads one file in the sandbox, or has a filter read it, which is in a sandbox of its own. Never returns.
[[noreturn]] void serve(int socket, const Settings& settings, bool filters) {
  if (!write_all(socket, kBegun) || !end_with_peer(socket)) ::_exit(1);
  if (!filters && close_sandbox(settings.limits).has_error()) ::_exit(1);
  const std::string body = answer_request(socket, settings, filters);
  const bool sent = write_all(socket, frame_head(kAnswerMagic, body.size())) && write_all(socket, body);
  ::_exit(sent ? 0 : 1);
}

struct Request {
  int socket = -1;
  char may = kAlone;
};

/// The next file; nothing when akin has ended.
std::optional<Request> next_request() {
  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t got = 0;
  do {
    got = ::recvmsg(kControl, &message, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  const cmsghdr* head = CMSG_FIRSTHDR(&message);
  if (got != 1 || head == nullptr || head->cmsg_type != SCM_RIGHTS) return std::nullopt;
  Request request;
  std::memcpy(&request.socket, CMSG_DATA(head), sizeof request.socket);
  request.may = byte;
  return request;
}

int run(Settings settings) {
  ::prctl(PR_SET_NAME, "akin-extract");
  std::set_new_handler(nullptr);  // djvulibre sets one that throws what nobody can catch
  std::setlocale(LC_CTYPE, "C.UTF-8");
  xmlInitParser();
  warm_up_pdf();
  if (!write_all(kControl, encode_greeting(probe_sandbox(settings.limits)))) return 1;
  ::signal(SIGCHLD, SIG_IGN);  // the kernel forgets ended processes
  // A service manager signals every process of akin; this one ends with akin, which may have files to finish.
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) ::signal(signal, SIG_IGN);
  while (const std::optional<Request> request = next_request()) {
    const bool recognizes = has_right(request->may, kRecognize), samples = has_right(request->may, kSample);
    if (recognizes || samples) {
      warm_up_pictures();
      Ocr::of_process().load();
    }
    if (::fork() == 0) {
      ::close(kControl);
      settings.limits.threads = has_right(request->may, kThreads);
      if (recognizes) {
        settings.limits.seconds += Ocr::of_process().options().seconds;
        settings.limits.most_seconds += Ocr::of_process().options().seconds;
      }
      Ocr::of_process().begin_file(recognizes, samples);
      serve(request->socket, settings, has_right(request->may, kFilter));
    }
    ::close(request->socket);  // where no process could be started, akin reads the end of the socket
  }
  return 0;
}

bool read_number(const char* text, std::uint64_t& into) {
  const char* end = text + std::strlen(text);
  const auto [stop, failure] = std::from_chars(text, end, into);
  return failure == std::errc() && stop == end;
}

}  // namespace
}  // namespace akin::extract

/// akin-extract MEMORY SECONDS TEXT LANGUAGES PAGES SECONDS PIXELS SAMPLE MOST: the limits of each file in
/// bytes, seconds and bytes; then those of the recognition of text, with no languages where it is off; the
/// seconds of a file with many pages.
int main(int count, char** arguments) {
  akin::extract::Settings settings;
  std::uint64_t seconds = 0, most_seconds = 0;
  akin::extract::OcrOptions ocr;
  std::uint64_t ocr_pages = 0, ocr_seconds = 0, sample_pages = 0;
  constexpr int kArguments = 10;
  const bool right = count == kArguments &&
                     akin::extract::read_number(arguments[1], settings.limits.memory) &&
                     akin::extract::read_number(arguments[2], seconds) &&
                     akin::extract::read_number(arguments[3], settings.most_text) &&
                     akin::extract::read_number(arguments[5], ocr_pages) &&
                     akin::extract::read_number(arguments[6], ocr_seconds) &&
                     akin::extract::read_number(arguments[7], ocr.pixels) &&
                     akin::extract::read_number(arguments[8], sample_pages) &&
                     akin::extract::read_number(arguments[9], most_seconds);
  ::close_range(akin::extract::kControl + 1, ~0U, 0);  // akin closes them too
  if (!right || ::fcntl(akin::extract::kControl, F_GETFD) < 0) {
    std::fputs("akin-extract is started by akin, to read PDF, DOCX and other files\n", stderr);
    return 2;
  }
  settings.limits.seconds = static_cast<std::uint32_t>(seconds);
  settings.limits.most_seconds = static_cast<std::uint32_t>(most_seconds);
  ocr.languages = arguments[4];
  ocr.on = !ocr.languages.empty();
  ocr.pages = static_cast<std::uint32_t>(ocr_pages);
  ocr.seconds = static_cast<std::uint32_t>(ocr_seconds);
  ocr.sample_pages = static_cast<std::uint32_t>(sample_pages);
  akin::extract::Ocr::of_process().configure(std::move(ocr));
  return akin::extract::run(settings);
}
