#include <array>
#include <cstdio>
#include <optional>

#include "cli/frame/format.h"
#include "cli/frame/line_writer.h"
#include "cli/frame/table.h"
#include "lab/commands/lab_commands.h"
#include "lab/evaluate/line_chart.h"
#include "morph/signatures/signature_math.h"
#include "morph/signatures/signatures.h"
#include "server/api/write/objects.h"

namespace akin::cli {

namespace {

using api::Json;

constexpr const char* kCalcExamples =
    "  akin-lab calc supershingles --similarity 0.7 --groups 14 --size 6\n"
    "  akin-lab calc collisions --shingles 10376876 --bits 32\n"
    "\n"
    "Needs no collection.";

constexpr const char* kSupershinglesExamples =
    "  akin-lab calc supershingles --similarity 0.7 --groups 14 --size 6     what a signature finds\n"
    "  akin-lab calc supershingles --similarity 0.7 --recall 0.9 --functions 200   which one has this "
    "recall\n"
    "  akin-lab calc supershingles --groups 14 --size 6 --table --svg curve.svg\n"
    "\n"
    "Similarity is the resemblance of two texts' sets of shingles.";

constexpr const char* kCollisionsExamples =
    "  akin-lab calc collisions --shingles 10376876 --bits 32\n"
    "  akin-lab calc collisions --shingles 1e9 --bits 64 --json\n"
    "  akin-lab calc collisions --shingles 10291000 --modulus 4049561377   of fingerprints modulo a prime\n"
    "\n"
    "The probability that two different shingles have the same hash, if hashes are uniform.";

std::string shown(double value, int digits = 6) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*g", digits, value);
  return text.data();
}

constexpr std::uint64_t kMostCounted = 1'000'000;  // groups, and minima of a group

struct SupershinglesOptions {
  std::optional<double> similarity, recall;
  std::optional<std::uint64_t> groups, size, functions;
  bool table = false;
  std::string svg;
};

Error missing(std::string reason) {
  return Error{Errc::invalid_argument, "akin-lab calc supershingles", std::move(reason),
               "give --groups and --size, or --similarity, --recall and --functions"};
}

/// The given grouping, or the one chosen for the given recall.
Result<Grouping> grouping_of(const SupershinglesOptions& options) {
  const bool given = options.groups && options.size;
  const bool wanted = options.recall && options.functions && options.similarity;
  if (given == wanted || (given && (options.recall || options.functions)) ||
      (wanted && (options.groups || options.size))) {
    return missing("needs either a signature or the recall to reach");
  }
  if (given) {
    if (*options.groups < 1 || *options.size < 1 || *options.groups > kMostCounted ||
        *options.size > kMostCounted) {
      return missing("groups and size must be 1 to " + std::to_string(kMostCounted));
    }
    return Grouping{*options.groups, *options.size};
  }
  if (*options.functions == 0 || *options.functions > kMaxMinima) {
    return missing("functions must be 1 to " + std::to_string(kMaxMinima));
  }
  const double similarity = *options.similarity, recall = *options.recall;
  if (!(similarity > 0 && similarity < 1 && recall > 0 && recall < 1)) {
    return missing("similarity and recall must be greater than 0 and less than 1");
  }
  const auto chosen = choose_grouping(similarity, recall, *options.functions);
  if (chosen) return *chosen;
  const double best = supershingle_probability(similarity, {*options.functions, 1});
  return Error{Errc::invalid_argument, "recall " + shown(recall),
               counted(*options.functions, "function") + " find texts of similarity " + shown(similarity) +
                   " with a probability of " + shown(best) + " at best",
               "lower --recall, or give more functions"};
}

Json grouping_object(const SupershinglesOptions& options, Grouping grouping) {
  Json object;
  object["groups"] = grouping.groups;
  object["size"] = grouping.size;
  object["functions"] = grouping.groups * grouping.size;
  object["half_similarity"] = half_similarity(grouping);
  if (options.similarity) {
    object["similarity"] = *options.similarity;
    object["supershingle"] = supershingle_probability(*options.similarity, grouping);
    object["megashingle"] = megashingle_probability(*options.similarity, grouping);
  }
  if (!options.table) return object;
  Json table = Json::array();
  for (int step = 0; step <= 20; ++step) {
    const double similarity = step / 20.0;
    table.push_back({{"similarity", similarity},
                     {"supershingle", supershingle_probability(similarity, grouping)},
                     {"megashingle", megashingle_probability(similarity, grouping)}});
  }
  object["table"] = std::move(table);
  return object;
}

std::string table_text(Grouping grouping) {
  using Align = Table::Align;
  Table table({Align::right, Align::right, Align::right});
  table.add({"similarity", "supershingle", "megashingle"});
  for (int step = 0; step <= 20; ++step) {
    const double similarity = step / 20.0;
    table.add({shown(similarity, 2), shown(supershingle_probability(similarity, grouping)),
               shown(megashingle_probability(similarity, grouping))});
  }
  return table.text();
}

void print_grouping(const SupershinglesOptions& options, Grouping grouping, Output& out) {
  const std::string groups = std::to_string(grouping.groups);
  const std::string size = std::to_string(grouping.size);
  out << counted(grouping.groups, "supershingle") << " of " << size
      << (grouping.size == 1 ? " minimum each: " : " minima each: ")
      << counted(grouping.groups * grouping.size, "function") << "\n";
  if (options.similarity) {
    const std::string similarity = shown(*options.similarity);
    out << "at least one is common:  1 - (1 - " << similarity << "^" << size << ")^" << groups << " = "
        << shown(supershingle_probability(*options.similarity, grouping)) << "\n"
        << "two are, a megashingle:  1 - (1 - q)^" << groups << " - " << groups << " q (1 - q)^"
        << std::to_string(grouping.groups - 1) << " = "
        << shown(megashingle_probability(*options.similarity, grouping)) << "  with q = " << similarity << "^"
        << size << "\n";
  }
  out << "half of all pairs are found at the similarity (1 - 0.5^(1/" << groups << "))^(1/" << size
      << ") = " << shown(half_similarity(grouping)) << "\n";
  if (options.table) out << table_text(grouping);
}

Result<void> write_svg(const std::string& path, Grouping grouping) {
  const std::string name = std::to_string(grouping.groups) + " × " + std::to_string(grouping.size);
  const auto curve = [grouping](std::string_view named, double (*probability)(double, Grouping)) {
    constexpr int kSteps = 100;
    evaluate::ChartLine line{std::string(named), {}};
    for (int step = 0; step <= kSteps; ++step) {
      const double similarity = static_cast<double>(step) / kSteps;
      line.points.emplace_back(similarity, probability(similarity, grouping));
    }
    return line;
  };
  evaluate::LineChart chart;
  chart.title = name + " minima";
  chart.x_title = "similarity (resemblance) of two texts";
  chart.y_title = "probability";
  chart.lines = {curve("a supershingle is common", supershingle_probability),
                 curve("a megashingle is common", megashingle_probability)};
  AKIN_TRY(const auto out, LineWriter::open(path));
  AKIN_CHECK(out->write(evaluate::svg(chart)));
  return out->finish();
}

Result<Exit> run_supershingles(const SupershinglesOptions& options, Session& session) {
  AKIN_TRY(const Grouping grouping, grouping_of(options));
  if (session.options.json) {
    session.out << grouping_object(options, grouping).dump() << "\n";
  } else {
    print_grouping(options, grouping, session.out);
  }
  if (!options.svg.empty()) AKIN_CHECK(write_svg(options.svg, grouping));
  return Exit::ok;
}

struct CollisionOptions {
  double shingles = 0;
  unsigned bits = 64;
  std::uint64_t modulus = 0;  ///< 0: hashes have `bits`

  [[nodiscard]] double range() const { return modulus > 0 ? static_cast<double>(modulus) : hash_range(bits); }
};

constexpr std::array<double, 3> kProbabilities{0.01, 0.1, 0.4};  // of the paper's table 2

Json collisions_object(const CollisionOptions& options) {
  const double shingles = options.shingles, range = options.range();
  Json object;
  object["shingles"] = shingles;
  if (options.modulus > 0) {
    object["modulus"] = options.modulus;
  } else {
    object["bits"] = options.bits;
  }
  object["probability"] = collision_probability(shingles, range);
  object["probability_approximation"] = collision_probability_approximation(shingles, range);
  object["expected_equal_pairs"] = expected_colliding_pairs(shingles, range);
  object["expected_lost_values"] = expected_lost_values(shingles, range);
  object["rough_rule"] = birthday_bound(range);
  Json at = Json::array();
  for (const double probability : kProbabilities) {
    at.push_back({{"probability", probability}, {"shingles", values_for_collision(probability, range)}});
  }
  object["shingles_at"] = std::move(at);
  return object;
}

std::string hashes_text(const CollisionOptions& options) {
  if (options.modulus > 0) return "hashes modulo R = " + std::to_string(options.modulus);
  const std::string bits = std::to_string(options.bits);
  return "hashes of " + bits + " bits (R = 2^" + bits + ")";
}

void print_collisions(const CollisionOptions& options, Output& out) {
  const double shingles = options.shingles, range = options.range();
  out << shown(shingles, 15) << " different shingles (N), " << hashes_text(options) << "\n";
  Table now({Table::Align::left, Table::Align::left});
  now.add({"probability of a collision", shown(collision_probability(shingles, range))});
  now.add(
      {"  its approximation 1 - e^(-N²/2R)", shown(collision_probability_approximation(shingles, range))});
  now.add({"expected equal pairs N(N-1)/2R", shown(expected_colliding_pairs(shingles, range))});
  now.add({"expected lost values N - R(1 - (1 - 1/R)^N)", shown(expected_lost_values(shingles, range))});
  out << now.text() << "a collision is to be expected from this many shingles on\n";
  Table from({Table::Align::left, Table::Align::left});
  from.add({"rough rule √R", shown(birthday_bound(range), 10)});
  for (const double probability : kProbabilities) {
    from.add({"probability " + shown(probability) + ": √(2R ln(1/(1-P)))",
              shown(values_for_collision(probability, range), 10)});
  }
  out << from.text();
}

Result<Exit> run_collisions(const CollisionOptions& options, Session& session) {
  if (session.options.json) {
    session.out << collisions_object(options).dump() << "\n";
  } else {
    print_collisions(options, session.out);
  }
  return Exit::ok;
}

void add_supershingles(Program& program, Command calc) {
  Command command = program.command(
      calc, "supershingles", "Probability that similar texts share a supershingle, or a signature for it",
      kSupershinglesExamples);
  auto options = std::make_shared<SupershinglesOptions>();
  command.add_option("--similarity", options->similarity, "Resemblance of two texts, 0 to 1")
      .type_name("S")
      .check(check_share);
  command.add_option("--groups", options->groups, "Supershingles of a text")
      .type_name("N")
      .check(check_count);
  command.add_option("--size", options->size, "Minima of a supershingle").type_name("N").check(check_count);
  command.add_option("--recall", options->recall, "Share of such texts to find")
      .type_name("SHARE")
      .check(check_share);
  command.add_option("--functions", options->functions, "Minima that a signature may have")
      .type_name("N")
      .check(check_count);
  command.add_flag("--table", options->table, "Also print the probabilities at 0, 0.05 … 1");
  command.add_option("--svg", options->svg, "Write the curves as a picture").type_name("FILE");
  program.on(command, [options](Session& session) { return run_supershingles(*options, session); });
}

void add_collisions(Program& program, Command calc) {
  Command command = program.command(
      calc, "collisions", "Probability that different shingles have the same hash", kCollisionsExamples);
  auto options = std::make_shared<CollisionOptions>();
  command.add_option("--shingles", options->shingles, "Different shingles, up to 1e18")
      .type_name("N")
      .required()
      .range(0.0, 1e18);
  const Option bits = command.add_option("--bits", options->bits, "Width of a hash")
                          .type_name("B")
                          .range(1U, 256U)
                          .capture_default_str();
  command.add_option("--modulus", options->modulus, "Number of different hashes, instead of --bits")
      .type_name("R")
      .range(std::uint64_t{2}, std::uint64_t{1} << 62U)
      .excludes(bits);
  program.on(command, [options](Session& session) { return run_collisions(*options, session); });
}

}  // namespace

void add_calc_command(Program& program) {
  Command calc = program.command(
      "calc", "Compute what signatures and hashes can be expected to find and to confuse", kCalcExamples);
  calc.require_subcommand();
  add_supershingles(program, calc);
  add_collisions(program, calc);
}

}  // namespace akin::cli
