// The flag by which commands that read texts know their encoding.
#pragma once

#include <string>

#include "cli/frame/command.h"

namespace akin::cli {

/// Registers --encoding, of plain texts and of pages that declare none (ingest::DocumentReading); `encoding`
/// must live as long as `command`.
void add_encoding_option(Command command, std::string& encoding);

}  // namespace akin::cli
