-- For real_files.py: pandoc's plain text without descriptions of pictures, and without formulas, which are TeX.
function Image() return {} end
function Math() return {} end
