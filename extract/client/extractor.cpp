#include "extract/client/extractor.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/held_memory.h"
#include "base/waiting.h"
#include "extract/formats/formats.h"

namespace akin::extract {

namespace {

using Clock = std::chrono::steady_clock;

/// The program's start, and what a file may last over the limit that the kernel keeps.
constexpr std::chrono::seconds kStart{20}, kGrace{5};
/// How long a file that is being read may not notice Extractor::stop.
constexpr std::chrono::milliseconds kNotice{100};

struct SocketPair {
  FileHandle ours, theirs;
};

Result<SocketPair> socket_pair(int type) {
  int ends[2] = {-1, -1};
  if (::socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends) != 0)
    return system_error(errno, "akin-extract", "make a socket for");
  return SocketPair{FileHandle(ends[0]), FileHandle(ends[1])};
}

/// A connection with a time by which it must have done its work, unless it is stopped before.
class Connection {
 public:
  Connection(int socket, Clock::time_point until, const std::atomic<bool>& stopped)
      : socket_(socket), until_(until), stopped_(stopped) {}

  /// Whether all was sent: the other side may end before.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      if (!wait(POLLOUT)) return false;
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent < 0 && errno != EAGAIN && errno != EINTR) return false;
      if (sent > 0) bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  /// Up to `size` bytes: less where the other side ended, or the time did. They grow as they come.
  std::string receive(std::uint64_t size) {
    constexpr std::uint64_t kChunk = 1U << 20U;
    std::string bytes;
    while (bytes.size() < size && wait(POLLIN)) {
      const std::size_t have = bytes.size();
      bytes.resize(have + static_cast<std::size_t>(std::min(kChunk, size - have)));
      const ssize_t got = ::recv(socket_, bytes.data() + have, bytes.size() - have, MSG_DONTWAIT);
      bytes.resize(have + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
      if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) break;
    }
    return bytes;
  }

 private:
  bool wait(short events) const {
    for (;;) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(until_ - Clock::now());
      if (left.count() <= 0 || stopped_ || stop_of_work().stop_requested()) return false;
      pollfd one{socket_, events, 0};
      const int ready = ::poll(&one, 1, static_cast<int>(std::min(left, kNotice).count()));
      if (ready > 0) return true;
      if (ready < 0 && errno != EINTR) return false;
    }
  }

  int socket_;
  Clock::time_point until_;
  const std::atomic<bool>& stopped_;
};

/// Hands the socket of a file to the program.
bool hand_over(int control, int socket, char byte) {
  iovec data{&byte, 1};
  alignas(cmsghdr) char ancillary[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = ancillary;
  message.msg_controllen = sizeof ancillary;
  cmsghdr* head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(head), &socket, sizeof socket);
  ssize_t sent = 0;
  do {
    sent = ::sendmsg(control, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent == 1;
}

/// Starts the program with `control` as its descriptor 3 and no other of akin's descriptors: LMDB and Asio
/// open databases and connections that programs inherit. It has no environment, no terminal, and a process
/// group of its own, so that Ctrl-C stops akin, which finishes what it began.
Result<pid_t> spawn(const ExtractorOptions& options, int control) {
  const OcrOptions& ocr = options.ocr;
  std::array<std::string, 10> words = {
      options.program.native(),         std::to_string(options.memory),
      std::to_string(options.seconds),  std::to_string(options.most_text),
      ocr.on ? ocr.languages : "",      std::to_string(ocr.pages),
      std::to_string(ocr.seconds),      std::to_string(ocr.pixels),
      std::to_string(ocr.sample_pages), std::to_string(options.most_seconds)};
  std::array<char*, words.size() + 1> arguments{};
  std::ranges::transform(words, arguments.begin(), [](std::string& word) { return word.data(); });
  char* const environment[] = {nullptr};
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0);
  ::posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_RDWR, 0);
  ::posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_RDWR, 0);
  ::posix_spawn_file_actions_adddup2(&actions, control, 3);
  ::posix_spawn_file_actions_addclosefrom_np(&actions, 4);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t none, all;
  ::sigemptyset(&none);
  ::sigfillset(&all);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &all);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  pid_t pid = -1;
  const int failure =
      ::posix_spawn(&pid, words[0].c_str(), &actions, &attributes, arguments.data(), environment);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) return system_error(failure, words[0], "start");
  return pid;
}

Error cannot_read(const std::string& name, const std::string& reason, std::string remedy) {
  return {Errc::type_unsupported, name, "is not plain text, and akin-extract cannot read it: " + reason,
          std::move(remedy)};
}

bool lacks_pages(const Result<Content>& content) {
  const auto* document = content.has_value() ? std::get_if<Document>(&*content) : nullptr;
  return document != nullptr && std::ranges::find(document->alerts, FileAlertKind::pages_without_text,
                                                  &FileAlert::kind) != document->alerts.end();
}

/// Whatever draws a page may end the reader of a file whose text could be read.
bool is_damaged(const Result<Content>& content) {
  return content.has_error() && content.error().code == Errc::file_damaged;
}

}  // namespace

Extractor::~Extractor() = default;

Extractor::Program::~Program() {
  control = FileHandle();  // it ends now; the signal is for one that hangs
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
}

Result<Extractor::ProgramPtr> Extractor::start() const {
  if (options_.program.empty()) {
    return Error{Errc::type_unsupported, "akin-extract", "is not installed",
                 "build akin with poppler, djvulibre, libarchive and libseccomp; docs/formats.md"};
  }
  AKIN_TRY(SocketPair control, socket_pair(SOCK_SEQPACKET));
  AKIN_TRY(const pid_t pid, spawn(options_, control.theirs.get()));
  control.theirs = FileHandle();
  auto program = std::make_shared<Program>(std::move(control.ours), pid, Sandbox());
  pollfd greeting{program->control.get(), POLLIN, 0};
  std::string message(kMostGreeting, '\0');
  const auto wait = std::chrono::duration_cast<std::chrono::milliseconds>(kStart).count();
  const ssize_t got = ::poll(&greeting, 1, static_cast<int>(wait)) == 1
                          ? ::recv(greeting.fd, message.data(), message.size(), MSG_DONTWAIT)
                          : -1;
  if (got <= 0)
    return Error{Errc::io, options_.program.native(), "ended, or hung, at its start", "run it in a terminal"};
  message.resize(static_cast<std::size_t>(got));
  AKIN_TRY(program->sandbox, decode_greeting(message));
  return program;
}

Result<Extractor::ProgramPtr> Extractor::program() {
  const std::lock_guard lock(mutex_);
  if (program_ == nullptr) {
    AKIN_TRY(program_, start());
  }
  return program_;
}

void Extractor::replace(const ProgramPtr& dead) {
  const std::lock_guard lock(mutex_);
  if (program_ == dead) program_ = nullptr;
}

Result<Sandbox> Extractor::sandbox() {
  AKIN_TRY(const ProgramPtr running, program());
  return running->sandbox;
}

Result<Document> Extractor::read(std::string_view bytes, const std::string& name, Sampling sampling) {
  const FileType type = type_of(bytes);
  const bool samples =
      sampling != Sampling::off && type == FileType::pdf && options_.ocr.on && options_.ocr.sample_pages > 0;
  Request request{kRequestMagic, bytes, name, rights_of(type)};
  const Error takes_long{Errc::busy, name, "has pages whose text is to be recognized",
                         "let it be read without waiting for the answer"};
  if (sampling == Sampling::brief && has_right(request.may, kRecognize)) return takes_long;
  if (samples) request.may |= kSample;
  Result<Content> read = answer_to(request);
  if (samples && is_damaged(read)) {
    request.may = rights_of(type);
    read = answer_to(request);
  }
  if (sampling == Sampling::brief && is_to_recognize(type, read)) return takes_long;
  AKIN_TRY(Content content, with_pictures(request, type, std::move(read)));
  if (auto* document = std::get_if<Document>(&content)) return std::move(*document);
  return Error{Errc::file_damaged, name,
               "its reader gave the members of an archive that was not to be unpacked",
               "convert it to text by another program"};
}

Result<Content> Extractor::content(std::string_view bytes, const std::string& name) {
  const FileType type = type_of(bytes);
  const Request request{kContentMagic, bytes, name, rights_of(type)};
  return with_pictures(request, type, answer_to(request));
}

Result<Document> Extractor::filtered(std::string_view bytes, const Filter& filter, const std::string& name) {
  const std::string body = with_command(filter.command, bytes);
  AKIN_TRY(Content content, answer_to({kFilterMagic, body, name, kFilter}));
  if (auto* document = std::get_if<Document>(&content)) return std::move(*document);
  return Error{Errc::file_damaged, name, "its filter gave the members of an archive", ""};
}

Result<std::string> Extractor::output_of(const std::vector<std::string>& command, std::string_view bytes,
                                         const std::string& name) {
  const std::string body = with_command(command, bytes);
  return answer_to<std::string>({kOutputMagic, body, name, kFilter}, decode_output);
}

/// djvulibre reads a document's directory in a thread.
char Extractor::rights_of(FileType type) const {
  if (type == FileType::djvu) return kThreads;
  return type == FileType::picture && options_.ocr.on ? kRecognize : kAlone;
}

bool Extractor::is_to_recognize(FileType type, const Result<Content>& read) const {
  const bool may_lack = type == FileType::pdf || type == FileType::djvu || type == FileType::zip;
  return may_lack && options_.ocr.on && lacks_pages(read);
}

Result<Content> Extractor::with_pictures(Request request, FileType type, Result<Content> read) {
  if (!is_to_recognize(type, read)) return read;
  request.may |= kRecognize;
  Result<Content> again = answer_to(request);
  return again.has_error() ? read : again;
}

Result<Page> Extractor::page(const PageRequest& page, const std::string& name) {
  const std::string body = encode_page_request(page);
  return answer_to<Page>({kPageMagic, body, name, kAlone}, decode_page);
}

Result<PagePicture> Extractor::picture(const PictureRequest& page, const std::string& name) {
  const std::string body = encode_picture_request(page);
  return answer_to<PagePicture>({kPictureMagic, body, name, rights_of(type_of(page.bytes))}, decode_picture);
}

Result<std::vector<PageWords>> Extractor::places(std::string_view bytes, const std::string& name) {
  return answer_to<std::vector<PageWords>>({kPlacesMagic, bytes, name, rights_of(type_of(bytes))},
                                           decode_places);
}

Result<Content> Extractor::answer_to(const Request& request) {
  return answer_to<Content>(request, decode_content);
}

template <class Answer>
Result<Answer> Extractor::answer_to(const Request& request, Decode<Answer> decode) {
  const std::string& name = request.name;
  constexpr int kAttempts = 2;  // akin-extract itself may have died; a file is never the reason
  for (int attempt = 1;; ++attempt) {
    const Result<ProgramPtr> running = program();
    // The machine lacks memory, processes or open files just now: nothing is wrong with the file.
    if (running.has_error() && running.error().code == Errc::busy) return running.error();
    if (running.has_error())
      return cannot_read(name, running.error().what + " " + running.error().reason, running.error().remedy);
    const Sandbox& sandbox = (*running)->sandbox;
    if (!sandbox.holds()) {
      return cannot_read(name, "its sandbox does not hold here: " + sandbox.broken,
                         "run akin on a kernel with seccomp, or convert the file to text by another program");
    }
    if (has_right(request.may, kFilter) && !sandbox.runs_filters()) {
      return Error{Errc::type_unsupported, name,
                   "is for a filter, and filters need Landlock, which the kernel lacks",
                   "run akin on Linux 5.13 or later, or convert the file to text by another program"};
    }
    bool begun = false;
    Result<Answer> answer = ask(**running, request, decode, begun);
    if (stopped_) return Error{Errc::busy, "akin", "is stopping", "try again in a moment"};
    AKIN_CHECK(check_work());
    if (begun || attempt == kAttempts) return answer;
    replace(*running);
  }
}

template <class Answer>
Result<Answer> Extractor::ask(const Program& program, const Request& request, Decode<Answer> decode,
                              bool& begun) const {
  const auto& [magic, bytes, name, may] = request;
  AKIN_TRY(SocketPair file, socket_pair(SOCK_STREAM));
  const Clock::time_point from = Clock::now();
  const std::chrono::seconds of_ocr(has_right(may, kRecognize) ? options_.ocr.seconds : 0);
  const std::chrono::seconds limit = of_ocr + std::chrono::seconds(options_.seconds);
  const auto most = std::max(limit, of_ocr + std::chrono::seconds(options_.most_seconds));
  Connection connection(file.ours.get(), from + kClockFactor * most + kGrace, stopped_);
  const bool handed = hand_over(program.control.get(), file.theirs.get(), may);
  file.theirs = FileHandle();
  // A reader that ends before it has read all says why, or is noticed below.
  if (handed && connection.send(frame_head(magic, bytes.size()))) (void)connection.send(bytes);
  begun = connection.receive(1) == kBegun;
  const std::string head = connection.receive(kFrameHead);
  const Result<std::uint64_t> length = read_frame_head(kAnswerMagic, head);
  if (length.has_value() && *length > longest_answer(magic, options_.most_text)) {
    return Error{Errc::file_damaged, name, "its reader gave an answer longer than any file's may be",
                 "convert it to text by another program"};
  }
  if (length.has_value()) {
    AKIN_TRY(const HeldMemory held, HeldMemory::take(2 * *length));  // received, and decoded
    const std::string body = connection.receive(*length);
    if (body.size() == *length) return decode(body, name);
  }
  if (Clock::now() - from >= limit - std::chrono::milliseconds(100)) {
    return Error{Errc::extraction_timed_out, name,
                 "reading it takes more than " + std::to_string(limit.count()) +
                     " seconds of processor time and one for each 20 pages, or more than " +
                     std::to_string(most.count()) + " seconds",
                 "split it, or raise extract-seconds"};
  }
  return Error{Errc::file_damaged, name, "its reader crashed, or ran out of memory",
               "repair it, or convert it to text by another program"};
}

}  // namespace akin::extract
