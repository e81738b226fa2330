// What a collection stores of a file that was sent to it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "index/collection/collection.h"
#include "server/api/read/body.h"

namespace akin::api {

/// What a request says of a file beside its bytes.
struct GivenOfFile {
  std::string_view id;                             ///< of the document
  std::optional<std::string_view> title = {};      ///< nothing: the file's own
  std::string_view metadata = {};                  ///< JSON, or empty
  std::optional<std::string_view> file_name = {};  ///< nothing: the id is the name that is kept
};

/// A file as it was read, with what is stored besides its text.
struct FileSource {
  extract::Document file;
  std::string id, title, metadata, places;
  std::optional<StoredFile> kept;  ///< name and media type, if the collection keeps files

  /// A view of this and of the file's bytes.
  [[nodiscard]] SourceDocument document(std::string_view bytes) const;
};

/// Reads the file in the body of `request`. Errors: as body_document and joined_metadata.
[[nodiscard]] Result<FileSource> read_file_source(const Service& service, const Request& request,
                                                  const BodyType& type, const GivenOfFile& given,
                                                  bool keeps_files);

}  // namespace akin::api
