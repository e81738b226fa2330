#include "server/gate/groups.h"

#include <algorithm>
#include <utility>

#include "base/files.h"
#include "base/hash.h"
#include "base/hex.h"
#include "server/json/quoted.h"
#include "server/json/strict_json.h"

namespace akin::gate {

namespace {

using json::Json;
using state::Table;
using state::Writer;

std::string group_named(std::string_view id) { return "duplicate group " + json::in_quotes(id); }

Error not_found(std::string_view id) {
  return Error{Errc::not_found, group_named(id), "does not exist",
               "list the groups of the collection (akin gate groups)"};
}

Error corrupt(std::string_view id) {
  return Error{Errc::corrupt, group_named(id), "its stored record is not a group",
               "restore the state from a backup"};
}

// Groups are stored by collection and id, as an array of the documents' ids. The group of a document is
// stored under a hash of its id, as an object of the ids that have this hash: an id may be longer than a key.

std::string member_key(std::string_view collection, std::string_view document) {
  SpellingHash hash;
  for (const char byte : document) hash.add(static_cast<unsigned char>(byte));
  return state::pair_key(collection, hex16(hash.value()));
}

Result<Json> parse(std::string_view id, std::string_view value) {
  auto parsed = json::parse_json(value, json::kAnyJsonValues);
  if (parsed.has_error()) return corrupt(id);
  return *std::move(parsed);
}

Result<Group> read_group(std::string_view id, std::string_view value) {
  AKIN_TRY(const Json documents, parse(id, value));
  Group group{std::string(id), {}};
  if (!documents.is_array()) return corrupt(id);
  for (const Json& document : documents) {
    if (!document.is_string()) return corrupt(id);
    group.documents.push_back(document.get<std::string>());
  }
  return group;
}

Result<void> write_group(Writer& writer, std::string_view collection, const Group& group) {
  return writer.put(Table::groups, state::pair_key(collection, group.id), Json(group.documents).dump());
}

/// Records `group` as the group of the document; an empty one removes it.
Result<void> set_member(Writer& writer, std::string_view collection, const std::string& document,
                        std::string_view group) {
  const std::string key = member_key(collection, document);
  AKIN_TRY(const auto before, writer.get(Table::group_members, key));
  Json groups = Json::object();
  if (before) {
    AKIN_TRY(groups, parse(document, *before));
  }
  if (group.empty()) {
    groups.erase(document);
  } else {
    groups[document] = group;
  }
  if (!groups.empty()) return writer.put(Table::group_members, key, groups.dump());
  AKIN_CHECK(writer.erase(Table::group_members, key));
  return {};
}

Result<Group> find_group(const Writer& writer, std::string_view collection, std::string_view id) {
  AKIN_TRY(const auto value, writer.get(Table::groups, state::pair_key(collection, id)));
  if (!value) return not_found(id);
  return read_group(id, *value);
}

Result<void> make_group(Writer& writer, std::string_view collection, const Group& group) {
  AKIN_CHECK(write_group(writer, collection, group));
  for (const std::string& document : group.documents) {
    AKIN_CHECK(set_member(writer, collection, document, group.id));
  }
  return {};
}

std::string new_id() { return "group-" + random_token(); }

Result<std::string> group_of(std::string_view value, std::string_view document) {
  AKIN_TRY(const Json groups, parse(document, value));
  const auto found = groups.find(document);
  return found != groups.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

Result<Group> Groups::get(std::string_view collection, std::string_view id) const {
  AKIN_TRY(const auto value, state_->get(Table::groups, state::pair_key(collection, id)));
  if (!value) return not_found(id);
  return read_group(id, *value);
}

Result<std::optional<Group>> Groups::of(std::string_view collection, std::string_view document) const {
  AKIN_TRY(const auto value, state_->get(Table::group_members, member_key(collection, document)));
  if (!value) return std::optional<Group>();
  AKIN_TRY(const std::string id, group_of(*value, document));
  if (id.empty()) return std::optional<Group>();
  AKIN_TRY(Group group, get(collection, id));
  return std::optional(std::move(group));
}

Result<std::vector<Group>> Groups::list(std::string_view collection, std::string_view after,
                                        std::size_t limit) const {
  const std::string prefix = state::pair_key(collection, "");
  AKIN_TRY(const auto entries, state_->list(Table::groups, prefix,
                                            after.empty() ? "" : state::pair_key(collection, after), limit));
  std::vector<Group> groups;
  for (const state::Entry& entry : entries) {
    AKIN_TRY(Group group, read_group(std::string_view(entry.key).substr(prefix.size()), entry.value));
    groups.push_back(std::move(group));
  }
  return groups;
}

Result<std::uint64_t> Groups::count(std::string_view collection) const {
  AKIN_TRY(const auto entries, state_->list(Table::groups, state::pair_key(collection, ""), "", SIZE_MAX));
  return entries.size();
}

Result<Group> Groups::make(std::string_view collection, const std::vector<std::string>& documents) {
  const Group group{new_id(), documents};
  AKIN_CHECK(state_->write([&](Writer& writer) { return make_group(writer, collection, group); }));
  return group;
}

Result<Group> Groups::add(std::string_view collection, std::string_view id, std::string_view document,
                          const IsStored& is_stored) {
  AKIN_TRY(const Group before, get(collection, id));
  std::vector<std::string> gone;
  for (const std::string& member : before.documents) {
    AKIN_TRY(const bool there, is_stored(member));
    if (!there) gone.push_back(member);
  }
  Group group;
  const auto change = [&](Writer& writer) -> Result<void> {
    AKIN_TRY(group, find_group(writer, collection, id));
    for (const std::string& member : gone) {
      if (std::erase(group.documents, member) > 0) AKIN_CHECK(set_member(writer, collection, member, ""));
    }
    group.documents.emplace_back(document);
    AKIN_CHECK(write_group(writer, collection, group));
    return set_member(writer, collection, group.documents.back(), id);
  };
  AKIN_CHECK(state_->write(change));
  return group;
}

Result<std::pair<Group, Group>> Groups::split(std::string_view collection, std::string_view id,
                                              const std::vector<std::string>& documents) {
  Group rest;
  Group taken{new_id(), {}};
  const auto change = [&](Writer& writer) -> Result<void> {
    AKIN_TRY(rest, find_group(writer, collection, id));
    taken.documents.clear();
    for (const std::string& document : documents) {
      if (std::erase(rest.documents, document) == 0) {
        return Error{Errc::invalid_argument, "document " + json::in_quotes(document),
                     "is not in " + group_named(id), "name each document of the new group once"};
      }
      taken.documents.push_back(document);
    }
    if (taken.documents.empty() || rest.documents.empty()) {
      return Error{Errc::invalid_argument, group_named(id), "either part would be empty",
                   "name some of its documents, not all"};
    }
    AKIN_CHECK(write_group(writer, collection, rest));
    return make_group(writer, collection, taken);
  };
  AKIN_CHECK(state_->write(change));
  return std::pair(std::move(rest), std::move(taken));
}

Result<void> Groups::leave(std::string_view collection, std::string_view document) {
  AKIN_TRY(const auto in, of(collection, document));
  if (!in) return {};
  return state_->write([&](Writer& writer) -> Result<void> {
    const std::string name(document);
    AKIN_TRY(Group group, find_group(writer, collection, in->id));
    std::erase(group.documents, name);
    AKIN_CHECK(set_member(writer, collection, name, ""));
    if (!group.documents.empty()) return write_group(writer, collection, group);
    AKIN_CHECK(writer.erase(Table::groups, state::pair_key(collection, group.id)));
    return {};
  });
}

Result<void> Groups::forget(std::string_view collection) {
  for (const Table table : {Table::groups, Table::group_members}) {
    AKIN_TRY(const auto entries, state_->list(table, state::pair_key(collection, ""), "", SIZE_MAX));
    const auto change = [&](Writer& writer) -> Result<void> {
      for (const state::Entry& entry : entries) AKIN_CHECK(writer.erase(table, entry.key));
      return {};
    };
    AKIN_CHECK(state_->write(change));
  }
  return {};
}

}  // namespace akin::gate
