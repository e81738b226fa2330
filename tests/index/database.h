// A PostgreSQL server of the tests' own.
#pragma once

#include <memory>
#include <string>

#include "index/pg/connection.h"

namespace akin::test {

/// The pool of a server that this process has started, with a new database; the same for all tests of a
/// process. Null where PostgreSQL is not installed: its tests skip.
[[nodiscard]] std::shared_ptr<pg::Pool> test_database();

}  // namespace akin::test
