#include "dict/fold/folded_reader.h"

namespace akin {

bool FoldedReader::fold_cluster(const Peeked& first, FoldedChar& out) {
  cluster_.clear();
  cluster_.push_back(first.letter);
  bool zero_width = first.zero_width;
  std::uint32_t end = first.byte_offset + first.bytes;
  std::uint32_t end_code_point = first.code_point_offset + 1;
  while (has_next_ && next_.info.composes() && cluster_.size() < ClusterFolder::kMaxCluster &&
         end - first.byte_offset < 0x8000 && !CharTable::begins_cluster(next_.letter)) {
    cluster_.push_back(next_.letter);
    zero_width = zero_width || next_.zero_width;
    end = next_.byte_offset + next_.bytes;
    end_code_point = next_.code_point_offset + 1;
    peek();
  }
  if (cluster_.size() == 1 && !first.info.composes()) {
    out = simple(first);
    return true;
  }
  queue_.clear();
  queue_at_ = 0;
  const auto length = [](std::uint32_t begin, std::uint32_t past) {
    return static_cast<std::uint16_t>(past - begin < 0xffff ? past - begin : 0xffff);
  };
  for (const char32_t c : folder_.fold({cluster_.data(), cluster_.size()})) {
    const CharInfo info = (*table_)[c];
    if (info.kind() >= CharKind::soft_hyphen) continue;
    queue_.push_back({info.composes() ? c : info.folded(), first.code_point_offset, first.byte_offset,
                      length(first.code_point_offset, end_code_point), length(first.byte_offset, end),
                      info.kind(), info.scripts(), zero_width, first.soft_hyphen});
    zero_width = false;
  }
  if (queue_.empty()) return false;
  out = queue_[queue_at_++];
  return true;
}

}  // namespace akin
