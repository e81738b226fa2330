// akin-report: reads the page of a report from standard input, and writes it as PDF to standard output. akin
// runs it confined, as it runs filters (extract/child/run_filter.h).
#include <cstdio>
#include <exception>
#include <iostream>
#include <iterator>
#include <string>

#include "report/accessible.h"
#include "report/content.h"
#include "report/typeset.h"

int main(int count, char**) {
  if (count != 1) {
    std::fputs(
        "akin-report has no options: it makes a PDF of the page of a report\n"
        "    akin-report < report.html > report.pdf\n",
        stderr);
    return 2;
  }
  try {
    const std::string html{std::istreambuf_iterator<char>(std::cin), {}};
    const akin::report::Content content = akin::report::read_content(html);
    const std::string pdf = accessible(typeset(content), content);
    const bool wrote =
        std::fwrite(pdf.data(), 1, pdf.size(), stdout) == pdf.size() && std::fflush(stdout) == 0;
    if (wrote) return 0;
    std::perror("akin-report: standard output");
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "akin-report: %s\n", failure.what());
  }
  return 1;
}
