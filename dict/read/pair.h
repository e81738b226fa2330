// The file names of a dictionary.
#pragma once

#include <filesystem>

namespace akin {

/// The two files of a Hunspell dictionary.
struct DictionaryPair {
  std::filesystem::path aff;
  std::filesystem::path dic;
};

}  // namespace akin
