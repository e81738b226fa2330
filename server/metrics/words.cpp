#include "server/metrics/words.h"

#include <cstdint>

#include "dict/ask/look_ups.h"
#include "index/search/word_cache.h"

namespace akin::metrics {

void append_words(std::vector<prometheus::MetricFamily>& families) {
  const auto add = [&](const char* name, const char* help, std::uint64_t count) {
    families.push_back(counter_family(name, help));
    families.back().metric.push_back(counter(static_cast<double>(count), {}));
  };
  const LookUps all = look_ups();
  add("akin_words_total",
      "Plain words of texts (without hyphens, apostrophes and the like) that were looked up.", all.words);
  add("akin_words_missed_total", "Of those, the ones that the cache of frequent words did not have.",
      all.missed);
  add("akin_words_unknown_total",
      "Of those, the ones that were not used before and that the compiled dictionaries lack.",
      all.not_in_table);
  add("akin_words_resolved_total", "Calls of Hunspell or Snowball for unknown words that no cache had.",
      all.resolved);
  const WordCache::Use texts = WordCache::of_process().use();
  add("akin_word_cache_hits_total", "Stored texts that were aligned with their words as kept.", texts.hits);
  add("akin_word_cache_misses_total", "Stored texts whose words had to be read to align them.", texts.misses);
  families.push_back(
      gauge_family("akin_word_cache_bytes", "Memory of the words that are kept of stored texts."));
  families.back().metric.push_back(gauge(static_cast<double>(texts.bytes), {}));
}

}  // namespace akin::metrics
