#include "dict/stem/hunspell_stemmer.h"

#include <sys/mman.h>
#include <unicode/uchar.h>
#include <unistd.h>

#include <exception>
#include <hunspell/hunspell.hxx>
#include <mutex>
#include <optional>
#include <utility>

#include "base/files.h"
#include "base/utf8.h"
#include "dict/read/dictionary_lines.h"
#include "dict/read/encoding.h"

namespace akin {
namespace {

constexpr std::string_view kPart = "pa:";
constexpr std::string_view kStem = "st:";

std::u32string upper_case(std::u32string_view letters) {
  std::u32string out;
  for (const char32_t c : letters) out.push_back(static_cast<char32_t>(u_toupper(static_cast<UChar32>(c))));
  return out;
}

bool is_compound(std::string_view analysis) {
  for (std::string_view field = next_field(analysis); !field.empty(); field = next_field(analysis)) {
    if (field.starts_with(kPart)) return true;
  }
  return false;
}

/// For " pa:wagen st:wagen pa:schiffen st:schiff fl:N": schiffen, schiff. An unaffixed last part has no stem
/// of its own.
HunspellAnswer::LastPart last_part_of(std::string_view analysis) {
  HunspellAnswer::LastPart part;
  for (std::string_view field = next_field(analysis); !field.empty(); field = next_field(analysis)) {
    if (field.starts_with(kPart)) {
      part.form = field.substr(kPart.size());
      part.stem = part.form;
    } else if (field.starts_with(kStem)) {
      part.stem = field.substr(kStem.size());
    }
  }
  return part;
}

/// A file in memory, as Hunspell reads files by their names only.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content) : file_(memfd_create("akin-hunspell", MFD_CLOEXEC)) {
    while (!content.empty()) {
      const ssize_t written = write(file_.get(), content.data(), content.size());
      if (written < 0) break;
      content.remove_prefix(static_cast<std::size_t>(written));
    }
    complete_ = content.empty();
  }
  [[nodiscard]] bool complete() const noexcept { return complete_; }
  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(file_.get()); }

 private:
  FileHandle file_;
  bool complete_ = false;
};

}  // namespace

struct HunspellStemmer::Handle {
  std::mutex mutex;
  bool tried = false;
  std::optional<Encoding> encoding;
  std::unique_ptr<Hunspell> hunspell;  // null: it could not be opened

  void open(const HunspellReader& read) {
    if (std::exchange(tried, true)) return;
    const auto content = read();
    if (!content) return;
    const MemoryFile aff(content->aff);
    const MemoryFile dic(content->dic);
    if (!aff.complete() || !dic.complete()) return;
    auto opened = std::make_unique<Hunspell>(aff.path().c_str(), dic.path().c_str());
    encoding = Encoding::named(opened->get_dict_encoding());
    if (encoding) hunspell = std::move(opened);
  }

  [[nodiscard]] std::string to_utf8_from(std::string_view bytes) const {
    std::u32string letters;
    return encoding->decode(bytes, letters) ? to_utf8(letters) : std::string();
  }

  HunspellAnswer ask(std::u32string_view word) {
    HunspellAnswer answer;
    std::string bytes;
    if (!hunspell || !encoding->encode(upper_case(word), bytes)) return answer;
    std::vector<std::string> whole;
    for (std::string& analysis : hunspell->analyze(bytes)) {
      if (is_compound(analysis)) {
        const HunspellAnswer::LastPart part = last_part_of(analysis);
        answer.last_parts.push_back({to_utf8_from(part.form), to_utf8_from(part.stem)});
      } else {
        whole.push_back(std::move(analysis));
      }
    }
    for (const std::string& stem : hunspell->stem(whole)) answer.stems.push_back(to_utf8_from(stem));
    answer.accepted = !answer.stems.empty() || !answer.last_parts.empty() || hunspell->spell(bytes);
    return answer;
  }
};

HunspellStemmer::HunspellStemmer(HunspellReader read)
    : read_(std::move(read)), handle_(std::make_unique<Handle>()) {}
HunspellStemmer::~HunspellStemmer() = default;

HunspellAnswer HunspellStemmer::ask(std::u32string_view folded) const {
  if (folded.empty() || folded.size() > kMaxLetters) return {};
  const std::lock_guard lock(handle_->mutex);
  try {
    handle_->open(read_);
    return handle_->ask(folded);
  } catch (const std::exception&) {
    // Hunspell reports only failed allocations in this way; the word then counts as unknown.
    return {};
  }
}

}  // namespace akin
