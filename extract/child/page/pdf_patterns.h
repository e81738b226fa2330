// Output devices that receive patterns and gradients without having them drawn.
#pragma once

#include <GfxState.h>
#include <OutputDev.h>

namespace akin::extract {

/// `Device` with areas of patterns and gradients as one call each. Poppler would otherwise run the content of
/// each tile, and fill gradients strip by strip.
template <class Device>
class WithPatterns : public Device {
 public:
  using Device::Device;

  bool useTilingPatternFill() override { return true; }
  bool useShadedFills(int) override { return true; }
  bool tilingPatternFill(GfxState* state, Gfx*, Catalog*, GfxTilingPattern*, const double*, int, int, int,
                         int, double, double) override {
    return fill_pattern(*state), true;
  }
  bool functionShadedFill(GfxState* state, GfxFunctionShading*) override {
    return fill_pattern(*state), true;
  }
  bool axialShadedFill(GfxState* state, GfxAxialShading*, double, double) override {
    return fill_pattern(*state), true;
  }
  bool radialShadedFill(GfxState* state, GfxRadialShading*, double, double) override {
    return fill_pattern(*state), true;
  }
  bool gouraudTriangleShadedFill(GfxState* state, GfxGouraudTriangleShading*) override {
    return fill_pattern(*state), true;
  }
  bool patchMeshShadedFill(GfxState* state, GfxPatchMeshShading*) override {
    return fill_pattern(*state), true;
  }

 protected:
  /// The area that may be drawn at has a pattern or gradient.
  virtual void fill_pattern(const GfxState&) {}
};

}  // namespace akin::extract
