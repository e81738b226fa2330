// Over which state a program's tests run: LMDB's in a folder, else PostgreSQL's in a database of the test's
// own.
#pragma once

#include <memory>
#include <string>

#include "server/state/state.h"
#include "tests/support/database.h"
#include "tests/support/store_kind.h"
#include "tests/support/temporary_folder.h"

namespace akin::test {

class StatePlace {
 public:
  [[nodiscard]] std::shared_ptr<state::State> open() const {
    return (is_lmdb() ? state::State::open(folder_.path()) : state::State::open_database(conninfo_)).value();
  }
  /// The database's name; LMDB's has none.
  [[nodiscard]] std::string database() const { return conninfo_.substr(conninfo_.rfind('=') + 1); }

 private:
  TemporaryFolder folder_;
  const std::string conninfo_ = is_lmdb() ? std::string() : make_test_database().value();
};

}  // namespace akin::test
