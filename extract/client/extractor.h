// Reads files of many formats, in the program akin-extract, which cannot do anything else.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "extract/client/answer.h"
#include "extract/client/page_answer.h"
#include "extract/client/picture_answer.h"
#include "extract/document.h"
#include "extract/filter.h"
#include "extract/formats/formats.h"
#include "extract/ocr_options.h"

namespace akin::extract {

struct ExtractorOptions {
  std::filesystem::path program;                      ///< akin-extract
  std::uint64_t memory = std::uint64_t{1} << 30U;     ///< bytes of address space for each file
  std::uint32_t seconds = 60;                         ///< of processor time, for each file
  std::uint32_t most_seconds = 300;                   ///< of one with many pages
  std::uint64_t most_text = std::uint64_t{1} << 28U;  ///< bytes of text of each file
  OcrOptions ocr = {};
  std::vector<Filter> filters = {};
};

/// A program of this installation, such as akin-extract: beside the running program, or in ../libexec/akin.
/// Empty if there is none.
[[nodiscard]] std::filesystem::path installed_program(std::string_view name);
[[nodiscard]] std::filesystem::path installed_extractor();

/// Owns one akin-extract, which starts a process for each file. Any thread; as many files at once as threads
/// ask for.
class Extractor {
 public:
  explicit Extractor(ExtractorOptions options) : options_(std::move(options)) {}
  Extractor(const Extractor&) = delete;
  Extractor& operator=(const Extractor&) = delete;
  ~Extractor();

  /// Of the installed akin-extract, for the whole program; started by the first file.
  [[nodiscard]] static Extractor& installed();

  /// Recognizes text as these say. Call before the first call of `installed`.
  static void recognize_by(OcrOptions options);
  /// Gives no more bytes of text of a file than these. Call as above.
  static void limit_text(std::uint64_t most_text);
  /// Takes no more seconds of processor time for a file than these, however many pages it has. Call as above.
  static void limit_time(std::uint32_t most_seconds);
  /// Has these filters, of two for one type the first. Call as above.
  static void filter_by(std::vector<Filter> filters);

  /// What is read out of a file. `name` is its name in errors. A file that kills its reader, or lasts too
  /// long, costs nothing but its own error. Errors: those of readers (child/readers.h); type_unsupported also
  /// where akin-extract is not installed, and where the kernel does not let it close its sandbox; busy once
  /// this thread's work is stopped, which ends the reader too, and as Sampling::brief says.
  [[nodiscard]] Result<Document> read(std::string_view bytes, const std::string& name,
                                      Sampling sampling = Sampling::off);

  /// The same for a file that may be an archive, whose members it returns.
  [[nodiscard]] Result<Content> content(std::string_view bytes, const std::string& name);

  /// Plain text, or the page of HTML, in these bytes. Errors also: those of decode_text and read_html.
  [[nodiscard]] Result<Page> page(const PageRequest& page, const std::string& name);

  /// A page of a PDF or DjVu as a picture, with the places of its words; or one of a picture, without.
  /// Error also: file_damaged (it has fewer pages).
  [[nodiscard]] Result<PagePicture> picture(const PictureRequest& page, const std::string& name);

  /// Where the words of a PDF or DjVu are, page by page, in pictures as those of `picture`.
  [[nodiscard]] Result<std::vector<PageWords>> places(std::string_view bytes, const std::string& name);

  [[nodiscard]] const std::vector<Filter>& filters() const noexcept { return options_.filters; }
  /// The document, of type "filtered", that the command of a filter makes of a file (child/run_filter.h).
  /// Error also: type_unsupported, where the kernel has no Landlock.
  [[nodiscard]] Result<Document> filtered(std::string_view bytes, const Filter& filter,
                                          const std::string& name);

  /// What a command of akin's own makes of the bytes, run as a filter is. Errors: as above.
  [[nodiscard]] Result<std::string> output_of(const std::vector<std::string>& command, std::string_view bytes,
                                              const std::string& name);

  /// Reads no more files: those that are being read fail soon, with busy, and so does each later one.
  void stop() noexcept { stopped_ = true; }

  /// Starts the program if that has not been done, and reports its sandbox. Errors: as read.
  [[nodiscard]] Result<Sandbox> sandbox();

 private:
  /// One running akin-extract. It ends when its control socket is closed.
  struct Program {
    Program(FileHandle control_socket, int id, Sandbox found)
        : control(std::move(control_socket)), pid(id), sandbox(std::move(found)) {}
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    ~Program();
    FileHandle control;
    int pid;
    Sandbox sandbox;
  };
  using ProgramPtr = std::shared_ptr<Program>;

  [[nodiscard]] Result<ProgramPtr> start() const;
  [[nodiscard]] Result<ProgramPtr> program();
  /// Lets the next file start another program, unless another thread has done so.
  void replace(const ProgramPtr& dead);
  /// A file, and the magic of the request to read it.
  struct Request {
    std::string_view magic, bytes;
    const std::string& name;
    char may;
  };
  /// What `decode` makes of the answer.
  template <class Answer>
  using Decode = Result<Answer> (*)(std::string_view body, const std::string& name);
  [[nodiscard]] Result<Content> answer_to(const Request& request);
  template <class Answer>
  [[nodiscard]] Result<Answer> answer_to(const Request& request, Decode<Answer> decode);
  [[nodiscard]] char rights_of(FileType type) const;
  /// The content with the text that its pictures show. Only a first reading shows that a document needs
  /// tesseract, and more time.
  [[nodiscard]] Result<Content> with_pictures(Request request, FileType type, Result<Content> read);
  /// Whether a document that was read without tesseract needs it.
  [[nodiscard]] bool is_to_recognize(FileType type, const Result<Content>& read) const;
  /// Sets `begun` once the reader has started.
  template <class Answer>
  [[nodiscard]] Result<Answer> ask(const Program& program, const Request& request, Decode<Answer> decode,
                                   bool& begun) const;

  const ExtractorOptions options_;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  ProgramPtr program_;  ///< null before the first file, and after the program died
};

}  // namespace akin::extract
