// The pages on which a person looks around in a collection, and compares two texts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "server/desk/page.h"
#include "server/json/json.h"

namespace akin::desk {

/// Documents of a collection, as GET /v1/collections/{collection}/documents has them.
struct DocumentList {
  std::string collection;
  json::Json documents;
  std::uint64_t total = 0;
  std::string title = {};  ///< with which the titles begin; empty: all documents
  std::string next = {};   ///< the cursor of the next page; empty: there is none
};
[[nodiscard]] std::string documents_page(const Reader& reader, const DocumentList& list);

/// The page of a document.
[[nodiscard]] std::string document_path(std::string_view collection, std::string_view id);

/// The page that compares two documents of a collection.
[[nodiscard]] std::string compare_path(std::string_view collection, std::string_view a, std::string_view b);

struct DocumentView {
  std::string collection;
  json::Json document;           ///< document_object
  std::string text = {};         ///< what is shown of it; empty: the collection keeps none
  bool is_whole = true;          ///< whether that is the whole text
  bool is_restricted = false;    ///< its text is not shown
  bool may_write = false;        ///< make watches
  json::Json similar = nullptr;  ///< of POST …/similar, if the reader asked for it
};
[[nodiscard]] std::string document_page(const Reader& reader, const DocumentView& view);

/// Two texts, and what they share.
struct ComparedTexts {
  std::string a, b;
  std::string a_name, b_name;  ///< of stored documents; empty: texts that were pasted
  json::Json found = nullptr;  ///< of POST /v1/compare; null: nothing was compared yet
};
[[nodiscard]] std::string compare_page(const Reader& reader, const ComparedTexts& texts);

}  // namespace akin::desk
