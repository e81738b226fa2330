// What the system reads from the disk before a page fault asks for it. A search touches single pages all over
// the map, so environments are mapped with MDB_NORDAHEAD: a fault reads one page, and not the megabytes
// around it. Where it is known which pages come next, they are announced here, and the disk reads them at
// once.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

struct MDB_txn;

namespace akin::lmdb {

struct EnvState;
struct Table;

/// The page that a byte of the map is in; `page_bytes` is a power of two.
inline const char* page_of(const char* byte, std::size_t page_bytes) noexcept {
  return byte - (std::bit_cast<std::uintptr_t>(byte) & (page_bytes - 1));
}

/// Announces a value of the map that is about to be read whole. Short ones cost nothing.
void announce_value(std::string_view value) noexcept;

/// Announces the pages of a table that lead to keys, which ascend, level by level, and their values: as many
/// waits for the disk as the table's tree has levels. Costs some microseconds a key. For read transactions.
void announce_keys(MDB_txn* txn, const Table& table, std::span<const std::string> keys,
                   std::size_t page_bytes);

/// Counts pages that a read transaction has read, and lets go of all mapped pages when they are more than
/// Options::held_pages. What was read of them stays valid: the next read of a page maps it again.
void count_read(EnvState& env, MDB_txn* txn, std::uint64_t pages) noexcept;

/// Lets go of all pages of the map, as Options::held_pages wants it after so many reads and after each
/// commit. `txn`: of a reader, since a writer's pages are elsewhere until it commits.
void let_go_of_pages(const EnvState& env, MDB_txn* txn) noexcept;

/// How often this thread has waited for a page from the disk.
[[nodiscard]] std::uint64_t disk_waits() noexcept;

/// Notices that a series of reads waits for the disk, so that the rest of it should be announced: an index
/// that is larger than the memory has some of its pages there.
class ColdReads {
 public:
  /// Whether one in kShare of the reads before this one waited, and two at least; true at most once.
  /// Announcing a key costs as much as a sixteenth of a wait.
  [[nodiscard]] bool found_before(std::size_t read) noexcept {
    if (found_ || read == 0 || read % kStep != 0) return false;
    const std::uint64_t waits = disk_waits() - waits_;
    found_ = waits >= 2 && waits * kShare >= read;
    return found_;
  }

 private:
  static constexpr std::size_t kStep = 4;
  static constexpr std::uint64_t kShare = 16;
  std::uint64_t waits_ = disk_waits();
  bool found_ = false;
};

/// While one lives, page faults of an environment also read what follows in the file: for those that read
/// most of it. Must not outlive the transaction or the stay in the gate in which it was made.
class Scan {
 public:
  Scan(EnvState& env, MDB_txn* txn) noexcept;
  Scan(const Scan&) = delete;
  Scan& operator=(const Scan&) = delete;
  ~Scan();

 private:
  void advise(int advice) const noexcept;

  EnvState& env_;
  const char* map_;  ///< null: without effect
};

/// Follows a cursor that moves to next entries, and announces what comes after it in the file as soon as it
/// has passed some neighbouring pages: loads and merges write a table's pages in the order of its keys.
class ReadAhead {
 public:
  /// `entry`: a byte of the map. Costs a comparison as long as the page stays the same.
  void moved_to(const char* entry, std::size_t page_bytes) noexcept;

 private:
  const char* page_ = nullptr;
  const char* announced_ = nullptr;  ///< from here
  unsigned pages_ = 0;               ///< neighbours passed
};

}  // namespace akin::lmdb
