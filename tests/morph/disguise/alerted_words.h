// The words that the alerts of a check cover.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/utf8.h"
#include "morph/disguise/disguise.h"

namespace akin {

/// Of one kind; all of its alerts must be listed.
inline std::vector<std::string> alerted_words(const std::string& text, const Dictionary& dictionary,
                                              AlertKind kind) {
  std::vector<std::string> words;
  const Disguise disguise = find_clear_disguise(text, dictionary);
  for (const Alert& alert : disguise.alerts)
    if (alert.kind == kind) words.emplace_back(slice_code_points(text, alert.range.begin, alert.range.end));
  EXPECT_EQ(disguise.counts[kind], words.size());
  return words;
}

}  // namespace akin
