// A collection "c" for long texts, whose words are kept.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "tests/support/catalog_fixture.h"

namespace akin::test {

/// A text of `bytes` bytes or a line more, with letters of two bytes, all of whose stretches differ.
std::string long_text(std::size_t bytes);
/// One that is stored in six parts.
const std::string& text_in_parts();

class LongTextTest : public CatalogTest {
 protected:
  LongTextTest();

  /// What is kept of the words of a document's text.
  [[nodiscard]] std::optional<std::string> kept(const std::string& id) const;
  /// Whether these are the words of the text.
  void expect_words(const std::string& id, const std::string& text) const;

  std::shared_ptr<Collection> collection_;
};

}  // namespace akin::test
