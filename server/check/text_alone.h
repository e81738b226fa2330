// What a check finds in its text without another one.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "morph/disguise/disguise.h"
#include "server/check/engine.h"
#include "server/check/repeats.h"

namespace akin::check {

struct TextAlone {
  Disguise disguise;
  std::vector<Repeat> repeats;
};

/// Looks for them beside `work`, on threads that have nothing else to do. `least`: words of a repeat.
[[nodiscard]] TextAlone find_in_text_alone(const CheckInput& input, std::size_t least,
                                           const std::function<void()>& work);

}  // namespace akin::check
