// Supplement files: forms that a dictionary lists apart from their lemma, joined to it.
//
//     # comment
//     свой: свою свои своего
//     on: -only
//     h: -*
//
// One lemma per line, a colon, its forms; UTF-8. The lemma itself becomes a form too. A form after a minus
// sign does not belong to this lemma, whatever the dictionaries say, and -* drops all forms that they give it
// except the lemma itself.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "base/built_in_list.h"
#include "base/error.h"
#include "dict/read/source.h"

namespace akin {

/// Error: bad_dictionary with file and line for a line without colon, lemma or forms, for bytes that are not
/// UTF-8, and for a lemma or form that is not one word.
[[nodiscard]] Result<EdgeList> read_supplement(std::string_view content, const std::filesystem::path& file);

/// Those that ship with akin, by language.
[[nodiscard]] std::span<const BuiltInList> built_in_supplements() noexcept;

}  // namespace akin
