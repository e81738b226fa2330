#include "server/api/read/file_source.h"

#include "extract/text_layout.h"
#include "server/api/read/metadata.h"
#include "server/ingest/places.h"
#include "server/ingest/read_document.h"

namespace akin::api {

SourceDocument FileSource::document(std::string_view bytes) const {
  std::optional<FileView> original;
  if (kept) original = FileView{kept->name, kept->media_type, bytes};
  return {.id = id,
          .title = title,
          .metadata = metadata,
          .text = file.text,
          .file = FileOrigin{.sha256 = *file.sha256},
          .places = places,
          .original = original};
}

Result<FileSource> read_file_source(const Service& service, const Request& request, const BodyType& type,
                                    const GivenOfFile& given, bool keeps_files) {
  FileSource source;
  AKIN_TRY(source.file, body_document(service, request, type, extract::Sampling::off,
                                      std::string(given.file_name.value_or(""))));
  AKIN_TRY(source.metadata, joined_metadata(ingest::file_metadata(source.file), given.metadata));
  source.places = ingest::encode_places(source.file);
  if (keeps_files) source.kept = body_file(request, type, source.file, given.file_name.value_or(given.id));
  source.id = given.id;
  source.title = given.title.value_or(extract::whole_characters(source.file.metadata.title, kMaxTitleBytes));
  return source;
}

}  // namespace akin::api
