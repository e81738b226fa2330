// What a Jupyter notebook shows.
#include "server/ingest/notebook.h"

#include <gtest/gtest.h>

#include <string>

namespace akin::ingest {
namespace {

std::string notebook(const std::string& cells) {
  return R"({"cells": [)" + cells +
         R"(], "metadata": {"kernelspec": {"name": "python3", "source": "no"}},)"
         R"( "nbformat": 4, "nbformat_minor": 5})";
}

TEST(Notebook, IsTheSourceOfItsCellsAndWhatTheyPrint) {
  EXPECT_EQ(
      text_of_notebook(
          notebook(
              R"({"cell_type": "markdown", "metadata": {"tags": ["text"]}, "source": ["# \u0413\u0443\u0441\u0438\n", "Two geese.\n"]},)"
              R"({"cell_type": "code", "execution_count": 1, "outputs": [{"name": "stdout", "text": ["out\n"]},)"
              R"({"data": {"text/plain": ["<IPython.core.display.Markdown object>"], "image/png": "iVBOR"}}],)"
              R"x( "source": "print(\"out\")"},)x"
              R"({"cell_type": "raw", "source": []})"))
          .value_or("none"),
      "# Гуси\nTwo geese.\n\nout\n\nprint(\"out\")");
}

TEST(Notebook, OfTheThirdFormatHasItsCellsInSheets) {
  EXPECT_EQ(
      text_of_notebook(R"({"nbformat": 3, "worksheets": [{"cells": [{"input": ["a = 1"], "outputs": []}]}]})")
          .value_or("none"),
      "a = 1");
}

TEST(Notebook, IsNoOtherText) {
  for (const char* other : {"", "{", R"({"cells": [], "nbformat": 4})", R"({"cells": [{"source": "a"}]})",
                            R"(["nbformat", {"cells": [{"source": "a"}]}])", "A \"nbformat\" of \"cells\"",
                            R"({"nbformat": 4, "cells": [{"source": "a"}])"})
    EXPECT_FALSE(text_of_notebook(other).has_value()) << other;
}

TEST(Notebook, ThatIsNestedDeeplyIsNone) {
  EXPECT_FALSE(text_of_notebook(R"({"nbformat": 4, "cells": )" + std::string(1'000'000, '[')).has_value());
}

}  // namespace
}  // namespace akin::ingest
