// What stands beside or behind the text of a PDF: numbers of lines, initials, shadows.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "extract/child/readers.h"
#include "tests/extract/child/sample_files.h"

namespace akin::extract {
namespace {

const std::vector<std::string> kLines = {
    "The miller kept two grey geese behind the mill,",  "and every morning they crossed the old yard",
    "before he had opened the gate. When the river in", "April rose, the lower meadow stood under water",
    "for nine days and nobody could reach the bridge",  "by cart. His eldest daughter wrote down how it",
    "was, and her sister kept the book in the kitchen"};

std::string text_at(int x, int y, const std::string& text, int size = 12) {
  return "BT /F " + std::to_string(size) + " Tf " + std::to_string(x) + " " + std::to_string(y) + " Td (" +
         text + ") Tj ET\n";
}

std::string read_page(const std::string& content) {
  static const bool warm = (warm_up_pdf(), true);
  EXPECT_TRUE(warm);
  return read_file(make_pdf_of({content}), std::uint64_t{1} << 20U)->text;
}

std::string one_paragraph() {
  std::string text;
  for (const std::string& line : kLines) text += (text.empty() ? "" : "\n") + line;
  return text;
}

/// The lines, `lead` points apart, and the label of each line beside it.
std::string page_of(const std::vector<std::string>& labels, int lead, int x) {
  std::string content;
  for (std::size_t i = 0; i < kLines.size(); ++i) {
    const int y = 700 - lead * static_cast<int>(i);
    if (!labels[i].empty()) content += text_at(x, y, labels[i], 8);
    content += text_at(108, y, kLines[i]);
  }
  return content;
}

struct Numbered {
  std::string name;
  std::vector<std::string> labels;
  int lead, x;
};
void PrintTo(const Numbered& row, std::ostream* out) { *out << row.name; }
class NumberedLines : public ::testing::TestWithParam<Numbered> {};

TEST_P(NumberedLines, AreReadAsTheParagraphThatTheyAre) {
  EXPECT_EQ(read_page(page_of(GetParam().labels, GetParam().lead, GetParam().x)), one_paragraph());
}

INSTANTIATE_TEST_SUITE_P(
    Rows, NumberedLines,
    ::testing::Values(Numbered{"each line", {"1", "2", "3", "4", "5", "6", "7"}, 14, 72},
                      Numbered{"double spaced", {"1", "2", "3", "4", "5", "6", "7"}, 24, 72},
                      Numbered{"close to the text", {"97", "98", "99", "100", "101", "102", "103"}, 14, 92},
                      Numbered{"on the right", {"1", "2", "3", "4", "5", "6", "7"}, 24, 420},
                      Numbered{"each fifth", {"", "5", "", "", "", "", "10"}, 14, 72}));

struct Other {
  std::string name;
  std::vector<std::string> labels;
};
void PrintTo(const Other& row, std::ostream* out) { *out << row.name; }
class OtherNumbers : public ::testing::TestWithParam<Other> {};

TEST_P(OtherNumbers, AreKept) {
  const std::string text = read_page(page_of(GetParam().labels, 14, 72));
  for (const std::string& label : GetParam().labels) EXPECT_NE(text.find(label), std::string::npos) << text;
}

INSTANTIATE_TEST_SUITE_P(Rows, OtherNumbers,
                         ::testing::Values(Other{"years",
                                                 {"1891", "1903", "1904", "1911", "1914", "1920", "1921"}},
                                           Other{"two numbers", {"1", "2", "", "", "", "", ""}},
                                           Other{"a scale", {"50", "", "100", "", "150", "", "200"}}));

TEST(Pdf, ALargeInitialBeginsItsLine) {
  std::string content = text_at(72, 676, "T", 36) + text_at(98, 700, kLines[0].substr(1));
  for (std::size_t i = 1; i < kLines.size(); ++i)
    content += text_at(i < 3 ? 98 : 72, 700 - 14 * static_cast<int>(i), kLines[i]);
  EXPECT_EQ(read_page(content), one_paragraph());
}

TEST(Pdf, ATitleIsReadOnceWhateverItsShadow) {
  for (const int apart : {1, 2, 3, 4}) {
    const std::string shadow = "0.7 g " + text_at(72 + apart, 700 - apart, "The Hill of the Miller", 24);
    EXPECT_EQ(read_page(shadow + "0 g " + text_at(72, 700, "The Hill of the Miller", 24)),
              "The Hill of the Miller")
        << apart;
  }
}

}  // namespace
}  // namespace akin::extract
