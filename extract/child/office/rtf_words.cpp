#include "extract/child/office/rtf_words.h"

namespace akin::extract {

const std::set<std::string_view>& unseen_groups() {
  static const std::set<std::string_view> kUnseen = {
      "listtable", "pict",     "object",    "objdata",   "nonshppict", "tc",      "tcn",          "xe",
      "rxe",       "atnid",    "atnauthor", "themedata", "revtbl",     "rsidtbl", "latentstyles", "bkmkstart",
      "bkmkend",   "template", "filetbl",   "xmlnstbl",  "datastore",  "shprslt"};
  return kUnseen;
}

const std::map<std::string_view, RtfPlace>& places() {
  static const std::map<std::string_view, RtfPlace> kPlaces = {
      {"fonttbl", RtfPlace::fonts},     {"colortbl", RtfPlace::colours}, {"footnote", RtfPlace::footnote},
      {"stylesheet", RtfPlace::styles}, {"listtext", RtfPlace::label},   {"pntext", RtfPlace::label},
      {"info", RtfPlace::nowhere},      {"header", RtfPlace::aside},     {"headerl", RtfPlace::aside},
      {"headerr", RtfPlace::aside},     {"headerf", RtfPlace::aside},    {"footer", RtfPlace::aside},
      {"footerl", RtfPlace::aside},     {"footerr", RtfPlace::aside},    {"footerf", RtfPlace::aside},
      {"annotation", RtfPlace::aside},  {"fldinst", RtfPlace::code},     {"ftnsep", RtfPlace::aside},
      {"aftnsep", RtfPlace::aside}};
  return kPlaces;
}

const std::map<std::string_view, std::string_view>& characters() {
  static const std::map<std::string_view, std::string_view> kCharacters = {
      {"emdash", "\u2014"},    {"endash", "\u2013"},    {"lquote", "\u2018"}, {"rquote", "\u2019"},
      {"ldblquote", "\u201C"}, {"rdblquote", "\u201D"}, {"bullet", "\u2022"}, {"emspace", "\u2003"},
      {"enspace", "\u2002"},   {"qmspace", "\u2005"},   {"tab", " "},         {"line", "\n"},
      {"softline", "\n"},      {"zwj", "\u200D"},       {"zwnj", "\u200C"},   {"lbr", "\n"}};
  return kCharacters;
}

std::uint32_t page_of_charset(std::int32_t charset) {
  static const std::map<std::int32_t, std::uint32_t> kPages = {
      {77, 10000}, {128, 932},  {129, 949},  {134, 936},  {136, 950}, {161, 1253}, {162, 1254}, {163, 1258},
      {177, 1255}, {178, 1256}, {186, 1257}, {204, 1251}, {222, 874}, {238, 1250}, {255, 850}};
  const auto found = kPages.find(charset);
  return found == kPages.end() ? 0 : found->second;
}

}  // namespace akin::extract
