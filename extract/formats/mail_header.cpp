#include "extract/formats/mail_header.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/ascii.h"
#include "extract/formats/text_encoding.h"

namespace akin::extract {

namespace {

constexpr std::array<std::string_view, 3> kSenders = {"From", "Sender", "Return-Path"};
constexpr std::array<std::string_view, 4> kReceivers = {"To", "Subject", "Cc", "Newsgroups"};
constexpr std::array<std::string_view, 6> kOfPrograms = {"Received",       "Message-ID",   "MIME-Version",
                                                         "DKIM-Signature", "Delivered-To", "X-Mailer"};

}  // namespace

bool begins_as_mail(std::string_view begin) {
  if (begin.starts_with(kUtf8Mark)) begin.remove_prefix(kUtf8Mark.size());
  std::string_view rest = begin.substr(0, kMailHeaderBytes);
  if (rest.starts_with("From ")) rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
  bool from = false, to = false, date = false, sent = false;
  for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
    const std::string_view line = rest.substr(0, end);
    if (is_blank(line)) break;
    rest.remove_prefix(end + 1);
    if (line.front() == ' ' || line.front() == '\t') continue;
    const std::string_view name = line.substr(0, std::min(line.find(':'), line.size()));
    if (name.empty() || name.size() == line.size() ||
        std::ranges::any_of(name, [](char c) { return c <= ' ' || c > '~'; }))
      return false;
    const auto is_one_of = [&](std::span<const std::string_view> names) {
      return std::ranges::any_of(names,
                                 [&](std::string_view one) { return equals_ignoring_case(name, one); });
    };
    from = from || is_one_of(kSenders);
    to = to || is_one_of(kReceivers);
    date = date || equals_ignoring_case(name, "Date");
    sent = sent || is_one_of(kOfPrograms);
  }
  return from && (sent || (to && date));
}

}  // namespace akin::extract
