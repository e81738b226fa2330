// The files of a form and, in place of archives, the files in them.
#pragma once

#include <optional>
#include <vector>

#include "server/api/read/form.h"

namespace akin::api {

/// As many checks of one client may wait.
inline constexpr std::size_t kMostUnpackedFiles = 750;

struct UnpackedFile {
  FormFile file;                      ///< "theses.zip!/ivanova.docx" for a member of an archive
  std::optional<Error> refused = {};  ///< why it cannot be read; it has no bytes then
};

/// Takes the files. An archive within an archive stays one file. Errors: busy (too many files wait to be
/// read); invalid_argument (more than kMostUnpackedFiles).
[[nodiscard]] Result<std::vector<UnpackedFile>> unpacked_files(const Call& call, std::vector<FormFile> files);

}  // namespace akin::api
