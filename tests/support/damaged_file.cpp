#include "tests/support/damaged_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <stdexcept>

#include "base/bytes.h"
#include "tests/support/temporary_folder.h"

namespace akin::test {

namespace {

constexpr std::uint64_t kPageBytes = 4096;

lmdb::PageFile open_pages(int file) { return lmdb::PageFile::open(file, "data.mdb").value(); }

}  // namespace

DamagedFile::DamagedFile(const std::filesystem::path& file) : file_(open(file.c_str(), O_RDWR | O_CLOEXEC)) {
  if (file_ < 0) throw std::runtime_error("cannot open " + file.string());
  const lmdb::MetaPage meta = open_pages(file_).meta().value().value();
  add_tree("free", meta.free);
  add_tree("main", meta.main);
}

DamagedFile::~DamagedFile() { close(file_); }

std::string DamagedFile::page(std::uint64_t number) const {
  return open_pages(file_).pages(number).value().value().bytes();
}

void DamagedFile::flip(std::uint64_t byte, unsigned bit) {
  char value = 0;
  if (pread(file_, &value, 1, static_cast<off_t>(byte)) != 1) throw std::runtime_error("cannot read");
  value = static_cast<char>(value ^ (1 << bit));
  if (pwrite(file_, &value, 1, static_cast<off_t>(byte)) != 1) throw std::runtime_error("cannot write");
}

void DamagedFile::overwrite(std::uint64_t page, const std::string& bytes) {
  if (pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(page * kPageBytes)) !=
      static_cast<ssize_t>(bytes.size())) {
    throw std::runtime_error("cannot write");
  }
}

void DamagedFile::add_tree(const std::string& table, const lmdb::TreeRecord& tree) {
  if (tree.root != lmdb::kNoPage) add_page(table, tree.root, tree.depth);
}

void DamagedFile::add_page(const std::string& table, std::uint64_t number, unsigned depth) {
  const lmdb::Page page(this->page(number));
  pages_.push_back(number);
  const std::uint64_t begin = number * kPageBytes;
  regions_.push_back({table, false, begin, page.lower()});
  add_entries(table, number, page, depth);
}

void DamagedFile::add_entries(const std::string& table, std::uint64_t number, const lmdb::Page& page,
                              unsigned depth) {
  constexpr unsigned kBigData = 1, kSubTree = 2;
  const char* const bytes = page.bytes().data();
  for (std::size_t slot = lmdb::Page::kHeaderBytes; slot < page.lower(); slot += 2) {
    const std::size_t at = load_u16(bytes + slot);
    const std::size_t key = load_u16(bytes + at + 6);
    const unsigned flags = load_u16(bytes + at + 4);
    const char* const value = bytes + at + 8 + key;
    const std::uint64_t begin = number * kPageBytes + at;
    if (depth > 1) {
      regions_.push_back({table, false, begin, 8 + key});
      const std::uint64_t child = load_u32(bytes + at) | std::uint64_t{flags} << 32U;
      add_page(table, child, depth - 1);
      continue;
    }
    const std::uint64_t size = load_u32(bytes + at);
    regions_.push_back({table, true, begin, 8 + key + ((flags & kBigData) != 0 ? 8 : size)});
    if ((flags & kBigData) != 0) {
      const std::uint64_t first = load_u64(value);
      pages_.push_back(first);
      regions_.push_back({table, false, first * kPageBytes, lmdb::Page::kHeaderBytes});
      regions_.push_back({table, true, first * kPageBytes + lmdb::Page::kHeaderBytes, size});
    } else if ((flags & kSubTree) != 0) {
      const lmdb::TreeRecord inner = lmdb::decode_tree_record(value);
      add_tree(std::string(bytes + at + 8, key), inner);
    }
  }
}

}  // namespace akin::test
