#include "server/json/passages.h"

#include <string>

namespace akin::json {
namespace {

Json changed_words(const ChangeCounts& changes) {
  Json object = Json::object();
  for (std::size_t kind = 0; kind < changes.size(); ++kind) {
    if (changes[kind] > 0) object[std::string(name_of(static_cast<ChangeKind>(kind)))] = changes[kind];
  }
  return object;
}

}  // namespace

Json range_array(TextRange range) { return Json::array({range.begin, range.end}); }

Json passages_array(const std::vector<Passage>& passages) {
  Json array = Json::array();
  for (const Passage& passage : passages) {
    Json entry;
    entry["a"] = range_array(passage.a);
    entry["b"] = range_array(passage.b);
    if (passage.words > 0) {
      entry["words"] = passage.words;
      entry["changed_words"] = changed_words(passage.changes);
    } else {
      entry["features"] = passage.features;
    }
    array.push_back(std::move(entry));
  }
  return array;
}

}  // namespace akin::json
