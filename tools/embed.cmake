# Writes the bytes of a file as a C++ string: cmake -DIN=file -DOUT=file.cpp -DNAMESPACE=a::b -DNAME=function -P embed.cmake
if(IN MATCHES "[.]zdict$") # not text
  file(READ ${IN} content HEX)
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," content "${content}")
  set(content "{${content}'\\0'}")
else()
  file(READ ${IN} content)
  set(content "R\"akin-file(${content})akin-file\"")
endif()
file(WRITE ${OUT} "#include <string_view>\n\nnamespace ${NAMESPACE} {\n\nstd::string_view ${NAME}() noexcept {\n\
  static constexpr char kContent[] =\n      ${content};\n  return {kContent, sizeof kContent - 1};\n}\n\n\
}  // namespace ${NAMESPACE}\n")
