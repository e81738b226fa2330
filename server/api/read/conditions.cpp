#include "server/api/read/conditions.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

#include "base/ascii.h"
#include "base/rfc3339.h"
#include "server/json/quoted.h"

namespace akin::api {

namespace {

constexpr std::string_view kIfMatch = "if-match";
constexpr std::string_view kIfNoneMatch = "if-none-match";

struct Tag {
  bool weak = false;
  std::string_view opaque;  ///< with its quotes
};

/// The value of such a field: `*`, or a list of tags.
struct TagList {
  bool any = false;
  std::vector<Tag> tags;

  /// Whether a tag matches the revision, by strong or by weak comparison.
  [[nodiscard]] bool names(Revision revision, bool strongly) const {
    const std::string own = entity_tag(revision);
    return any || std::ranges::any_of(
                      tags, [&](const Tag& tag) { return tag.opaque == own && !(strongly && tag.weak); });
  }
};

/// etagc: a visible character except the double quote, or a non-ASCII byte.
bool is_tag_character(char c) noexcept {
  const auto byte = static_cast<unsigned char>(c);
  return byte == 0x21 || (byte >= 0x23 && byte != 0x7f);
}

/// Removes one entity tag from the beginning of `rest`; nullopt if there is none.
std::optional<Tag> take_tag(std::string_view& rest) {
  Tag tag;
  tag.weak = rest.starts_with("W/");
  if (tag.weak) rest.remove_prefix(2);
  if (!rest.starts_with('"')) return std::nullopt;
  std::size_t end = 1;
  while (end < rest.size() && is_tag_character(rest[end])) ++end;
  if (end == rest.size() || rest[end] != '"') return std::nullopt;
  tag.opaque = rest.substr(0, end + 1);
  rest.remove_prefix(end + 1);
  return tag;
}

std::optional<TagList> parse_list(std::string_view rest) {
  rest = trimmed(rest);
  if (rest == "*") return TagList{true, {}};
  TagList list;
  while (!rest.empty()) {
    if (rest.front() != ',') {
      const std::optional<Tag> tag = take_tag(rest);
      if (!tag) return std::nullopt;
      list.tags.push_back(*tag);
      rest = trimmed(rest);
      if (!rest.empty() && rest.front() != ',') return std::nullopt;
    }
    if (!rest.empty()) rest.remove_prefix(1);
    rest = trimmed(rest);
  }
  if (list.tags.empty()) return std::nullopt;
  return list;
}

Error refused(std::string_view name, std::string reason) {
  return Error{Errc::invalid_argument, "field " + in_quotes(name), std::move(reason),
               "give entity tags as GET returned them, in quotes, or *"};
}

/// `value`: the field's value, which must outlive the list.
Result<std::optional<TagList>> read_list(const std::optional<std::string>& value, std::string_view name) {
  if (!value) return std::optional<TagList>();
  std::optional<TagList> list = parse_list(*value);
  if (!list) return refused(name, in_quotes(*value) + " is not a list of entity tags");
  return list;
}

/// The revision in a tag that entity_tag() made; nullopt for any other tag.
std::optional<Revision> revision_of(std::string_view tag) {
  const std::string_view digits = tag.substr(1, tag.size() - 2);
  Revision revision;
  const auto [end, failure] =
      std::from_chars(digits.data(), digits.data() + digits.size(), revision.value, 16);
  if (failure != std::errc() || entity_tag(revision) != tag) return std::nullopt;
  return revision;
}

}  // namespace

std::string entity_tag(Revision revision) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), revision.value, 16).ptr;
  return '"' + std::string(digits.data(), end) + '"';
}

Result<Precondition> write_condition(const Request& request) {
  const auto if_match = request.header(kIfMatch);
  const auto if_none_match = request.header(kIfNoneMatch);
  AKIN_TRY(const auto wanted, read_list(if_match, kIfMatch));
  AKIN_TRY(const auto unwanted, read_list(if_none_match, kIfNoneMatch));
  if (wanted && unwanted) return refused(kIfNoneMatch, "given together with 'if-match'");
  Precondition condition;
  if (unwanted) {
    if (!unwanted->any) return refused(kIfNoneMatch, "a write accepts only *");
    condition.kind = Precondition::Kind::absent;
  } else if (wanted) {
    condition.kind = wanted->any ? Precondition::Kind::present : Precondition::Kind::revision_in;
    for (const Tag& tag : wanted->tags) {
      const std::optional<Revision> revision = revision_of(tag.opaque);
      if (revision && !tag.weak) condition.revisions.push_back(*revision);
    }
  }
  return condition;
}

Result<Freshness> freshness(const Request& request, Revision revision) {
  const auto if_match = request.header(kIfMatch);
  const auto if_none_match = request.header(kIfNoneMatch);
  AKIN_TRY(const auto wanted, read_list(if_match, kIfMatch));
  AKIN_TRY(const auto unwanted, read_list(if_none_match, kIfNoneMatch));
  if (wanted && !wanted->names(revision, true)) return Freshness::not_wanted;
  if (unwanted && unwanted->names(revision, false)) return Freshness::not_changed;
  return Freshness::changed;
}

Error other_revision(std::string_view id, Revision revision) {
  return {Errc::precondition_failed, "document " + in_quotes(id),
          "it has a different revision, stored " + format_rfc3339(revision.value),
          "leave 'If-Match' out to read it"};
}

}  // namespace akin::api
