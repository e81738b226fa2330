// Over which state a program's tests run: LMDB's in a folder, else PostgreSQL's in a database of the test's
// own.
#pragma once

#include <memory>
#include <string>

#include "server/state/state.h"
#ifdef AKIN_TEST_POSTGRESQL
#include "tests/index/database.h"
#endif
#include "tests/index/store_kind.h"
#include "tests/index/temporary_folder.h"

namespace akin::test {

class StatePlace {
 public:
#ifdef AKIN_TEST_POSTGRESQL
  [[nodiscard]] std::shared_ptr<state::State> open() const {
    return state::State::open_database(conninfo_).value();
  }
  /// The database's name.
  [[nodiscard]] std::string database() const { return conninfo_.substr(conninfo_.rfind('=') + 1); }

 private:
  const std::string conninfo_ = make_test_database().value();
#else
  [[nodiscard]] std::shared_ptr<state::State> open() const {
    return state::State::open(folder_.path()).value();
  }

 private:
  TemporaryFolder folder_;
#endif
};

}  // namespace akin::test
