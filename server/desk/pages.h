// The pages of the desk around a report: handing in, the list of checks, collections.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "server/desk/page.h"
#include "server/json/json.h"

namespace akin::desk {

struct CollectionLine {
  std::string name;
  std::uint64_t documents = 0;
  std::uint64_t text_bytes = 0;
};

/// The form that checks files or a text; the fields are those of docs/desk.md.
[[nodiscard]] std::string hand_in_page(const Reader& reader, const std::vector<CollectionLine>& collections,
                                       const std::vector<std::string>& policies);

/// What became of one of several files.
struct TakenFile {
  std::string name;
  json::Json check = nullptr;  ///< check_summary, or what has been handed in, which has a state
  json::Json error = nullptr;  ///< error_object: it was not checked
};
[[nodiscard]] std::string taken_page(const Reader& reader, const std::vector<TakenFile>& files);

struct CaseList {
  std::vector<json::Json> waiting;  ///< handed in and not done, the newest first
  std::vector<json::Json> checks;   ///< as check_summary, the newest first
  /// What is shown: `part` of title, owner or id; `since` and `until` dates. Empty: all.
  std::string verdict, state, part, owner, collection, since, until, least_words;
  std::vector<std::string> collections;  ///< that the reader may choose from
  std::string older;                     ///< the id after which the next page begins; empty: there is none
  bool is_newest = true;
  bool may_decide = false;
  /// By state, of all that are shown, on this page and further ones; empty: they were not counted.
  std::map<std::string, std::uint64_t> counts = {};
  std::uint64_t more_than = 0;  ///< there are so many that they were not counted further

  [[nodiscard]] bool is_filtered() const noexcept;
};
/// Whether the check, or its check_summary, is open and passed without any source.
[[nodiscard]] bool is_acceptable_unread(const json::Json& check);
[[nodiscard]] std::string cases_page(const Reader& reader, const CaseList& list);

/// A check that was handed in and is not done: its state, and the reason if it failed.
[[nodiscard]] std::string waiting_page(const Reader& reader, const json::Json& hand_in);

/// The report with what a person can do with it.
struct CaseView {
  const json::Json& check;
  std::string report;                    ///< HTML (desk::report)
  std::vector<std::string> collections;  ///< where it can be stored; empty: nowhere
  bool may_decide = false;
  std::string links;  ///< HTML (desk::links_part); empty: the reader may not make any
};
[[nodiscard]] std::string case_page(const Reader& reader, const CaseView& view);

[[nodiscard]] std::string collections_page(const Reader& reader, const std::vector<CollectionLine>& list,
                                           bool may_make, bool may_write);

/// What became of an upload into a collection.
struct UploadCounts {
  std::string collection;
  std::uint64_t stored = 0, unchanged = 0, refused_total = 0;
  std::vector<json::Json> refused = {};  ///< error_object of the first of them
  std::uint64_t without_words = 0;       ///< of the stored ones
  std::string wordless = {};             ///< the names of the first of these, with commas between them
};
[[nodiscard]] std::string upload_page(const Reader& reader, const UploadCounts& counts);

/// `error`: error_object. Below it is what the person wrote into the form that is answered, with the way
/// back to its page.
[[nodiscard]] std::string error_page(const Reader& reader, const json::Json& error);

}  // namespace akin::desk
