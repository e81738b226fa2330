// Fragments of a text at pseudo-random places, as in the second experiment of Veretennikov 2009.
#pragma once

#include <cstddef>
#include <random>
#include <string_view>

namespace akin::experiments {

/// Sizes in bytes. The mean of the longest and the shortest is the paper's: (4.28 GB - 593 MB) / 63,900.
struct FragmentSizes {
  std::size_t shortest = 8192;
  std::size_t longest = 106496;
};

/// A part of `text` that starts and ends between two code points; its size is drawn evenly from the sizes (no
/// longer than the text), its place evenly from those it fits. Requires text.size() >= shortest.
[[nodiscard]] std::string_view cut_fragment(std::string_view text, const FragmentSizes& sizes,
                                            std::mt19937_64& random);

}  // namespace akin::experiments
