#include "server/desk/cohort.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "server/desk/browse.h"
#include "server/desk/charts.h"
#include "server/desk/duplicates.h"
#include "server/desk/forms.h"

namespace akin::desk {

namespace {

using json::Json;

/// Documents that a drawing has room for.
constexpr std::size_t kMostNodes = 60;

double larger(const CohortPair& pair) { return std::max(pair.a_share, pair.b_share); }

std::string name_at(const Words& words, const CohortView& view, std::size_t place) {
  return view.hides_names ? filled(words.text_number, {number(words, place + 1)})
                          : name_of(view.documents[place]);
}

std::string filter(const Words& words, const CohortView& view) {
  return "<form method=\"get\" action=\"" + cohort_path(view.task) + "\">" +
         field("least", words.least_share,
               input("least", "number",
                     " min=\"0\" max=\"100\" value=\"" + std::to_string(view.least) + "\"")) +
         check_box("hide_names", "true", words.hide_names, view.hides_names) + "<p><button>" +
         escaped(words.filter) + "</button></p></form>\n";
}

std::string histogram(const Words& words, const CohortView& view) {
  std::string rows;
  for (std::size_t i = 0; i < view.tenths.size(); ++i) {
    rows += "<tr><th scope=\"row\">" + std::to_string(i * 10) + "–" + std::to_string((i + 1) * 10) +
            "\u00a0%</th>" + cell(number(words, view.tenths[i])) + "</tr>\n";
  }
  return "<div class=\"pair\">" + bar_chart(view.tenths) + "\n" +
         table(words.pairs_by_share, {words.share, words.pairs}, rows) + "</div>\n";
}

/// Documents so that those which share text come one after another, each with its neighbours first.
std::vector<std::size_t> drawing_order(const std::vector<CohortPair>& pairs) {
  std::vector<std::size_t> order;
  std::set<std::size_t> taken;
  const auto take = [&](std::size_t document) {
    if (order.size() < kMostNodes && taken.insert(document).second) order.push_back(document);
  };
  for (const CohortPair& first : pairs) {
    std::size_t next = order.size();
    take(first.a);
    for (; next < order.size(); ++next) {
      for (const CohortPair& pair : pairs) {
        if (pair.a == order[next]) take(pair.b);
        if (pair.b == order[next]) take(pair.a);
      }
    }
  }
  return order;
}

std::string tenths_of_unit(double value) { return std::to_string(std::lround(value * 10)); }

std::string attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + std::string(value) + "\"";
}

/// Documents on a circle, a line for each pair, as wide as its share.
std::string graph(const Words& words, const CohortView& view, const std::vector<CohortPair>& pairs) {
  const std::vector<std::size_t> order = drawing_order(pairs);
  constexpr double kRadius = 85, kOfText = 95;
  const auto at = [&](std::size_t node, double radius) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(node) / static_cast<double>(order.size());
    return std::pair(tenths_of_unit(radius * std::sin(angle)), tenths_of_unit(-radius * std::cos(angle)));
  };
  const auto node_of = [&](std::size_t document) {
    return static_cast<std::size_t>(std::ranges::find(order, document) - order.begin());
  };
  std::string lines, nodes;
  for (const CohortPair& pair : pairs) {
    const std::size_t a = node_of(pair.a), b = node_of(pair.b);
    if (a == order.size() || b == order.size()) continue;
    const auto [x1, y1] = at(a, kRadius);
    const auto [x2, y2] = at(b, kRadius);
    lines += "<line" + attribute("x1", x1) + attribute("y1", y1) + attribute("x2", x2) + attribute("y2", y2) +
             attribute("stroke-width", tenths_of_unit(0.2 + 2 * larger(pair))) + "/>";
  }
  for (std::size_t node = 0; node < order.size(); ++node) {
    const auto [x, y] = at(node, kRadius);
    const auto [text_x, text_y] = at(node, kOfText);
    nodes += "<circle" + attribute("cx", x) + attribute("cy", y) + " r=\"15\"><title>" +
             escaped(name_at(words, view, order[node])) + "</title></circle><text" + attribute("x", text_x) +
             attribute("y", text_y) + ">" + std::to_string(order[node] + 1) + "</text>";
  }
  std::set<std::size_t> all;
  for (const CohortPair& pair : pairs) all.insert({pair.a, pair.b});
  std::string html = "<h2>" + escaped(words.who_with_whom) + "</h2>\n<p>" + escaped(words.graph_hint);
  if (all.size() > order.size())
    html += " " + escaped(filled(words.shown_of, {number(words, order.size()), number(words, all.size())}));
  return html + "</p>\n<svg class=\"graph\" viewBox=\"-1000 -1000 2000 2000\" aria-hidden=\"true\">" + lines +
         nodes + "</svg>\n";
}

std::string pair_rows(const Words& words, const CohortView& view, const std::vector<CohortPair>& pairs) {
  std::string rows;
  for (const CohortPair& pair : pairs) {
    const auto side = [&](std::size_t place, double share) {
      return cell(number(words, place + 1) + ". " + name_at(words, view, place)) +
             cell(percent(words, share));
    };
    rows += "<tr>" + side(pair.a, pair.a_share) + side(pair.b, pair.b_share);
    if (!view.hides_names) {
      rows += "<td>" +
              link(compare_path(view.collection, string_in(view.documents[pair.a], "id"),
                                string_in(view.documents[pair.b], "id")),
                   words.compare) +
              "</td>";
    }
    rows += "</tr>\n";
  }
  return rows;
}

}  // namespace

std::string cohort_path(std::string_view task) { return "/desk/cohorts/" + std::string(task); }

std::string cohort_page(const Reader& reader, const CohortView& view) {
  const Words& words = *reader.words;
  std::vector<CohortPair> shown;
  std::ranges::copy_if(view.pairs, std::back_inserter(shown), [&](const CohortPair& pair) {
    return larger(pair) * 100 >= static_cast<double>(view.least);
  });
  std::string html = "<p>" + escaped(filled(words.cohort_intro, {number(words, view.total)})) + "</p>\n";
  if (view.counted < view.total)
    html += "<p>" +
            escaped(filled(words.shown_of, {number(words, view.counted), number(words, view.total)})) +
            "</p>\n";
  html += filter(words, view) + histogram(words, view);
  if (shown.empty()) {
    html += "<p>" + escaped(words.no_pairs_shown) + "</p>\n";
  } else {
    html += graph(words, view, shown);
    std::vector<std::string_view> heads = {words.first_text, words.share, words.second_text, words.share};
    if (!view.hides_names) heads.push_back(words.compare);
    html += wide_table(filled(words.shown_of, {number(words, shown.size()), number(words, view.total)}),
                       heads, pair_rows(words, view, shown));
  }
  return desk_page(reader, std::string(words.pairs) + ": " + view.collection,
                   html + "<p>" + link(duplicates_path(view.collection), words.back) + "</p>\n");
}

}  // namespace akin::desk
