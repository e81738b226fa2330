// Random writes into a collection, and what must be there after them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "index/collection/collection.h"

namespace akin::test {

/// One write, all or nothing; it follows from the writer and its number, so that two processes know it.
struct Write {
  std::map<std::string, std::string> put;  ///< id → text
  std::vector<std::string> removed;
};

/// Writers have ids of their own: "w<writer>-…".
Write write_of(std::uint32_t writer, std::uint32_t number);

/// id → text
using Texts = std::map<std::string, std::string>;

void perform(const Write& write, Texts& texts);
/// The error if it was refused.
Result<void> perform(const Write& write, Collection& collection);

/// All that a collection holds.
Texts stored_texts(const Collection& collection);

}  // namespace akin::test
