// What the judge's tests share: the dictionaries, documents made ready.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "server/judge/criteria.h"
#include "server/judge/document.h"

namespace akin::judge {

template <class T>
T need(Result<T> result) {
  if (result.has_error()) throw std::runtime_error(result.error().message());
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

/// Russian and English.
[[nodiscard]] const Dictionary& dictionary();
[[nodiscard]] const NumberWords& number_words();

/// The class hash of a word.
[[nodiscard]] std::uint64_t class_of(std::string_view word);

/// Made ready with the weights of `statistics`; without documents in them, each word weighs alike.
[[nodiscard]] JudgedDocument prepared(const Document& document, const CollectionStatistics& statistics = {});
[[nodiscard]] JudgedDocument prepared(std::string text);

/// A document of an id and a text.
[[nodiscard]] Document document(std::string id, std::string text);

}  // namespace akin::judge
