// Participles of Russian. ru_RU lists them as adjectives of their own (создать, создавший, созданный), and no
// affix rule leads from a verb to them; in a grammar and in a treebank they are forms of the verb.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "dict/read/dictionary_forms.h"

namespace akin {

/// The participles among the entries of a dictionary. Immutable; any number of threads.
class Participles {
 public:
  /// None for a language other than Russian ("ru").
  Participles(std::string_view code, const DictionaryForms& forms);

  /// Whether an entry with this spelling is an infinitive whose participles `append` finds.
  [[nodiscard]] bool is_verb(std::u32string_view entry) const noexcept;

  /// Appends the spelling_key of each entry that is spelt like a participle formed from this form of the
  /// verb: from the infinitive, the present (строит: строящий, построю: построенный) or the past (шла:
  /// шедший). `form` is folded. The rules are those of school grammar; an entry that no rule can spell is not
  /// found.
  void append(std::u32string_view form, std::vector<std::uint64_t>& keys) const;

 private:
  std::unordered_set<std::uint64_t> entries_;
};

}  // namespace akin
