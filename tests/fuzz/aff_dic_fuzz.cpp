// Any bytes as an .aff, a .dic and a supplement file: they are read or refused, and dictionaries that are
// read expand within their bounds. The first byte 0x1e in the input separates .aff from .dic, the second .dic
// from the supplement.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "dict/read/dictionary_forms.h"
#include "dict/read/form_folder.h"
#include "dict/read/supplement.h"

namespace {

constexpr char kSeparator = '\x1e';
/// Entries expanded of one input: more would only repeat what a few show.
constexpr std::size_t kEntries = 4;

std::string_view cut_front(std::string_view& rest) {
  const std::size_t end = std::min(rest.find(kSeparator), rest.size());
  const std::string_view front = rest.substr(0, end);
  rest.remove_prefix(std::min(rest.size(), end + 1));
  return front;
}

class BoundedSink : public akin::FormSink {
 public:
  void on_form(std::u32string_view form, std::string_view) override {
    // ICONV may put a longer pattern in place of each letter.
    if (form.empty() || ++count_ > 64 * akin::kMaxFormsPerEntry) std::abort();
    if (count_ % 64 == 0) static_cast<void>(folder_.fold_form(form));
  }

 private:
  std::size_t count_ = 0;
  akin::FormFolder folder_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const std::string_view aff = cut_front(rest);
  const std::string_view dic = cut_front(rest);
  static_cast<void>(akin::read_supplement(rest, "fuzz.txt"));
  const auto forms = akin::DictionaryForms::read({"fuzz.aff", "fuzz.dic"}, aff, dic);
  if (!forms) return 0;
  static_cast<void>(forms->builds_compounds());
  akin::Expander expander(forms->affixes());
  for (std::size_t i = 0; i < std::min(kEntries, forms->words().entries.size()); ++i) {
    BoundedSink sink;
    const akin::ExpansionCost cost = forms->expand(i, akin::ExpansionDepth::full, expander, sink);
    if (cost.forms > akin::kMaxFormsPerEntry) std::abort();
  }
  return 0;
}
