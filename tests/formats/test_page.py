from annotator.formats.registry import formats
from tests.formats.page import PAGE, filled


def test_the_page_is_in_step_with_the_formats():
    page = PAGE.read_text("utf-8")
    assert page == filled(page), "run: python -m tests.formats.page"


def test_each_format_has_a_section():
    page = PAGE.read_text("utf-8")
    for slug in formats():
        assert f"\n### `{slug}`" in page
