#include "dict/table/table.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <utility>

#include "base/hash.h"
#include "base/utf8.h"

namespace akin {
namespace {

using namespace table_format;

Error corrupt(std::string what, std::string_view reason) {
  return Error{Errc::corrupt, std::move(what), std::string(reason),
               "it is rebuilt when dictionaries are opened"};
}

/// The elements of a section; false if it is not inside the file.
template <class T>
bool read_section(std::span<const char> file, const Section& section, std::span<const T>& out) {
  if (section.begin % kAlignment != 0 || section.begin > file.size() ||
      section.count > (file.size() - section.begin) / sizeof(T)) {
    return false;
  }
  out = {reinterpret_cast<const T*>(file.data() + section.begin), static_cast<std::size_t>(section.count)};
  return true;
}

/// Whether every search among the slots stops.
template <class T>
bool ends_well(std::span<const T> slots, std::uint64_t home_slots) {
  return home_slots > 0 && slots.size() > home_slots && slots.back().key == kEmptyKey;
}

}  // namespace

std::uint64_t header_hash(const Header& header) noexcept {
  return content_hash({reinterpret_cast<const char*>(&header), offsetof(Header, header_hash)}).low;
}

std::uint64_t body_hash(std::span<const char> file) noexcept {
  return content_hash({file.data() + sizeof(Header), file.size() - sizeof(Header)}).low;
}

Result<WordClassTable> WordClassTable::map(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return system_error(errno, file.string(), "opening it");
  struct ::stat status {};
  void* memory = MAP_FAILED;
  int failure = 0;
  if (::fstat(descriptor, &status) != 0) {
    failure = errno;
  } else if (status.st_size > 0) {
    memory = ::mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_SHARED, descriptor, 0);
    if (memory == MAP_FAILED) failure = errno;
  }
  ::close(descriptor);
  if (failure != 0) return system_error(failure, file.string(), "mapping it");
  if (memory == MAP_FAILED) return corrupt(file.string(), "the file is empty");

  const auto size = static_cast<std::size_t>(status.st_size);
  WordClassTable table;
  table.owner_ = std::shared_ptr<const void>(memory, [size](void* mapping) { ::munmap(mapping, size); });
  const std::string_view wrong = table.attach({static_cast<const char*>(memory), size});
  if (!wrong.empty()) return corrupt(file.string(), wrong);
  return table;
}

Result<WordClassTable> WordClassTable::keep(std::vector<char> image) {
  WordClassTable table;
  const auto owner = std::make_shared<const std::vector<char>>(std::move(image));
  table.owner_ = owner;
  const std::string_view wrong = table.attach(*owner);
  if (!wrong.empty()) return corrupt("compiled dictionary", wrong);
  return table;
}

std::string_view WordClassTable::attach(std::span<const char> file) {
  if (file.size() < sizeof(Header)) return "the file is shorter than its header";
  header_ = reinterpret_cast<const Header*>(file.data());
  if (header_->magic != kMagic) return "the file is not a compiled dictionary";
  if (header_->byte_order != kByteOrder || header_->version != kCompilerVersion) {
    return "the file is of another version or machine";
  }
  if (header_->header_hash != akin::header_hash(*header_)) return "the header is damaged";
  if (header_->file_bytes != file.size()) return "the file does not have the size that its header states";
  if (!read_section(file, header_->slots, slots_) || !read_section(file, header_->rows, rows_) ||
      !read_section(file, header_->row_lemmas, row_lemmas_) ||
      !read_section(file, header_->classes, classes_) || !read_section(file, header_->lemmas, lemmas_) ||
      !read_section(file, header_->sources, sources_) || !read_section(file, header_->ignored, ignored_) ||
      !read_section(file, header_->endings, endings_) || !read_section(file, header_->synonyms, synonyms_) ||
      !read_section(file, header_->text, text_)) {
    return "a section does not lie inside the file";
  }
  if (!ends_well(slots_, header_->home_slots) || !ends_well(endings_, header_->ending_home_slots) ||
      !ends_well(synonyms_, header_->synonym_home_slots)) {
    return "the slots do not end as they should";
  }
  if (rows_.empty() || rows_.size() > kNoRow) return "there are no rows";
  row_count_ = static_cast<std::uint32_t>(rows_.size() - 1);
  file_ = file;
  return {};
}

bool WordClassTable::check_body() const noexcept { return header_->body_hash == body_hash(file_); }

std::span<const std::uint32_t> WordClassTable::lemma_ids(std::uint32_t row) const noexcept {
  if (row >= row_count_) return {};
  const std::size_t begin = rows_[row].lemmas_begin;
  const std::size_t end = rows_[row + std::size_t{1}].lemmas_begin;
  if (begin > end || end > row_lemmas_.size()) return {};
  return row_lemmas_.subspan(begin, end - begin);
}

std::string_view WordClassTable::text(TextSpan span) const noexcept {
  if (span.begin > text_.size() || span.size > text_.size() - span.begin) return {};
  return {text_.data() + span.begin, span.size};
}

std::string_view WordClassTable::lemma(std::uint32_t id) const noexcept {
  return id == 0 || id > lemmas_.size() ? std::string_view{} : text(lemmas_[id - 1].spelling);
}

std::optional<std::uint32_t> WordClassTable::class_of_lemma(std::string_view spelling) const noexcept {
  const auto found =
      std::lower_bound(lemmas_.begin(), lemmas_.end(), spelling,
                       [this](const Lemma& l, std::string_view s) { return text(l.spelling) < s; });
  if (found == lemmas_.end() || text(found->spelling) != spelling) return std::nullopt;
  return found->lemma_class;
}

std::string_view WordClassTable::class_name(std::uint32_t lemma_class) const noexcept {
  return lemma_class < classes_.size() ? text(classes_[lemma_class]) : std::string_view{};
}

std::string_view WordClassTable::class_name_of_row(std::uint32_t row) const noexcept {
  return row < row_count_ ? class_name(rows_[row].lemma_class) : std::string_view{};
}

std::string_view WordClassTable::class_name_of_hash(std::uint64_t hash) const noexcept {
  for (const TextSpan name : classes_) {
    if (word_hash(to_utf32(text(name))) == hash) return text(name);
  }
  return {};
}

}  // namespace akin
