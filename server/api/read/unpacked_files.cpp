#include "server/api/read/unpacked_files.h"

#include <utility>
#include <variant>

#include "base/waiting.h"
#include "extract/formats/formats.h"
#include "server/api/read/body.h"
#include "server/ingest/input.h"
#include "server/ingest/read_document.h"
#include "server/ingest/read_file.h"

namespace akin::api {

namespace {

/// What is named like a DOCX or EPUB, which are ZIPs too, is left to the reader of documents.
bool may_be_archive(const FormFile& file) {
  const extract::FileType type = extract::type_of(file.bytes);
  const bool is_zip = type == extract::FileType::zip && extract::type_of_name(file.name).empty();
  return (is_zip || type == extract::FileType::archive) && ingest::is_extracted(file.bytes) &&
         ingest::filter_of_name(file.name) == nullptr;
}

Result<extract::Content> content_of(const Call& call, const FormFile& file) {
  const Waiting waiting;
  AKIN_TRY(const auto turn, turn_to_extract(call.service, call.request));
  return ingest::extracted_content(file.bytes, ingest::display_name(file.name));
}

void add_members(const FormFile& archive, extract::Unpacked unpacked, std::vector<UnpackedFile>& to) {
  for (extract::Member& member : unpacked.members) {
    FormFile file{archive.field, archive.name + std::string(ingest::kMemberMark) + member.name, "",
                  std::move(member.bytes)};
    to.push_back({std::move(file), std::move(member.error)});
  }
  if (unpacked.members.empty() && !unpacked.broken)
    unpacked.broken = Error{Errc::invalid_argument, ingest::display_name(archive.name),
                            "is an archive without files", "choose the files themselves"};
  if (unpacked.broken) to.push_back({{archive.field, archive.name, "", ""}, std::move(unpacked.broken)});
}

}  // namespace

Result<std::vector<UnpackedFile>> unpacked_files(const Call& call, std::vector<FormFile> files) {
  std::vector<UnpackedFile> unpacked;
  for (FormFile& file : files) {
    Result<extract::Content> content = extract::Content();
    if (may_be_archive(file)) {
      content = content_of(call, file);
    }
    if (content.has_error() && content.error().code == Errc::busy) return content.error();
    if (content.has_error()) {
      unpacked.push_back({{file.field, file.name, "", ""}, content.error()});
    } else if (auto* members = std::get_if<extract::Unpacked>(&*content)) {
      add_members(file, std::move(*members), unpacked);
    } else {
      unpacked.push_back({std::move(file)});
    }
    if (unpacked.size() > kMostUnpackedFiles)
      return Error{
          Errc::invalid_argument, "form",
          "it has, with those in archives, more than " + std::to_string(kMostUnpackedFiles) + " files",
          "send them in several requests"};
  }
  return unpacked;
}

}  // namespace akin::api
