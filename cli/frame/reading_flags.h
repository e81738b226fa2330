// The flags that say how files are read which are not plain text.
#pragma once

#include <CLI/App.hpp>

#include "cli/frame/workspace.h"

namespace akin::cli {

/// Adds --ocr and, since they change rarely, settings of the environment or a file only (kSettingFlags).
void add_reading_flags(CLI::App& app, CommonOptions& options);

}  // namespace akin::cli
