// The extractor of this installation.
#include <unistd.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "extract/client/extractor.h"

namespace akin::extract {

namespace {

OcrOptions& ocr_of_installed() {
  static OcrOptions options;
  return options;
}

std::vector<Filter>& filters_of_installed() {
  static std::vector<Filter> filters;
  return filters;
}

std::uint32_t& time_of_installed() {
  static std::uint32_t most_seconds = ExtractorOptions().most_seconds;
  return most_seconds;
}

std::uint64_t& text_of_installed() {
  static std::uint64_t most_text = ExtractorOptions().most_text;
  return most_text;
}

}  // namespace

std::filesystem::path installed_program(std::string_view name) {
  std::error_code failure;
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", failure).parent_path();
  if (failure) return {};
  for (const std::filesystem::path& program : {folder / name, folder.parent_path() / "libexec/akin" / name}) {
    if (::access(program.c_str(), X_OK) == 0) return program;
  }
  return {};
}

std::filesystem::path installed_extractor() { return installed_program("akin-extract"); }

void Extractor::recognize_by(OcrOptions options) { ocr_of_installed() = std::move(options); }

void Extractor::limit_text(std::uint64_t most_text) { text_of_installed() = most_text; }

void Extractor::limit_time(std::uint32_t most_seconds) { time_of_installed() = most_seconds; }

void Extractor::filter_by(std::vector<Filter> filters) { filters_of_installed() = std::move(filters); }

Extractor& Extractor::installed() {
  static Extractor one(ExtractorOptions{.program = installed_extractor(),
                                        .seconds = std::min(ExtractorOptions().seconds, time_of_installed()),
                                        .most_seconds = time_of_installed(),
                                        .most_text = text_of_installed(),
                                        .ocr = ocr_of_installed(),
                                        .filters = filters_of_installed()});
  return one;
}

}  // namespace akin::extract
