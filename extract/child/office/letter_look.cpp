#include "extract/child/office/letter_look.h"

#include <functional>

#include "extract/html/visibility.h"

namespace akin::extract {

namespace {

template <class T>
void replace(std::optional<T>& value, const std::optional<T>& stronger) {
  if (stronger) value = stronger;
}

}  // namespace

void LetterLook::add_kind(std::string_view property, std::string_view value) {
  constexpr std::size_t kFactor = 1099511628211U;
  // Whatever their order is.
  kind += std::hash<std::string_view>()(property) * kFactor ^ std::hash<std::string_view>()(value);
}

void LetterLook::add(const LetterLook& stronger) {
  replace(vanishes, stronger.vanishes);
  replace(tiny, stronger.tiny);
  replace(narrow, stronger.narrow);
  replace(transparent, stronger.transparent);
  replace(shrunk, stronger.shrunk);
  replace(low, stronger.low);
  replace(outside, stronger.outside);
  replace(condensed, stronger.condensed);
  replace(overlapped, stronger.overlapped);
  replace(raised, stronger.raised);
  replace(set_off, stronger.set_off);
  replace(colour, stronger.colour);
  replace(ground, stronger.ground);
  kind += stronger.kind;
}

HidingSet LetterLook::hiding(std::string_view ground_under) const {
  HidingSet ways = 0;
  if (vanishes.value_or(false)) ways |= set_of(Hiding::switched_off);
  for (const auto& small : {tiny, narrow, overlapped, shrunk, low})
    if (small.value_or(false)) ways |= set_of(Hiding::size);
  if (outside.value_or(false)) ways |= set_of(Hiding::outside);
  const std::string_view own = ground ? std::string_view(*ground) : std::string_view();
  if (transparent.value_or(false) ||
      has_colour_of_ground(colour.value_or(""), own.empty() ? ground_under : own))
    ways |= set_of(Hiding::colour);
  return ways;
}

}  // namespace akin::extract
