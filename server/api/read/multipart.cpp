#include "server/api/read/multipart.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "server/api/target.h"
#include "server/json/quoted.h"

namespace akin::api {

namespace {

constexpr std::size_t kMultipartPieceBytes = std::size_t{64} << 10U;
constexpr std::string_view kBlanks = " \t";

Error malformed(std::string reason) {
  return Error{Errc::invalid_argument, "multipart body", std::move(reason),
               "send multipart/form-data as RFC 7578 describes it, and as curl -F does"};
}

struct HeaderParameter {
  std::string name;  ///< in lower case
  std::string value;
};
/// The value of a header field: "form-data; name=a".
struct HeaderValue {
  std::string main;  ///< before the first semicolon, in lower case
  std::vector<HeaderParameter> parameters;

  [[nodiscard]] const std::string* find(std::string_view name) const noexcept {
    const auto found = std::ranges::find(parameters, name, &HeaderParameter::name);
    return found == parameters.end() ? nullptr : &found->value;
  }
};

/// Removes a quoted string from the beginning of `text`; nothing if it is not closed. A backslash escapes a
/// quote and a backslash only: browsers send the one of a Windows path as it is.
std::optional<std::string> take_quoted(std::string_view& text) {
  std::string value;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '"') {
      text.remove_prefix(i + 1);
      return value;
    }
    const bool escapes =
        text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '"' || text[i + 1] == '\\');
    if (escapes) ++i;
    value += text[i];
  }
  return std::nullopt;
}

std::string_view take_until(std::string_view& text, std::string_view ends) {
  const std::size_t end = std::min(text.find_first_of(ends), text.size());
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(end);
  return trimmed(taken);
}

/// Nothing for a value that is malformed, or names a parameter twice.
std::optional<HeaderValue> header_value(std::string_view text) {
  HeaderValue value;
  value.main = ascii_lower(take_until(text, ";"));
  while (!text.empty()) {
    text.remove_prefix(1);  // the semicolon
    text = trimmed(text);
    if (text.empty()) break;
    HeaderParameter parameter{ascii_lower(take_until(text, "=;")), {}};
    if (parameter.name.empty() || text.empty() || text.front() != '=') return std::nullopt;
    text = trimmed(text.substr(1));
    if (text.starts_with('"')) {
      auto quoted = take_quoted(text);
      if (!quoted || !take_until(text, ";").empty()) return std::nullopt;
      parameter.value = *std::move(quoted);
    } else {
      parameter.value = take_until(text, ";");
    }
    if (value.find(parameter.name) != nullptr) return std::nullopt;
    value.parameters.push_back(std::move(parameter));
  }
  return value;
}

/// Browsers send a quote in a name as %22 (WHATWG HTML, "multipart/form-data encoding").
std::string with_quotes(std::string_view name) {
  std::string decoded;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool quote = name.substr(i).starts_with("%22");
    decoded += quote ? '"' : name[i];
    if (quote) i += 2;
  }
  return decoded;
}

/// The value of `filename*`: charset, language and the percent-encoded name, separated by apostrophes.
Result<std::string> extended_name(std::string_view value) {
  const std::size_t first = value.find('\'');
  const std::size_t second = first == std::string_view::npos ? first : value.find('\'', first + 1);
  if (second == std::string_view::npos || !equals_ignoring_case(value.substr(0, first), "utf-8"))
    return malformed("the parameter filename* of a part is not UTF-8''…");
  return percent_decode(value.substr(second + 1), "filename* in the multipart body", Plus::literal);
}

Result<void> read_disposition(std::string_view text, PartHead& head) {
  const auto value = header_value(text);
  if (!value || value->main != "form-data")
    return malformed("the Content-Disposition of a part is not form-data; name=…");
  const std::string* name = value->find("name");
  if (name == nullptr) return malformed("the Content-Disposition of a part has no name");
  head.name = with_quotes(*name);
  if (const std::string* file = value->find("filename")) head.file_name = with_quotes(*file);
  if (const std::string* file = value->find("filename*")) {
    AKIN_TRY(head.file_name, extended_name(*file));
  }
  return {};
}

/// `line` has no line end.
Result<void> read_field(std::string_view line, PartHead& head, bool& disposed) {
  if (std::ranges::any_of(line, [](char c) { return (c >= 0 && c < ' ' && c != '\t') || c == 0x7f; }))
    return malformed("the header of a part has control characters");
  const std::size_t colon = line.find(':');
  if (colon == 0 || colon == std::string_view::npos || line.find_first_of(kBlanks) < colon)
    return malformed("the header of a part has a line that is not 'name: value'");
  const std::string name = ascii_lower(line.substr(0, colon));
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (name == "content-disposition") {
    if (std::exchange(disposed, true)) return malformed("a part has two fields Content-Disposition");
    return read_disposition(value, head);
  }
  if (name == "content-type") head.content_type = value;
  if (name == "content-transfer-encoding" && !equals_ignoring_case(value, "binary") &&
      !equals_ignoring_case(value, "8bit") && !equals_ignoring_case(value, "7bit")) {
    return Error{Errc::type_unsupported, "multipart body",
                 "a part has the Content-Transfer-Encoding " + json::in_quotes(value.substr(0, 64)),
                 "send the bytes of each file as they are"};
  }
  return {};
}

bool is_boundary(std::string_view text) {
  constexpr std::string_view kOthers = "'()+_,-./:=? ";
  constexpr std::size_t kMost = 70;
  return !text.empty() && text.size() <= kMost && !text.ends_with(' ') &&
         std::ranges::all_of(text, [&](char c) {
           const char lower = ascii_lower(c);
           return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') ||
                  kOthers.find(c) != std::string_view::npos;
         });
}

}  // namespace

Result<std::optional<std::string>> boundary_in(std::string_view content_type) {
  const std::string_view type = trimmed(content_type.substr(0, content_type.find(';')));
  if (!equals_ignoring_case(type, "multipart/form-data")) return std::optional<std::string>();
  const auto value = header_value(content_type);
  const std::string* boundary = value ? value->find("boundary") : nullptr;
  if (boundary != nullptr && is_boundary(*boundary)) return std::optional(*boundary);
  return Error{Errc::invalid_argument, "content type of the body",
               boundary == nullptr ? "multipart/form-data has no boundary" : "the boundary is malformed",
               "let the client write the field Content-Type, as curl -F does"};
}

Result<void> MultipartReader::fill() {
  buffer_.erase(0, at_);
  at_ = 0;
  AKIN_TRY(const std::size_t read, body_.append_to(buffer_, kMultipartPieceBytes));
  if (read == 0) return malformed("it ends before its closing delimiter");
  return {};
}

Result<void> MultipartReader::require(std::size_t bytes) {
  while (rest().size() < bytes) AKIN_CHECK(fill());
  return {};
}

Result<std::string_view> MultipartReader::read() {
  while (!at_delimiter_) {
    const std::string_view bytes = rest();
    const std::size_t found = bytes.find(delimiter_);
    if (found == 0) {
      at_ += delimiter_.size();
      at_delimiter_ = true;
      break;
    }
    // A delimiter may have begun in the last bytes.
    const std::size_t whole = bytes.size() - std::min(bytes.size(), delimiter_.size() - 1);
    const std::size_t given = found == std::string_view::npos ? whole : found;
    if (given > 0) {
      at_ += given;
      return bytes.substr(0, given);
    }
    AKIN_CHECK(fill());
  }
  return std::string_view();
}

Result<bool> MultipartReader::finish_delimiter() {
  AKIN_CHECK(require(2));
  const bool last = rest().starts_with("--");
  if (last) at_ += 2;
  if (last) return false;
  for (std::size_t blanks = 0; kBlanks.find(rest().front()) != std::string_view::npos; ++blanks) {
    if (blanks == kMostPartHead) break;
    ++at_;
    AKIN_CHECK(require(2));
  }
  if (!rest().starts_with("\r\n")) return malformed("a delimiter has something after its boundary");
  at_ += 2;
  return true;
}

Result<PartHead> MultipartReader::read_head() {
  PartHead head;
  bool disposed = false;
  for (std::size_t bytes = 0;;) {
    std::size_t end = rest().find("\r\n");
    while (end == std::string_view::npos && bytes + rest().size() <= kMostPartHead) {
      AKIN_CHECK(fill());
      end = rest().find("\r\n");
    }
    bytes += std::min(end, kMostPartHead);
    if (bytes >= kMostPartHead) {
      return Error{Errc::too_large, "multipart body",
                   "the header of a part has more than " + std::to_string(kMostPartHead) + " bytes",
                   "shorten the file's name"};
    }
    const std::string_view line = rest().substr(0, end);
    if (line.empty()) {
      if (!disposed) return malformed("a part has no Content-Disposition");
      at_ += 2;
      return head;
    }
    AKIN_CHECK(read_field(line, head, disposed));
    at_ += end + 2;
  }
}

Result<void> MultipartReader::skip_epilogue() {
  ended_ = true;
  buffer_.resize(kMultipartPieceBytes);
  for (;;) {
    AKIN_TRY(const std::size_t read, body_.read(buffer_));
    if (read == 0) return {};
  }
}

Result<std::optional<PartHead>> MultipartReader::next() {
  if (ended_) return std::optional<PartHead>();
  for (;;) {
    AKIN_TRY(const std::string_view skipped, read());
    if (skipped.empty()) break;
  }
  AKIN_TRY(const bool more, finish_delimiter());
  if (!more) {
    AKIN_CHECK(skip_epilogue());
    return std::optional<PartHead>();
  }
  AKIN_TRY(PartHead head, read_head());
  at_delimiter_ = false;
  return std::optional(std::move(head));
}

}  // namespace akin::api
