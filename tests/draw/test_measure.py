from __future__ import annotations

from arctag.draw.measure import cells, ems, right_to_left, terminal_text, xml_text


def test_measure_cells_counts_wide_and_combining_characters() -> None:
    assert [cells(text) for text in ("abc", "图书", "e\u0301", "각", "\u1100\u1161", "a\u200db")] == [3, 4, 1, 2, 2, 2]


def test_measure_ems_errs_on_the_wide_side_and_ignores_marks() -> None:
    assert ems("mmm") > ems("nnn") > ems("iii")
    assert ems("e\u0301") == ems("e")
    assert ems("图") > 1


def test_measure_xml_text_escapes_markup_and_replaces_what_xml_forbids() -> None:
    assert xml_text("<a b=\"c\" d='&'>") == "&lt;a b=&quot;c&quot; d=&#39;&amp;&#39;&gt;"
    assert xml_text("\x00\x1f\x85\ufffe\u202e\ud800") == "\ufffd" * 6
    assert xml_text("\tplain é\n") == "\tplain é\n"


def test_measure_terminal_text_has_nothing_a_terminal_obeys() -> None:
    assert terminal_text("\x1b[31m\r\n\u2028\u202e") == "\ufffd[31m\ufffd\ufffd\ufffd\ufffd"
    assert terminal_text("a中é", "latin-1") == "a\\u4e2dé"


def test_measure_right_to_left_sees_hebrew_and_arabic() -> None:
    assert [right_to_left(text) for text in ("abc", "הלך", "ذهب", "123")] == [False, True, True, False]
