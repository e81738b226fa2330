// What every target of a reader asks of a document that the reader made.
#pragma once

#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "extract/child/archive.h"
#include "extract/child/builder.h"
#include "extract/client/answer.h"
#include "tests/fuzz/time_per_byte.h"

namespace akin::fuzz {

inline constexpr std::uint64_t kMostText = 1U << 20U;

/// Aborts if the document cannot be sent as it is.
inline void check_sent(extract::DocumentBuilder builder) {
  const auto document = std::move(builder).take("file");
  if (document.has_error()) return;
  const auto sent = extract::decode_answer(extract::encode_answer(document), "file");
  if (sent.has_error() || !(*sent == *document)) std::abort();
}

/// Reads `content` by read(content, builder): whatever it accepts can be sent. Aborts too if a longer one,
/// made by repetition, takes more than time in proportion to its length.
template <class Read>
void check_reader(std::string_view content, const Repetition& repetition, const Read& read) {
  check_time(content, repetition, [&](std::string_view repeated) {
    extract::DocumentBuilder builder("file", kMostText);
    (void)read(repeated, builder);
  });
  extract::DocumentBuilder builder("file", kMostText);
  if (read(content, builder).has_value()) check_sent(std::move(builder));
}

/// The same of a format whose files are archives. `input`: members parted by 0x1e, each with its name as its
/// first line. The content of the last one is repeated, as that of the member `main`, for the time.
template <class Read>
void check_package(std::string_view input, const std::string& main, const Repetition& repetition,
                   const Read& read) {
  constexpr char kSeparator = 0x1e;
  std::map<std::string, std::string> members;
  std::string_view content;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = input.find(kSeparator);
    const std::string_view member = input.substr(0, end);
    const std::size_t line = std::min(member.find('\n'), member.size());
    content = member.substr(std::min(line + 1, member.size()));
    members[std::string(member.substr(0, line))] = content;
    if (end != std::string_view::npos) input.remove_prefix(end + 1);
  }
  check_time(content, repetition, [&](std::string_view repeated) {
    auto longer = members;
    longer[main] = repeated;
    extract::DocumentBuilder builder("file", kMostText);
    (void)read(extract::Archive(std::move(longer)), builder);
  });
  extract::DocumentBuilder builder("file", kMostText);
  if (read(extract::Archive(std::move(members)), builder).has_value()) check_sent(std::move(builder));
}

}  // namespace akin::fuzz
