#include "cli/frame/output.h"

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <utility>

#include "base/visible_text.h"

namespace akin::cli {

namespace {
constexpr std::size_t kOutputBufferBytes = std::size_t{1} << 16;
}  // namespace

Output::Output(int descriptor, std::string name)
    : descriptor_(descriptor), name_(std::move(name)), terminal_(::isatty(descriptor) == 1) {}

Output& Output::operator<<(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= kOutputBufferBytes) write_out();
  return *this;
}

Result<void> Output::flush() {
  write_out();
  if (failure_ != 0) return system_error(failure_, name_, "write");
  return {};
}

void Output::write_out() {
  if (terminal_) buffer_ = visible_text(buffer_);
  std::string_view rest = descriptor_ == kNowhere ? std::string_view() : buffer_;
  while (!rest.empty() && !reader_gone_ && failure_ == 0) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      reader_gone_ = true;
    } else if (errno != EINTR) {
      failure_ = errno;
    }
  }
  buffer_.clear();
}

}  // namespace akin::cli
