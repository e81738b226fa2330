#include "morph/schemes/stop_words.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <map>
#include <mutex>
#include <utility>

#include "base/built_in_list.h"
#include "dict/fold/fold.h"

namespace akin {
namespace {

/// Ascending by language.
constexpr BuiltInList kStopWordFiles[] = {
#include "morph/stop_words.inc"
};

/// Calls visit(word) for the words of a file.
template <class Visit>
void for_each_word(std::string_view file, const Visit& visit) {
  while (!file.empty()) {
    const std::size_t line_end = std::min(file.find('\n'), file.size());
    std::string_view line = file.substr(0, line_end);
    file.remove_prefix(std::min(line_end + 1, file.size()));
    if (line.starts_with('#')) continue;
    while (!line.empty()) {
      const std::size_t word_end = std::min(line.find(' '), line.size());
      if (word_end > 0) visit(line.substr(0, word_end));
      line.remove_prefix(std::min(word_end + 1, line.size()));
    }
  }
}

Error no_list(std::string_view languages, std::string_view language) {
  std::string known;
  for (const std::string_view there : stop_word_languages()) known += " " + std::string(there);
  return Error{Errc::invalid_argument, "stop words '" + std::string(languages) + "'",
               "there is no list for '" + std::string(language) + "'; there are lists for" + known,
               "name languages with '+' between them, or 'removed' for all, or 'kept'"};
}

}  // namespace

const std::vector<std::string_view>& stop_word_languages() {
  static const std::vector<std::string_view> languages = [] {
    std::vector<std::string_view> all;
    for (const auto& [language, content] : kStopWordFiles) all.push_back(language);
    assert(std::ranges::is_sorted(all));
    return all;
  }();
  return languages;
}

Result<StopWords> StopWords::of(std::string_view languages) {
  const std::vector<std::string_view>& known = stop_word_languages();
  std::vector<bool> wanted(known.size(), languages == "removed");
  for (std::string_view rest = languages == "removed" ? std::string_view() : languages; !rest.empty();) {
    const std::size_t end = std::min(rest.find('+'), rest.size());
    const auto found = std::ranges::find(known, rest.substr(0, end));
    if (found == known.end() || end + 1 == rest.size()) return no_list(languages, rest.substr(0, end));
    wanted[static_cast<std::size_t>(found - known.begin())] = true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  StopWords words;
  WordFolder folder;
  std::vector<std::uint64_t> keys;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (!wanted[i]) continue;
    words.languages_ += (words.languages_.empty() ? "" : "+") + std::string(known[i]);
    for_each_word(kStopWordFiles[i].content,
                  [&](std::string_view word) { keys.push_back(folder.fold(word).key); });
  }
  words.keys_ = KeySet(keys);
  return words;
}

std::shared_ptr<const KeySet> stop_classes(const Dictionary& dictionary) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const KeySet>, std::less<>> known;
  const std::lock_guard lock(mutex);
  std::shared_ptr<const KeySet>& classes = known[dictionary.fingerprint()];
  if (classes) return classes;
  std::vector<std::uint64_t> hashes;
  WordFolder folder;
  for (const auto& [language, words] : kStopWordFiles) {
    for_each_word(words, [&](std::string_view word) {
      if (const std::uint64_t hash = dictionary.hash(folder.fold(word)); hash != 0) hashes.push_back(hash);
    });
  }
  classes = std::make_shared<const KeySet>(hashes);
  return classes;
}

std::vector<std::uint64_t> StopWords::keys() const {
  std::vector<std::uint64_t> keys;
  keys_.for_each([&](std::uint64_t key) { keys.push_back(key); });
  std::ranges::sort(keys);
  return keys;
}

}  // namespace akin
