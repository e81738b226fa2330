# Writes the bytes of a file as a C++ string: cmake -DIN=file -DOUT=file.cpp -DNAMESPACE=a::b -DNAME=function -P embed.cmake
file(READ ${IN} content)
file(WRITE ${OUT} "#include <string_view>\n\nnamespace ${NAMESPACE} {\n\nstd::string_view ${NAME}() noexcept {\n\
  static constexpr char kContent[] =\n      R\"akin-file(${content})akin-file\";\n  return {kContent, sizeof kContent - 1};\n}\n\n\
}  // namespace ${NAMESPACE}\n")
