#include <Catalog.h>
#include <ErrorCodes.h>
#include <FileSpec.h>
#include <GlobalParams.h>
#include <PDFDoc.h>
#include <Page.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "extract/child/errors.h"
#include "extract/child/page/ocr.h"
#include "extract/child/page/pdf_fields.h"
#include "extract/child/page/pdf_hidden.h"
#include "extract/child/page/pdf_ocr.h"
#include "extract/child/page/pdf_page.h"
#include "extract/child/page/pdf_pictures.h"
#include "extract/child/page/pdf_text.h"
#include "extract/child/page/seen_letters.h"
#include "extract/child/readers.h"
#include "extract/child/sandbox.h"

namespace akin::extract {

namespace {

constexpr int kMostPages = 100000;
/// The share of glyphs without a known character from which they are reported.
constexpr double kUnreadableShare = 0.05;
/// That of glyphs which were read by codes that say nothing.
constexpr double kWronglyGuessedShare = 0.025;
/// The share of small letters among glyphs without a name and a map from which their codes are right.
constexpr double kLeastSmall = 0.6;
/// The share of glyphs whose font names another letter from which they are reported.
constexpr double kWrongShare = 0.01;
/// And that of letters that the page does not show as the text has them; less is an error of recognition.
constexpr double kDifferentShare = 0.15;
/// Fewer are a mark or a logo beside a line, as the shortest line that is compared has so many.
constexpr std::uint64_t kLeastDifferent = 20;
/// A page with fewer glyphs, such as a number, has no text.
constexpr std::uint64_t kFewGlyphs = 40;
/// On a scan, so few glyphs in so few lines are what a library stamps on it ("Downloaded from").
constexpr std::uint64_t kStampGlyphs = 300;
constexpr std::size_t kStampLines = 3;

/// The longest of the line's words.
const TextWord* main_word(const TextLine& line) {
  const TextWord* longest = line.getWords();
  for (const TextWord* word = longest; word != nullptr; word = word->getNext())
    if (word->getLength() > longest->getLength()) longest = word;
  return longest;
}

/// Whether a word is smaller than most of its line, and above its base.
bool is_raised(const TextWord& word, const TextWord& most) {
  constexpr double kSmaller = 0.85, kAbove = 0.15;
  return word.getRotation() == 0 && most.getRotation() == 0 &&
         word.getFontSize() < kSmaller * most.getFontSize() &&
         word.getBaseline() < most.getBaseline() - kAbove * most.getFontSize();
}

/// The line's words, without raised marks of notes. The size is of most of its letters.
PdfLine make_line(const TextLine& line, std::uint32_t block) {
  PdfLine made;
  made.left = made.top = 1e9;
  made.block = block;
  const TextWord* most = main_word(line);
  if (most != nullptr) made.size = most->getFontSize();
  const TextWord* first = line.getWords();
  if (first != nullptr && first->getNext() != nullptr) {
    double top = 0, right = 0, bottom = 0;
    first->getNext()->getBBox(&made.second_left, &top, &right, &bottom);
    made.first_size = first->getFontSize();
  }
  for (const TextWord* word = line.getWords(); word != nullptr; word = word->getNext()) {
    double left = 0, top = 0, right = 0, bottom = 0;
    word->getBBox(&left, &top, &right, &bottom);
    made.left = std::min(made.left, left);
    made.top = std::min(made.top, top);
    made.right = std::max(made.right, right);
    made.bottom = std::max(made.bottom, bottom);
    std::string text;
    for (int i = 0; i < word->getLength(); ++i) append_characters(text, word->getChar(i), 1);
    if (!is_raised(*word, *most) || !is_note_mark(made.text, text)) made.text += text;
    if (word->getSpaceAfter()) made.text += ' ';
  }
  while (made.text.ends_with(' ')) made.text.pop_back();
  return made;
}

PdfPage make_page(const VisibleText& text, PDFDoc& document, int number) {
  PdfPage page;
  page.width = document.getPageCropWidth(number);
  page.height = document.getPageCropHeight(number);
  for_each_line(text, [&](const TextLine& line, std::uint32_t block) {
    PdfLine made = make_line(line, block);
    if (!made.text.empty()) page.lines.push_back(std::move(made));
  });
  return page;
}

/// Whether the page's own resources name a picture: then it is looked at before its text is read.
bool names_picture(::Page& page) {
  Dict* resources = page.getResourceDict();
  if (resources == nullptr) return false;
  const Object objects = resources->lookup("XObject");
  if (!objects.isDict()) return false;
  for (int i = 0; i < objects.dictGetLength(); ++i) {
    const Object object = objects.dictGetVal(i);
    if (object.isStream() && object.streamGetDict()->lookup("Subtype").isName("Image")) return true;
  }
  return false;
}

std::string information(PDFDoc& document, const char* key) {
  const auto entry = document.getDocInfoStringEntry(key);
  return entry == nullptr ? std::string() : text_of(*entry);
}

/// "D:20240131…" → "2024-01-31"; anything else unchanged.
std::string date_of(const std::string& written) {
  constexpr std::size_t kDay = 10;
  if (!written.starts_with("D:") || written.size() < kDay) return written;
  return written.substr(2, 4) + "-" + written.substr(6, 2) + "-" + written.substr(8, 2);
}

void read_information(PDFDoc& document, FileMetadata& metadata) {
  metadata.title = information(document, "Title");
  if (std::string author = information(document, "Author"); !author.empty())
    metadata.authors.push_back(std::move(author));
  metadata.date = date_of(information(document, "CreationDate"));
}

/// Files within the file are not read.
void report_attachments(PDFDoc& document, DocumentBuilder& builder) {
  constexpr int kMostNamed = 20;
  Catalog* catalog = document.getCatalog();
  const int count = catalog == nullptr ? 0 : catalog->numEmbeddedFiles();
  std::string names;
  for (int i = 0; i < std::min(count, kMostNamed); ++i) {
    const auto file = catalog->embeddedFile(i);
    const GooString* name = file == nullptr ? nullptr : file->getFileName();
    if (name != nullptr) (names += names.empty() ? "" : ", ") += text_of(*name);
  }
  if (count > 0) builder.report(FileAlertKind::part_missing, static_cast<std::uint64_t>(count), names);
}

/// Reads pages one after another; adds what is hidden to the builder.
class PageReader {
 public:
  /// `bytes`: of the document.
  PageReader(PDFDoc& document, std::string_view bytes, DocumentBuilder& builder)
      : document_(document), bytes_(bytes), builder_(builder) {}

  [[nodiscard]] PdfPage read(int number) {
    ::Page* page = document_.getPage(number);
    builder_.page(static_cast<std::uint32_t>(number));
    if (page == nullptr || !page->isOk()) return {};
    looked_ = false;
    if (names_picture(*page)) look_at_pictures(number);
    read_text(number);
    // Only now it is known that it matters what else the page shows.
    const bool on_page = ((text_.hidden().ways | text_.beside().ways) & ~set_of(Hiding::outside)) != 0;
    const bool hides = text_.may_hide() || (on_page && text_.has_pictures());
    if (!looked_ && (hides || text_.counts().seen < kFewGlyphs)) {
      look_at_pictures(number);
      if (text_.has_pictures()) read_text(number);
    }
    TextFields fields(*page, text_.beside().text);
    if (!fields.empty()) read_text(number, &fields);
    PdfPage made = make_page(text_, document_, number);
    fields.add_lines(made);
    recognized_ = false;
    report(static_cast<std::uint32_t>(number), made);
    remove_line_numbers(made);
    join_initials(made);
    join_rows(made);
    if (!recognized_) {
      set_in_read_order(made);
      set_columns_in_order(made);
    }
    return made;
  }

  /// Reports what is counted over all pages, which are these.
  void finish(const std::vector<PdfPage>& pages) {
    report_hidden(hidden_, pages, builder_);
    const auto exceeds = [&](std::uint64_t count, double share) {
      return static_cast<double>(count) > share * static_cast<double>(counts_.all);
    };
    // Old fonts number their glyphs by the codes of ASCII, most of them small letters then.
    const auto least_small = kLeastSmall * static_cast<double>(counts_.guessed);
    const bool guesses_wrong = static_cast<double>(counts_.guessed_small) < least_small;
    if (guesses_wrong) counts_.unreadable += counts_.guessed;
    if (exceeds(counts_.unreadable, guesses_wrong ? kWronglyGuessedShare : kUnreadableShare)) {
      builder_.page(unreadable_page_);
      builder_.report(FileAlertKind::unreadable_glyphs, counts_.unreadable);
    }
    if (exceeds(counts_.wrong, kWrongShare)) {
      builder_.page(wrong_page_);
      builder_.report(FileAlertKind::wrong_characters, counts_.wrong, wrong_);
    }
    const double share = static_cast<double>(difference_.differing) /
                         static_cast<double>(std::max<std::uint64_t>(difference_.letters, 1));
    if (share < kDifferentShare || difference_.differing < kLeastDifferent) return;
    builder_.page(different_page_);
    builder_.report_share(FileAlertKind::shown_otherwise, difference_.differing, share, difference_.sample);
  }

 private:
  void display(OutputDev& on, int number, TextFields* without = nullptr) {
    constexpr double kPointsPerInch = 72;
    document_.displayPage(&on, number, kPointsPerInch, kPointsPerInch, 0, false, true, false, nullptr,
                          nullptr, without == nullptr ? nullptr : TextFields::is_other, without);
  }

  void look_at_pictures(int number) {
    looked_ = true;
    pictures_.begin_page(document_.getPageCropWidth(number), document_.getPageCropHeight(number));
    display(pictures_, number);
  }

  void read_text(int number, TextFields* without = nullptr) {
    const PagePictures* pictures = looked_ ? &pictures_ : nullptr;
    text_.begin_page(pictures);
    display(text_, number, without);
    if (!text_.is_said_otherwise()) return;
    text_.begin_page(pictures, false);
    display(text_, number, without);
  }

  void report(std::uint32_t number, PdfPage& made) {
    GlyphCounts page = text_.counts();
    const bool otherwise = text_.is_said_otherwise();
    if (otherwise) page.wrong += text_.said().denied();
    const bool first = counts_.unreadable + counts_.guessed == 0;
    if (page.unreadable + page.guessed > 0 && first) unreadable_page_ = number;
    if (page.wrong > 0 && counts_.wrong == 0) {
      wrong_page_ = number;
      wrong_ = otherwise ? text_.said().sample() : text_.wrong();
    }
    if (!text_.hidden().text.empty() || !text_.beside().text.empty())
      hidden_.push_back({number, text_.hidden(), text_.beside()});
    builder_.leave_out(text_.too_small());
    counts_.all += page.all;
    counts_.unreadable += page.unreadable;
    counts_.guessed += page.guessed;
    counts_.guessed_small += page.guessed_small;
    counts_.wrong += page.wrong;
    const bool few = page.seen < kFewGlyphs && pictures_.fill_page();
    const bool stamped =
        page.seen < kStampGlyphs && made.lines.size() <= kStampLines && pictures_.fill_whole_page();
    const bool is_picture = looked_ && (few || stamped);
    if (is_picture) recognize(number, made);
    if (Ocr::of_process().samples() && number >= next_sample_ && can_compare(made)) compare(number, made);
  }

  /// Replaces the few glyphs of a page by what all of it shows.
  void recognize(std::uint32_t number, PdfPage& made) {
    PdfPage shown;
    if (Ocr::of_process().has_budget()) shown = shown_page(drawn(), static_cast<int>(number));
    report_recognized(shown, builder_);
    if (shown.lines.empty()) return;
    made.lines = std::move(shown.lines);
    recognized_ = true;
  }

  void compare(std::uint32_t number, const PdfPage& made) {
    const auto pages = static_cast<std::uint32_t>(document_.getNumPages());
    next_sample_ = number + std::max(pages / Ocr::of_process().options().sample_pages, 1U);
    if (++samples_ > Ocr::of_process().options().sample_pages) return;
    const Difference found = compare_with_shown(drawn(), static_cast<int>(number), made);
    if (difference_.differing == 0) different_page_ = number;
    difference_.letters += found.letters;
    difference_.differing += found.differing;
    if (difference_.sample.empty()) difference_.sample = found.sample;
  }

  /// The document again, with pictures that can be drawn.
  PDFDoc& drawn() {
    if (drawn_ == nullptr)
      drawn_ = std::make_unique<PDFDoc>(
          new MemStream(bytes_.data(), 0, static_cast<Goffset>(bytes_.size()), Object(objNull)));
    return *drawn_;
  }

  PDFDoc& document_;
  std::string_view bytes_;
  std::unique_ptr<PDFDoc> drawn_;  ///< null until a page is drawn
  DocumentBuilder& builder_;
  VisibleText text_;
  PagePictures pictures_;
  bool looked_ = false;      ///< pictures_ are of the page
  bool recognized_ = false;  ///< the page's lines are those of tesseract, in read order
  GlyphCounts counts_;
  std::vector<HiddenOnPage> hidden_;
  std::string wrong_;
  std::uint32_t unreadable_page_ = 0, wrong_page_ = 0, different_page_ = 0;  ///< the first of them
  Difference difference_;
  std::uint32_t next_sample_ = 1, samples_ = 0;
};

/// Poppler keeps these four tables, and forks share them: within the sandbox it could not open their files.
void load_east_asian_characters() {
  for (const char* collection : {"Adobe-CNS1", "Adobe-GB1", "Adobe-Japan1", "Adobe-Korea1"}) {
    const GooString name(collection);
    static_cast<void>(globalParams->getCIDToUnicode(&name));  // kept for as long as the process runs
  }
}

}  // namespace

Result<void> read_pdf(std::string_view bytes, DocumentBuilder& builder) {
  PDFDoc document(with_undecoded_pictures(bytes).release());
  if (!document.isOk()) return unreadable(document);
  const int count = document.getNumPages();
  if (count <= 0) return damaged("is a PDF without pages");
  if (count > kMostPages) return too_large("has more than " + std::to_string(kMostPages) + " pages");
  read_information(document, builder.metadata());
  report_attachments(document, builder);
  PageReader reader(document, bytes, builder);
  std::vector<PdfPage> pages;
  std::uint64_t bytes_of_text = 0;
  for (int number = 1; number <= count; ++number) {
    pages.push_back(reader.read(number));
    add_pages_read(1);
    for (const PdfLine& line : pages.back().lines) bytes_of_text += line.text.size();
    if (bytes_of_text > builder.most_bytes()) break;  // add_pages finds the same
  }
  reader.finish(pages);
  remove_running_heads(pages);
  add_pages(pages, builder);
  return {};
}

void warm_up_pdf() {
  globalParams = std::make_unique<GlobalParams>();
  setErrorCallback(note_error);
  load_east_asian_characters();
  // One page with one word, in a font that is not embedded.
  constexpr std::string_view kSmall =
      "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count "
      "1>>endobj\n"
      "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R"
      "/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj\n"
      "4 0 obj<</Length 33>>stream\nBT /F 12 Tf 9 9 Td (word) Tj ET  \nendstream endobj\n"
      "trailer<</Root 1 0 R>>\n";
  DocumentBuilder builder("pdf", kSmall.size());
  (void)read_pdf(kSmall, builder);
}

}  // namespace akin::extract
