"""A small file that takes a minute to read."""


def slow_pdf() -> bytes:
    """A page that draws a form ten times, which draws another one ten times, and so on: 10¹² in all."""
    levels = 12
    draw = "/Length 60>>stream\n" + "/F Do " * 10 + "\nendstream "
    page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</XObject<</F 5 0 R>>>>>>"
    objects = ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>", page, f"<<{draw}"]
    for level in range(1, levels):
        next_form = f"/Resources<</XObject<</F {level + 5} 0 R>>>>"
        objects.append(f"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]{next_form}{draw}")
    objects.append("<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Length 3>>stream\nq Q\nendstream ")
    body = "".join(f"{number} 0 obj{one}endobj\n" for number, one in enumerate(objects, 1))
    return f"%PDF-1.4\n{body}trailer<</Root 1 0 R>>\n".encode()
