def test_a_term_of_combining_marks_alone_is_refused():
    """It is part of the letter before it and stands nowhere by itself."""
    with pytest.raises(sf.BadInput, match="combining marks only") as refused:
        sf.redact(["e\u0301"], ["e\u0301", "\u0301"], k=1)
    assert "\u0301" not in str(refused.value)
