#include "tests/support/store_kind.h"

namespace akin::test {
namespace {

enum class Kind { lmdb, postgresql, opensearch };
Kind kind = Kind::lmdb;

}  // namespace

bool is_lmdb() noexcept { return kind == Kind::lmdb; }
bool is_opensearch() noexcept { return kind == Kind::opensearch; }

void run_over_postgresql() noexcept { kind = Kind::postgresql; }
void run_over_opensearch() noexcept { kind = Kind::opensearch; }

}  // namespace akin::test
