#include "server/desk/charts.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace akin::desk {

namespace {

using json::Json;

/// Within which bound this share of the answers was sent, as "2.5 ms"; "> 60 s" beyond the last.
std::string within(const Words& words, const ServerView& view, const Speed& speed, double share) {
  constexpr double kMilliseconds = 1000;
  const auto all = std::accumulate(speed.answers.begin(), speed.answers.end(), std::uint64_t{0});
  const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(all)));
  std::size_t part = 0;
  for (std::uint64_t sum = speed.answers[0]; sum < wanted;) sum += speed.answers[++part];
  const bool is_beyond = part >= view.bounds.size();
  const double seconds = view.bounds[is_beyond ? view.bounds.size() - 1 : part];
  const double value = seconds < 1 ? seconds * kMilliseconds : seconds;
  const auto tenths = static_cast<std::uint64_t>(std::llround(value * 10));
  std::string text = number(words, tenths / 10);
  if (tenths % 10 != 0) text += std::string(words.decimal_point) + std::to_string(tenths % 10);
  return (is_beyond ? "> " : "≤ ") + text + "\u00a0" +
         std::string(seconds < 1 ? words.millisecond : words.second);
}

std::string space_row(const Words& words, std::string_view name, std::uint64_t bytes, std::uint64_t most) {
  const std::string width = std::to_string(most == 0 ? 0 : (bytes * 100 + most - 1) / most);
  return "<tr><th scope=\"row\">" + escaped(name) + "</th>" + cell(megabytes(words, bytes)) +
         "<td><svg class=\"chart\" viewBox=\"0 0 100 5\" aria-hidden=\"true\"><rect width=\"" + width +
         "\" height=\"5\"/></svg></td></tr>\n";
}

}  // namespace

std::string bar_chart(std::span<const std::uint64_t> counts) {
  constexpr double kHeight = 20;
  const std::uint64_t most = std::max<std::uint64_t>(1, *std::ranges::max_element(counts));
  std::string html = "<svg class=\"chart\" viewBox=\"0 0 " + std::to_string(counts.size() * 5) +
                     " 20\" aria-hidden=\"true\">";
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto height =
        static_cast<int>(std::ceil(kHeight * static_cast<double>(counts[i]) / static_cast<double>(most)));
    html += "<rect x=\"" + std::to_string(i * 5) + "\" y=\"" + std::to_string(20 - height) +
            "\" width=\"4\" height=\"" + std::to_string(height) + "\"/>";
  }
  return html + "</svg>";
}

std::string speed_part(const Words& words, const ServerView& view) {
  std::string rows;
  for (const Speed& speed : view.speeds) {
    const auto all = std::accumulate(speed.answers.begin(), speed.answers.end(), std::uint64_t{0});
    if (all == 0) continue;
    rows += "<tr><th scope=\"row\">" + escaped(Words::of(words.request_kinds, speed.kind)) + "</th>" +
            cell(number(words, all)) + cell(within(words, view, speed, 0.5)) +
            cell(within(words, view, speed, 0.99)) + "<td>" + bar_chart(speed.answers) + "</td></tr>\n";
  }
  if (rows.empty()) return "";
  return "<h2>" + escaped(words.speed) + "</h2>\n" +
         wide_table(words.speed_hint,
                    {words.requests, words.answers, words.half, words.nearly_all, words.chart}, rows);
}

std::string space_part(const Words& words, const ServerView& view) {
  std::vector<std::pair<std::string, std::uint64_t>> all;
  for (const Json& one : view.collections) {
    if (!one.contains("error"))
      all.emplace_back(one.at("name").get<std::string>(), one.at("disk_bytes").get<std::uint64_t>());
  }
  all.emplace_back(words.kept_for_checks, view.kept_for_checks);
  std::ranges::stable_sort(all, std::ranges::greater{}, [](const auto& one) { return one.second; });
  std::string rows;
  for (const auto& [name, bytes] : all) rows += space_row(words, name, bytes, all.front().second);
  return "<h2>" + escaped(words.space) + "</h2>\n" +
         table("", {words.name, words.on_disk, words.chart}, rows);
}

}  // namespace akin::desk
