#include "cli/frame/reading_flags.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cli/frame/help.h"
#include "extract/client/extractor.h"
#include "extract/filter.h"
#include "extract/ocr_options.h"

namespace akin::cli {

void add_reading_flags(CLI::App& app, CommonOptions& options) {
  extract::OcrOptions& ocr = options.ocr;
  app.add_option_function<std::string>(
         "--ocr", [&ocr](const std::string& mode) { ocr.on = mode == "auto"; },
         "Recognize text in scans: auto (where tesseract is installed) or off")
      ->type_name("MODE")
      ->check(CLI::IsMember({"auto", "off"}))
      ->default_str("auto")
      ->group(kStoreFlags);
  app.add_option_function<std::vector<std::string>>(
         "--extract-filter",
         [&options](const std::vector<std::string>& written) {
           for (const std::string& one : written) {
             if (auto filter = extract::parse_filter(one); filter.has_value())
               options.filters.push_back(*std::move(filter));
           }
         },
         "Program that makes text of the files of a type, a suffix or a media type:\n"
         ".tex=detex; may be given several times")
      ->allow_extra_args(false)
      ->type_name("TYPE=COMMAND")
      ->check([](const std::string& written) {
        const auto filter = extract::parse_filter(written);
        return filter.has_value() ? std::string()
                                  : filter.error().reason + " (" + filter.error().remedy + ")";
      })
      ->group(kSettingFlags);
  app.add_option_function<std::uint32_t>(
         "--extract-seconds", extract::Extractor::limit_time,
         "Most seconds of processor time for reading a file, which has 60, and one more for each 20 pages")
      ->type_name("N")
      ->check(CLI::Range(1U, 86'400U))
      ->default_str(std::to_string(extract::ExtractorOptions().most_seconds))
      ->group(kSettingFlags);
  app.add_option("--ocr-languages", ocr.languages, "With ocr: tesseract's names of its data, joined by +")
      ->type_name("LIST")
      ->default_str(extract::OcrOptions().languages)
      ->group(kSettingFlags);
  const auto limit = [&app](const char* flag, auto& value, auto least, auto most, const char* what) {
    app.add_option(flag, value, what)
        ->type_name("N")
        ->check(CLI::Range(least, most))
        ->default_str(std::to_string(value))
        ->group(kSettingFlags);
  };
  limit("--ocr-pages", ocr.pages, 0U, 100'000U, "With ocr: pages of each file that are recognized");
  limit("--ocr-seconds", ocr.seconds, 1U, 86'400U,
        "With ocr: seconds for each file, beside those for reading it");
  limit("--ocr-sample", ocr.sample_pages, 0U, 100'000U,
        "With ocr: pages of a PDF that is checked whose text is compared with what they show");
}

}  // namespace akin::cli
