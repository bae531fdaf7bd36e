import pitch.rules


def test_all_is_sorted_and_true() -> None:
    names = pitch.rules.__all__
    kind = {name: 0 if name.isupper() else 1 if name[0].isupper() else 2 for name in names}
    assert names == sorted(names, key=lambda name: (kind[name], name))
    assert all(hasattr(pitch.rules, name) for name in names)
