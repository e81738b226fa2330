#include "cli/frame/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "cli/frame/format.h"

namespace akin::cli {

using std::chrono::milliseconds;
using std::chrono::seconds;

ProgressLine::ProgressLine(std::string_view verb) : verb_(verb), terminal_(::isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::update(double share, std::uint64_t bytes, std::string_view detail) {
  if (!terminal_) return;
  const auto now = Clock::now();
  if (now - start_ < seconds(2) || now - drawn_ < milliseconds(200)) return;
  drawn_ = now;
  visible_ = true;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  std::string line = verb_ + " " + percent(std::clamp(share, 0.0, 1.0)) + ", ";
  line += detail;
  if (bytes > 0)
    line += ", " + byte_count(static_cast<std::uint64_t>(static_cast<double>(bytes) / elapsed)) + "/s";
  if (share > 0.0) {
    const double left = elapsed / share - elapsed;
    line += ", " + duration(seconds(static_cast<long long>(left))) + " left";
  }
  std::fprintf(stderr, "\r\x1b[K%s", line.c_str());
  std::fflush(stderr);
}

void ProgressLine::clear() {
  if (!visible_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  visible_ = false;
}

}  // namespace akin::cli
