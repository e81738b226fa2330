#include "tests/support/store_kind.h"

namespace akin::test {
namespace {

bool over_lmdb = true;

}  // namespace

bool is_lmdb() noexcept { return over_lmdb; }

void run_over_postgresql() noexcept { over_lmdb = false; }

}  // namespace akin::test
