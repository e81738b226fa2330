#include "tests/experiments/disguised_files.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "tests/experiments/made_pdf.h"
#include "tests/extract/child/sample_files.h"

namespace akin::experiments {

namespace {

using Text = std::u32string;

struct Run {
  Text text;
  bool hidden = false;
};
/// The runs of each paragraph.
using Runs = std::vector<std::vector<Run>>;

std::vector<Text> words_of(const Paragraphs& text) {
  std::vector<Text> words;
  for (const Text& p : text) {
    bool in_word = false;
    for (const char32_t c : p) {
      if (is_letter(c) && !in_word) words.emplace_back();
      in_word = is_letter(c);
      if (in_word) words.back() += c;
    }
  }
  return words;
}

/// The text with eight random words of its own after a share of its sentence ends.
Runs with_decoys(const Paragraphs& text, double dose, std::uint32_t seed) {
  constexpr int kWords = 8;
  const std::vector<Text> words = words_of(text);
  Random random(seed);
  Runs runs;
  bool any = false;
  for (const Text& p : text) {
    auto& out = runs.emplace_back(1);
    for (std::size_t i = 0; i < p.size(); ++i) {
      out.back().text += p[i];
      const bool ends = is_final(p[i]) && (i + 1 == p.size() || p[i + 1] == U' ');
      if (!ends || words.empty() || (!chance(random, dose) && (any || &p != &text.back()))) continue;
      any = true;
      Text decoy;
      for (int word = 0; word < kWords; ++word) decoy += U" " + words[random() % words.size()];
      out.push_back({decoy + U".", true});
      out.emplace_back();
    }
    std::erase_if(out, [](const Run& run) { return run.text.empty(); });
  }
  return runs;
}

std::string escaped(const Text& text) {
  std::string out;
  for (const char c : to_utf8(text)) {
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

/// What is written before and after a paragraph, a run and a hidden run.
struct Markup {
  std::string_view paragraph, paragraph_end, run, run_end, hidden, hidden_end;
};

std::string marked_up(const Runs& runs, const Markup& markup) {
  std::string out;
  for (const auto& paragraph : runs) {
    out += markup.paragraph;
    for (const Run& run : paragraph) {
      out += run.hidden ? markup.hidden : markup.run;
      out += escaped(run.text);
      out += run.hidden ? markup.hidden_end : markup.run_end;
    }
    out += markup.paragraph_end;
  }
  return out;
}

using Bytes = std::function<std::string(const Paragraphs&, double, std::uint32_t)>;

Bytes docx(std::string properties) {
  return [=](const Paragraphs& text, double dose, std::uint32_t seed) {
    const std::string begin = "<w:t xml:space=\"preserve\">", end = "</w:t></w:r>";
    const std::string hidden = "<w:r><w:rPr>" + properties + "</w:rPr>" + begin;
    return extract::make_docx(
        marked_up(with_decoys(text, dose, seed),
                  {"<w:p>", "</w:p>", "<w:r><w:t xml:space=\"preserve\">", end, hidden, end}),
        "<w:style w:styleId=\"S\"><w:rPr><w:color w:val=\"FFFFFF\"/></w:rPr></w:style>");
  };
}

Bytes odt(std::string properties) {
  return [=](const Paragraphs& text, double dose, std::uint32_t seed) {
    return extract::make_odt(
        marked_up(with_decoys(text, dose, seed),
                  {"<text:p>", "</text:p>", "", "", "<text:span text:style-name=\"H\">", "</text:span>"}),
        "<style:style style:name=\"H\"><style:text-properties " + properties + "/></style:style>");
  };
}

std::string html_of(const Runs& runs, const std::string& hidden) {
  return "<!DOCTYPE html><html><head><meta charset=\"utf-8\"><title>Text</title></head><body>" +
         marked_up(runs, {"<p>", "</p>\n", "", "", "<span " + hidden + ">", "</span>"}) + "</body></html>";
}

Bytes html(std::string attributes) {
  return [=](const Paragraphs& text, double dose, std::uint32_t seed) {
    return html_of(with_decoys(text, dose, seed), attributes);
  };
}

/// Declares a language that is close to the text's own.
std::string declared_instead(const Paragraphs& text) {
  const auto has = [&](std::u32string_view letters) {
    return std::ranges::any_of(
        text, [&](const Text& paragraph) { return paragraph.find_first_of(letters) != Text::npos; });
  };
  if (has(U"їє")) return "ru";
  if (has(U"ы")) return "uk";
  return has(U"äöü") ? "en" : "de";
}

Bytes html_declared_otherwise() {
  return [](const Paragraphs& text, double, std::uint32_t seed) {
    std::string page = html_of(with_decoys(text, 0, seed), "");
    const std::string_view begin = "<html";
    return page.insert(page.find(begin) + begin.size(), " lang=\"" + declared_instead(text) + "\"");
  };
}

/// A share of the paragraphs, and at least three, have a head before them.
Bytes html_with_heads() {
  return [](const Paragraphs& text, double dose, std::uint32_t seed) {
    Random random(seed);
    Paragraphs with_heads;
    std::size_t left = 3;
    for (const Text& paragraph : text) {
      const bool chosen = chance(random, dose);
      if (chosen || left > 0) with_heads.push_back(U"Proceedings of the Society for the Study of Everything");
      if (left > 0) --left;
      with_heads.push_back(paragraph);
    }
    return html_of(with_decoys(with_heads, 0, seed), "");
  };
}

Bytes epub(std::string attributes) {
  return [=](const Paragraphs& text, double dose, std::uint32_t seed) {
    return extract::make_zip(
        {{"mimetype", "application/epub+zip"},
         {"META-INF/container.xml", "<container><rootfile full-path=\"book.opf\"/></container>"},
         {"book.opf",
          "<package><manifest><item id=\"one\" href=\"1.xhtml\"/></manifest><spine><itemref "
          "idref=\"one\"/></spine></package>"},
         {"1.xhtml", html_of(with_decoys(text, dose, seed), attributes)}});
  };
}

Bytes rtf(std::string control) {
  return [=](const Paragraphs& text, double dose, std::uint32_t seed) {
    std::string out = "{\\rtf1\\ansi{\\colortbl;\\red255\\green255\\blue255;}\n";
    for (const auto& paragraph : with_decoys(text, dose, seed)) {
      for (const Run& run : paragraph) {
        if (run.hidden) out += "{" + control + " ";
        for (const char32_t c : run.text) {
          if (c < 0x80 && c != U'\\' && c != U'{' && c != U'}')
            out += static_cast<char>(c);
          else
            out += "\\u" + std::to_string(static_cast<std::int16_t>(c)) + "?";
        }
        if (run.hidden) out += "}";
      }
      out += "\\par\n";
    }
    return out + "}";
  };
}

/// Sets paragraphs on pages, lines of one width.
class Setting {
 public:
  static constexpr double kLeft = 57, kSize = 10, kLine = 13, kLetter = 6;
  static constexpr std::size_t kColumns = 80;

  Setting() { pdf.begin_page(); }

  /// The place of the next line.
  double next_line() {
    constexpr double kBottom = 60;
    y_ -= kLine;
    if (y_ >= kBottom) return y_;
    pdf.begin_page();
    return y_ = kTop;
  }
  void end_paragraph() { y_ -= kLine / 2; }

  /// Calls `draw(line, y, index of its first character)` for each line of a paragraph.
  template <class Draw>
  void set(const Text& paragraph, Draw draw) {
    for (std::size_t at = 0; at < paragraph.size();) {
      std::size_t end = std::min(at + kColumns, paragraph.size());
      if (end < paragraph.size()) {
        const std::size_t blank = paragraph.rfind(U' ', end);
        if (blank != Text::npos && blank > at) end = blank;
      }
      draw(paragraph.substr(at, end - at), next_line(), at);
      at = end < paragraph.size() && paragraph[end] == U' ' ? end + 1 : end;
    }
    end_paragraph();
  }

  MadePdf pdf;

 private:
  static constexpr double kTop = 780;
  double y_ = kTop;
};

/// Draws a hidden line at a place.
using HiddenLine = std::function<void(MadePdf&, double y, const Text& line)>;

Bytes pdf(HiddenLine hide) {
  return [=](const Paragraphs& text, double dose, std::uint32_t seed) {
    Setting setting;
    for (const auto& paragraph : with_decoys(text, dose, seed)) {
      Text seen, hidden;
      for (const Run& run : paragraph) (run.hidden ? hidden : seen) += run.text;
      setting.set(seen, [&](const Text& line, double y, std::size_t) {
        setting.pdf.add_text(Setting::kLeft, y, Setting::kSize, line);
      });
      if (hidden.empty()) continue;
      setting.set(hidden.substr(1),
                  [&](const Text& line, double y, std::size_t) { hide(setting.pdf, y, line); });
    }
    return setting.pdf.bytes();
  };
}

/// The line between operators that hide it.
HiddenLine between(std::string before, std::string after, double size = Setting::kSize,
                   double left = Setting::kLeft) {
  return [=](MadePdf& pdf, double y, const Text& line) {
    pdf.add(before);
    pdf.add_text(left, y, size, line);
    pdf.add(after);
  };
}

std::string picture(double left, double bottom, double width, double height) {
  return "q " + std::to_string(width) + " 0 0 " + std::to_string(height) + " " + std::to_string(left) + " " +
         std::to_string(bottom) + " cm BI /W 1 /H 1 /CS /G /BPC 8 ID \xff EI Q";
}

void cover(MadePdf& pdf, double y, const Text& line) {
  pdf.add_text(Setting::kLeft, y, Setting::kSize, line);
  const double width = Setting::kLetter * static_cast<double>(line.size());
  pdf.add(picture(Setting::kLeft - 1, y - 3, width + 2, Setting::kLine - 1));
}

/// A share of the letters in a font that says something else of them.
Bytes pdf_with_map(FontMap map) {
  return [=](const Paragraphs& text, double dose, std::uint32_t seed) {
    Setting setting;
    Random random(seed);
    for (const Text& paragraph : text) {
      setting.set(paragraph, [&](const Text& line, double y, std::size_t) {
        std::vector<FontMap> maps(line.size(), FontMap::right);
        for (std::size_t i = 0; i < line.size(); ++i)
          if (is_letter(line[i]) && chance(random, dose)) maps[i] = map;
        setting.pdf.add_text(Setting::kLeft, y, Setting::kSize, line, maps);
      });
    }
    return setting.pdf.bytes();
  };
}

/// A share of the pages, the first of them always, shows its text by `instead` alone.
Bytes pdf_without_text(std::function<void(MadePdf&)> instead) {
  return [=](const Paragraphs& text, double dose, std::uint32_t seed) {
    Setting setting;
    Random random(seed);
    std::size_t page = 0;
    bool missing = false;
    for (const Text& paragraph : text) {
      setting.set(paragraph, [&](const Text& line, double y, std::size_t) {
        if (setting.pdf.pages() != page) {
          missing = page == 0 || chance(random, dose);
          page = setting.pdf.pages();
          if (missing) instead(setting.pdf);
        }
        if (!missing) setting.pdf.add_text(Setting::kLeft, y, Setting::kSize, line);
      });
    }
    return setting.pdf.bytes();
  };
}

void draw_scan(MadePdf& pdf) { pdf.add(picture(20, 20, MadePdf::kWidth - 40, MadePdf::kHeight - 40)); }

void draw_shapes(MadePdf& pdf) {
  for (int row = 0; row < 40; ++row)
    for (int column = 0; column < 60; ++column)
      pdf.add(std::to_string(60 + 8 * column) + " " + std::to_string(80 + 17 * row) + " 5 9 re f");
}

}  // namespace

std::vector<DisguisedFile> disguised_files() {
  const Bytes nothing_hidden = [](const Paragraphs& text, double, std::uint32_t) {
    Setting setting;
    for (const Text& paragraph : text)
      setting.set(paragraph, [&](const Text& line, double y, std::size_t) {
        setting.pdf.add_text(Setting::kLeft, y, Setting::kSize, line);
      });
    return setting.pdf.bytes();
  };
  return {
      {"DOCX: vanish", false, docx("<w:vanish/>")},
      {"DOCX: white", false, docx("<w:color w:val=\"FFFFFF\"/>")},
      {"DOCX: white by a style", false, docx("<w:rStyle w:val=\"S\"/>")},
      {"DOCX: size 1", false, docx("<w:sz w:val=\"2\"/>")},
      {"ODT: display none", false, odt("text:display=\"none\"")},
      {"ODT: white", false, odt("fo:color=\"#ffffff\"")},
      {"RTF: hidden", false, rtf("\\v")},
      {"RTF: white", false, rtf("\\cf1")},
      {"HTML: display none", false, html("style=\"display: none\"")},
      {"HTML: hidden", false, html("hidden")},
      {"HTML: off-screen", false, html("style=\"position: absolute; left: -9999px\"")},
      {"HTML: white", false, html("style=\"color: #fff\"")},
      {"HTML: size 0", false, html("style=\"font-size: 0\"")},
      {"HTML: another language declared", false, html_declared_otherwise()},
      {"HTML: running heads", false, html_with_heads()},
      {"EPUB: display none", false, epub("style=\"display: none\"")},
      {"PDF: nothing disguised", true, nothing_hidden},
      {"PDF: white", false, pdf(between("1 g", "0 g"))},
      {"PDF: render mode 3", false, pdf(between("3 Tr", "0 Tr"))},
      {"PDF: size 1", false, pdf(between("", "", 1))},
      {"PDF: outside of the page", false, pdf(between("", "", Setting::kSize, -2000))},
      {"PDF: outside of the clip", false, pdf(between("q 0 0 5 5 re W n", "Q"))},
      {"PDF: under a picture", false, pdf(cover)},
      {"PDF: character map gives other letters", false, pdf_with_map(FontMap::wrong)},
      {"PDF: letters without a character map", false, pdf_with_map(FontMap::none)},
      {"PDF: pages as pictures", false, pdf_without_text(draw_scan)},
      {"PDF: pages as drawn shapes", false, pdf_without_text(draw_shapes)},
  };
}

}  // namespace akin::experiments
