// What akin and the program akin-extract say to each other, over a socket for each file.
//
// All numbers are little-endian. A request is the magic "AKQ1", the length of the file (u64) and its bytes.
// The answer is "B" as soon as the reader has started, then the magic "AKA2", the length of its body (u64)
// and the body: a byte that is 0 for an error, 1 for a document, 2 for the members of an archive, then the
// fields as `encode_answer` writes them; a string is its length (u32) and its bytes. The magic of a request
// that also takes an archive's members is "AKC1"; for "AKQ1" an archive is an error. "AKF1" is that of a file
// that a filter reads, whose words stand before the file's bytes (with_command). "AKO1" is the same for a
// command whose output may be any bytes; the body of its answer is a byte, 0 and an error or 1 and the bytes.
//
// Before its first request the program sends a greeting over its control socket: "AKG2" and the fields of
// Greeting. A request begins with one byte on the control socket, a set of the rights below, which carries
// the file's socket.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "extract/content.h"
#include "extract/document.h"

namespace akin::extract {

/// A reader may take so many times as long by the clock as it may take of processor time: on a busy machine
/// it gets a part of a processor.
inline constexpr std::uint32_t kClockFactor = 15;

inline constexpr std::string_view kRequestMagic = "AKQ1";
inline constexpr std::string_view kContentMagic = "AKC1";
inline constexpr std::string_view kFilterMagic = "AKF1";
inline constexpr std::string_view kOutputMagic = "AKO1";
inline constexpr std::string_view kAnswerMagic = "AKA2";
/// The reader's first byte: it exists, and what ends it from here on is the file's fault.
inline constexpr std::string_view kBegun = "B";
/// What the reader of a file may do, bits of one byte: start threads; take the time to recognize text in
/// pictures; compare a sample of the text with what its page shows; run a filter.
inline constexpr char kAlone = 1, kThreads = 2, kRecognize = 4, kSample = 8, kFilter = 16;
[[nodiscard]] constexpr bool has_right(char rights, char right) noexcept { return (rights & right) != 0; }
inline constexpr std::string_view kGreetingMagic = "AKG2";
inline constexpr std::size_t kFrameHead = 12;       ///< bytes of a magic and a length
inline constexpr std::size_t kMostGreeting = 1024;  ///< bytes

/// What confines the reading of a file, found by trying each at the program's start.
struct Sandbox {
  bool no_new_privileges = false;
  bool system_calls = false;   ///< seccomp: only those that compute, and use what is open
  std::uint32_t landlock = 0;  ///< version of the kernel's Landlock in use; 0: none
  bool limits = false;         ///< memory, processor time, time, output, open files
  std::string broken;          ///< what a confined process could do all the same; empty is right
  friend bool operator==(const Sandbox&, const Sandbox&) = default;

  /// Whether files may be read: system calls are filtered, and nothing tried succeeded.
  [[nodiscard]] bool holds() const noexcept { return system_calls && limits && broken.empty(); }
  /// Whether filters may run: what files a program of unknown system calls opens, only Landlock limits.
  [[nodiscard]] bool runs_filters() const noexcept { return holds() && landlock > 0; }
};

[[nodiscard]] std::string encode_greeting(const Sandbox& sandbox);
/// Error: corrupt (another version of the program, or another program).
[[nodiscard]] Result<Sandbox> decode_greeting(std::string_view message);

/// The words of a command, and then the bytes of its file.
[[nodiscard]] std::string with_command(const std::vector<std::string>& command, std::string_view bytes);
struct Filtering {
  std::vector<std::string> command;
  std::string_view bytes;
};
/// Error: corrupt.
[[nodiscard]] Result<Filtering> split_command(std::string_view body);

/// A magic and the length of what follows.
[[nodiscard]] std::string frame_head(std::string_view magic, std::uint64_t length);
/// The length. `head` has kFrameHead bytes. Error: corrupt (another magic).
[[nodiscard]] Result<std::uint64_t> read_frame_head(std::string_view magic, std::string_view head);

/// The body of an answer. Of an error the code, the reason and the remedy are sent.
[[nodiscard]] std::string encode_answer(const Result<Document>& answer);

[[nodiscard]] std::string encode_content(const Result<Content>& answer);

[[nodiscard]] std::string encode_output(const Result<std::string>& output);
/// Error: that of the command, with `name` as its subject; file_damaged for what is not an answer.
[[nodiscard]] Result<std::string> decode_output(std::string_view body, const std::string& name);

/// Bytes of the longest body of an answer: of a document, of whose text and hidden text a reader gives
/// `most_text` bytes each; or, of a file that may be one (kContentMagic), of an archive.
[[nodiscard]] std::uint64_t longest_answer(std::string_view magic, std::uint64_t most_text) noexcept;

/// Trusts nothing in it: the text is well-formed UTF-8 without a zero byte, the map is in order and within
/// the text, every string is UTF-8, all lists are bounded. Errors: the one sent, with `name` as its subject,
/// if its code is one that readers give; file_damaged for a body that breaks these rules.
[[nodiscard]] Result<Document> decode_answer(std::string_view body, const std::string& name);
/// The same for a document or the members of an archive, whose names are distinct, and not empty; the subject
/// of their errors is `name`.
[[nodiscard]] Result<Content> decode_content(std::string_view body, const std::string& name);

}  // namespace akin::extract
