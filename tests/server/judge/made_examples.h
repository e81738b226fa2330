// Labelled examples made up for tests.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "server/judge/train_classifier.h"

namespace akin::judge {

/// Examples in which `words` gives the label, except in a share of `noise` of them; `title` is noise and
/// `time` is missing in every third. Each is a group of its own.
[[nodiscard]] inline std::vector<Example> made_examples(std::size_t count, double noise,
                                                        std::uint64_t seed = 5) {
  std::mt19937_64 random(seed);
  const auto share = [&] { return static_cast<double>(random() % 10'000) / 10'000; };
  std::vector<Example> examples;
  for (std::size_t i = 0; i < count; ++i) {
    Example example;
    example.values.fill(undefined());
    example.label = i % 2 == 0;
    const bool shown = share() < noise ? !example.label : example.label;
    example.values[index_of(Criterion::words)] = shown ? 0.5 + share() / 2 : share() / 2;
    example.values[index_of(Criterion::title)] = share();
    if (i % 3 != 0) example.values[index_of(Criterion::time)] = share();
    example.a.source = example.label ? "copyist" : "agency";
    example.b.source = "agency";
    example.group = i;
    examples.push_back(example);
  }
  return examples;
}

}  // namespace akin::judge
