// A PostgreSQL server of the tests' own.
#pragma once

#include <memory>
#include <string>

#include "index/pg/pool.h"

namespace akin::test {

/// Whether PostgreSQL is installed. Where it is not, its tests are skipped.
[[nodiscard]] bool has_postgresql();

/// The pool of a server that this process has started, and stops at its end.
[[nodiscard]] std::shared_ptr<pg::Pool> test_database();

/// Makes another database on it; its connection string.
[[nodiscard]] Result<std::string> make_test_database();

}  // namespace akin::test
