#include "tests/experiments/print_pdf.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <memory>
#include <stdexcept>

namespace akin::experiments {

std::string output_of(const std::string& command) {
  std::string output;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot start " + command);
  std::array<char, 65536> part{};
  for (std::size_t got = 0; (got = std::fread(part.data(), 1, part.size(), pipe)) > 0;)
    output.append(part.data(), got);
  if (pclose(pipe) != 0) throw std::runtime_error(command + " failed");
  return output;
}

std::filesystem::path print_pdf(const std::string& browser, const std::string& text,
                                const std::filesystem::path& folder) {
  std::ofstream page(folder / "page.html");
  page << "<meta charset=utf-8><title>Print</title><style>body{text-align:justify;hyphens:auto;font:11pt "
          "serif}</style><p>";
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text.compare(at, 2, "\n\n") == 0)
      page << "</p>\n<p>";
    else if (text[at] == '<')
      page << "&lt;";
    else if (text[at] == '&')
      page << "&amp;";
    else
      page << text[at];
  }
  page.close();
  const std::filesystem::path printed = folder / "page.pdf";
  static_cast<void>(output_of(browser + " --headless --no-sandbox --disable-gpu --print-to-pdf='" +
                              printed.string() + "' '" + (folder / "page.html").string() + "' 2>/dev/null"));
  return printed;
}

}  // namespace akin::experiments
