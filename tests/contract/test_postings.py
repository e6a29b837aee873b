"""The index of entries: what is put is matched, and what is removed leaves no trace."""

from backstory.model.ids import ThreadId
from backstory.ports.store import Store
from backstory.ports.store_rows import NewDocument, Posting, Wanted


def a_document(entry_id: str, *terms: str, weight: float = 0.5, **fields: object) -> NewDocument:
    given: dict[str, object] = {
        "is_item": True,
        "thread_id": None,
        "started_at_ms": 0,
        "spellings": (),
    }
    postings = tuple(Posting(term, weight, 1) for term in terms)
    return NewDocument(entry_id=entry_id, postings=postings, **(given | fields))  # type: ignore[arg-type]


def put(store: Store, *documents: NewDocument) -> None:
    with store.writing() as tables:
        for document in documents:
            tables.postings.put(document)


def matched(store: Store, *terms: str, **fields: object) -> list[tuple[str, str]]:
    seeds = dict.fromkeys(terms, 1.0)
    with store.reading() as tables:
        wanted = Wanted(terms=(), seeds=seeds, **fields)  # type: ignore[arg-type]
        return [(match.entry_id, match.term) for match in tables.postings.matches(wanted)]


def test_an_entry_is_matched_by_each_term_it_holds(store: Store) -> None:
    put(store, a_document("a", "cursor", "分页"), a_document("b", "cursor"))

    assert sorted(matched(store, "cursor", "分页", "none")) == [
        ("a", "cursor"),
        ("a", "分页"),
        ("b", "cursor"),
    ]


def test_putting_an_entry_again_replaces_it(store: Store) -> None:
    put(store, a_document("a", "old", spellings=("olden",)))
    put(store, a_document("a", "new", spellings=("newer",)))

    with store.reading() as tables:
        assert tables.postings.totals(["old", "new"]) == (1, {"new": 1})
        assert tables.postings.spellings(["oldem", "newex"], limit=9) == {"newex": ("newer",)}


def test_renewing_an_entry_leaves_nothing_of_what_it_held(store: Store) -> None:
    put(store, a_document("a", "old", "same", spellings=("olden", "kept")))
    with store.writing() as tables:
        tables.postings.renew(a_document("a", "same", "new", spellings=("kept", "newer")))

    with store.reading() as tables:
        assert tables.postings.totals(["old", "same", "new"]) == (1, {"same": 1, "new": 1})
        near = tables.postings.spellings(["oldem", "newex", "kepd"], limit=9)
        assert near == {"newex": ("newer",), "kepd": ("kept",)}
        assert tables.postings.miscounts() == ()


def test_removing_takes_counts_along(store: Store) -> None:
    put(store, a_document("a", "x", "y"), a_document("b", "x"))
    with store.writing() as tables:
        tables.postings.remove("a")
        tables.postings.remove("never there")

    with store.reading() as tables:
        assert tables.postings.totals(["x", "y"]) == (1, {"x": 1})


def test_clearing_empties_the_index(store: Store) -> None:
    put(store, a_document("a", "x", spellings=("xylophone",)))
    with store.writing() as tables:
        tables.postings.clear()

    with store.reading() as tables:
        assert tables.postings.totals(["x"]) == (0, {})
        assert tables.postings.spellings(["xylophon"], limit=9) == {}
    assert matched(store, "x") == []


def test_what_belongs_to_a_thread_is_matched_in_it_alone(store: Store) -> None:
    put(store, a_document("a", "x", thread_id=ThreadId("th_1")), a_document("b", "x"))

    assert matched(store, "x") == [("b", "x")]
    assert sorted(matched(store, "x", thread_id=ThreadId("th_1"))) == [("a", "x"), ("b", "x")]


def test_the_heaviest_entries_of_a_common_term_are_kept(store: Store) -> None:
    put(store, *(a_document(f"e{n}", "x", weight=n / 100) for n in range(1, 60)))

    best = matched(store, "x", postings_max=5, items_max=3)

    assert [entry for entry, _ in best] == ["e59", "e58", "e57"]


def test_names_are_matched_by_their_beginning(store: Store) -> None:
    put(store, a_document("a", "=tests never sleep"), a_document("b", "=test names"))

    found = matched(store, name_beginnings=("=tests",))

    assert found == [("a", "=tests never sleep")]


def test_words_near_a_misspelt_one_are_found_by_either_half(store: Store) -> None:
    put(store, a_document("a", "x", spellings=("pagination", "paging", "snapshot")))

    with store.reading() as tables:
        near = tables.postings.spellings(["pagintaion", "xnapshot", "pagi"], limit=20)

    assert "pagination" in near["pagintaion"]
    assert "snapshot" in near["xnapshot"]
    assert {"pagination", "paging"} <= set(near["pagi"])


def test_many_items_do_not_crowd_out_an_episode(store: Store) -> None:
    put(store, *(a_document(f"i{n}", "x", weight=0.9) for n in range(9)))
    put(store, a_document("e", "x", weight=0.1, is_item=False))

    assert ("e", "x") in matched(store, "x", items_max=3, episodes_max=3)


def test_common_terms_are_told_of_what_rarer_ones_brought_in(store: Store) -> None:
    put(store, a_document("a", "rare", "common"), a_document("b", "common"))

    with store.reading() as tables:
        matches = tables.postings.matches(Wanted(terms=("common",), seeds={"rare": 1.0}))

    assert sorted((match.entry_id, match.term) for match in matches) == [
        ("a", "common"),
        ("a", "rare"),
    ]
