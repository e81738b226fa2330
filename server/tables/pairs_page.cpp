#include "server/tables/pairs_page.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/json/json.h"
#include "server/tables/labels.h"

namespace akin::tables {

// Parts of the page, which the build embeds.
std::string_view page_template() noexcept;  ///< pairs.html, with @name@ for the others and the policy
std::string_view page_style() noexcept;     ///< pairs.css
std::string_view page_table() noexcept;     ///< table.js
std::string_view page_sides() noexcept;     ///< sides.js

namespace {

using json::Json;
using Write = std::function<Result<void>(std::string_view)>;

/// In the page itself; a server sends a stricter one as a header.
constexpr std::string_view kPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";
constexpr std::string_view kServedPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'";

std::string page_style_sheet() { return "\n" + std::string(page_style()) + "\n"; }

std::string page_script() {
  return "\n" + std::string(page_table()) + "\n" + std::string(page_sides()) + "\n";
}

std::string encoded(const Json& value) { return script_json(json::compact(value)); }

std::string passages_json(const std::vector<Passage>& passages) {
  Json list = Json::array();
  for (const Passage& passage : passages) {
    list.push_back(
        {passage.a.begin, passage.a.end, passage.b.begin, passage.b.end, passage.features, passage.words});
  }
  return encoded(list);
}

/// Chooses the texts and passages for the page.
class Choice {
 public:
  Choice(const PairTable& table, const Snapshot& snapshot, std::uint64_t room)
      : texts_(table.documents.size()), table_(table), snapshot_(snapshot), room_(room) {}

  /// Returns the pair's passages if they and its texts fit.
  Result<std::optional<std::string>> take(const TablePair& pair) {
    if (table_.hidden.contains(pair.a) || table_.hidden.contains(pair.b)) return std::optional<std::string>();
    std::string passages = passages_json(pair.passages);
    std::uint64_t needed = passages.size();
    // A text takes at least its bytes, so most texts that cannot fit are never read.
    for (const std::size_t at : {pair.a, pair.b}) {
      if (texts_[at].empty()) needed += table_.documents[at].text_bytes;
    }
    if (needed > room_) return std::optional<std::string>();
    needed = passages.size();
    std::array<std::string, 2> read;
    for (const auto& [at, text] : {std::pair(pair.a, &read[0]), std::pair(pair.b, &read[1])}) {
      if (!texts_[at].empty()) continue;
      AKIN_TRY(const std::string utf8, snapshot_.text(table_.documents[at]));
      *text = encoded(Json(utf8));
      needed += text->size();
    }
    if (needed > room_) return std::optional<std::string>();
    room_ -= needed;
    if (texts_[pair.a].empty()) texts_[pair.a] = std::move(read[0]);
    if (texts_[pair.b].empty()) texts_[pair.b] = std::move(read[1]);
    return std::optional<std::string>(std::move(passages));
  }

  /// A document's text as JSON; "null" if it is not on the page.
  [[nodiscard]] std::string_view text(std::size_t document) const {
    return texts_[document].empty() ? std::string_view("null") : texts_[document];
  }

 private:
  /// Encoded; an empty text is "\"\"", an empty string means that the text is not on the page.
  std::vector<std::string> texts_;
  const PairTable& table_;
  const Snapshot& snapshot_;
  std::uint64_t room_;
};

/// A JSON object without its closing brace, so that more can follow.
std::string unclosed(const Json& object) {
  std::string text = encoded(object);
  text.pop_back();
  return text;
}

std::string head_json(const PairTable& table, const ServedPage& served) {
  return unclosed({{"collection", table.collection},
                   {"scheme", table.scheme},
                   {"ranked_by", rank_name(table.by)},
                   {"condition",
                    {{"bound", table.condition.bound},
                     {"min_containment", table.condition.min_containment},
                     {"min_resemblance", table.condition.min_resemblance}}},
                   {"total", table.total},
                   {"collection_documents", table.collection_documents},
                   {"save", served.save.empty() ? Json() : Json(served.save)},
                   {"back", served.back.empty() ? Json() : Json(served.back)},
                   {"lang", served.lang},
                   {"texts", served.texts}});
}

std::string document_json(const DocumentRecord& document) {
  return unclosed({{"id", document.id},
                   {"title", document.title},
                   {"characters", document.code_points},
                   {"url", address_of(document)}});
}

std::string pair_json(const TablePair& pair) {
  const Overlap& overlap = pair.overlap;
  const auto part = [&](double value) { return overlap.has_containment ? Json(value) : Json(nullptr); };
  return unclosed({{"a", pair.a},
                   {"b", pair.b},
                   {"x", overlap.x},
                   {"containment", part(overlap.containment())},
                   {"contained", part(overlap.contained())},
                   {"resemblance", overlap.resemblance()},
                   {"label", pair.label},
                   {"duplicate", label_grade(pair.label).value_or(0) > 0},
                   {"stretches", pair.passages.size()}});
}

Result<std::uint64_t> write_data(const PairTable& table, const Snapshot& snapshot, std::uint64_t texts,
                                 const Write& write, const ServedPage& served) {
  Choice choice(table, snapshot, texts);
  std::uint64_t readable = 0;
  AKIN_CHECK(write(head_json(table, served) + ",\n\"pairs\":["));
  std::string_view between = "\n";
  for (const TablePair& pair : table.pairs) {
    AKIN_TRY(const std::optional<std::string> passages, choice.take(pair));
    readable += passages ? 1 : 0;
    AKIN_CHECK(
        write(std::string(between) + pair_json(pair) + ",\"passages\":" + passages.value_or("null") + "}"));
    between = ",\n";
  }
  AKIN_CHECK(write("],\n\"documents\":["));
  between = "\n";
  for (std::size_t at = 0; at < table.documents.size(); ++at) {
    AKIN_CHECK(write(std::string(between) + document_json(table.documents[at]) + ",\"text\":"));
    AKIN_CHECK(write(choice.text(at)));
    AKIN_CHECK(write("}"));
    between = ",\n";
  }
  AKIN_CHECK(write("]}"));
  return readable;
}

}  // namespace

std::string script_json(std::string_view json) {
  std::string safe;
  safe.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

Sha256 page_script_hash() { return sha256(page_script()); }
Sha256 page_style_hash() { return sha256(page_style_sheet()); }

Result<PageSummary> write_pairs_page(const PairTable& table, const Snapshot& snapshot, std::uint64_t texts,
                                     const Write& write, const ServedPage& served) {
  PageSummary summary;
  const Write counting = [&](std::string_view piece) {
    summary.bytes += piece.size();
    return write(piece);
  };
  std::string_view page = page_template();
  while (!page.empty()) {
    const std::size_t at = page.find('@');
    AKIN_CHECK(counting(page.substr(0, at)));
    if (at == std::string_view::npos) break;
    const std::size_t end = page.find('@', at + 1);
    const std::string_view name = page.substr(at + 1, end - at - 1);
    page.remove_prefix(end + 1);
    if (name == "data") {
      AKIN_TRY(summary.readable, write_data(table, snapshot, texts, counting, served));
    } else if (name == "policy") {
      AKIN_CHECK(counting(served.save.empty() ? kPolicy : kServedPolicy));
    } else {
      AKIN_CHECK(counting(name == "style" ? page_style_sheet() : page_script()));
    }
  }
  return summary;
}

}  // namespace akin::tables
