#include "cli/frame/settings_file.h"

#include <gtest/gtest.h>

namespace akin::cli {
namespace {

std::vector<FileEntry> parsed(const char* text) {
  auto entries = parse_settings(text, "akin.toml");
  EXPECT_TRUE(entries.has_value()) << text;
  return entries.has_value() ? *entries : std::vector<FileEntry>();
}

TEST(SettingsFile, ValuesKeepTheirKind) {
  const struct {
    const char* text;
    FileValue kind;
    std::vector<std::string> values;
  } rows[] = {{"a = \"b\"", FileValue::text, {"b"}},         {"a = 'C:\\'", FileValue::text, {"C:\\"}},
              {"a = \"\"", FileValue::text, {""}},           {"a = -7", FileValue::number, {"-7"}},
              {"a = 0x10", FileValue::number, {"16"}},       {"a = 1_000", FileValue::number, {"1000"}},
              {"a = 0.1", FileValue::number, {"0.1"}},       {"a = true", FileValue::boolean, {"true"}},
              {"a = ['x', 1]", FileValue::list, {"x", "1"}}, {"a = []", FileValue::list, {}},
              {"a = [true]", FileValue::other, {}},          {"a = [['x']]", FileValue::other, {}},
              {"a = 2026-01-01", FileValue::other, {}}};
  for (const auto& row : rows) {
    const auto entries = parsed(row.text);
    ASSERT_EQ(entries.size(), 1U) << row.text;
    EXPECT_EQ(entries[0].kind, row.kind) << row.text;
    EXPECT_EQ(entries[0].values, row.values) << row.text;
  }
}

TEST(SettingsFile, SectionsAreTheNamesOfTheTablesAround) {
  for (const char* text : {"[key.create]\nscope = 'read'", "[key]\ncreate.scope = 'read'",
                           "key = { create = { scope = 'read' } }"}) {
    const auto entries = parsed(text);
    ASSERT_FALSE(entries.empty()) << text;
    EXPECT_EQ(entries.back().section, "key.create") << text;
    EXPECT_EQ(entries.back().key, "scope") << text;
  }
}

TEST(SettingsFile, KeysComeInTheOrderOfTheirLines) {
  const auto entries = parsed("z = 1\n\na = 2\n[s]\nb = 3");
  ASSERT_EQ(entries.size(), 4U);
  const std::size_t lines[] = {1, 3, 4, 5};
  for (std::size_t at = 0; at < 4; ++at) EXPECT_EQ(entries[at].line, lines[at]);
}

TEST(SettingsFile, WhatIsNotTomlIsRefusedWithLineAndColumn) {
  for (const char* text : {"ok = 1\na", "ok = 1\na =", "ok = 1\na = b", "ok = 1\nok = 2", "ok = 1\n[t",
                           "ok = 1\na = \"\xff\"", "ok = 1\na = 1 2", "ok = 1\na = 99999999999999999999"}) {
    const auto entries = parse_settings(text, "akin.toml");
    ASSERT_TRUE(entries.has_error()) << text;
    EXPECT_EQ(entries.error().code, Errc::invalid_argument);
    EXPECT_TRUE(entries.error().what.starts_with("akin.toml line 2 column ")) << entries.error().what;
    EXPECT_FALSE(entries.error().remedy.empty());
  }
}

TEST(SettingsFile, QuotedTextIsReadBackAsItWas) {
  for (const std::string text : {"", "a", "\"", "\\", "a\nb\tc", "\x01\x7f", "книги", "'''", "#"}) {
    const auto entries = parsed(("a = " + toml_string(text)).c_str());
    ASSERT_EQ(entries.size(), 1U) << text;
    EXPECT_EQ(entries[0].values, std::vector<std::string>{text});
  }
}

}  // namespace
}  // namespace akin::cli
