"""An entry is found by other words of the same meaning, in either language, where two agree."""

import pytest

from backstory.store import SqliteStore
from findable import an_item, found, keep


@pytest.fixture
def shop(store: SqliteStore) -> SqliteStore:
    keep(
        store,
        an_item(
            "refund",
            title="Refunds are paid out to the wallet",
            statement="The customer gets the money back within three days.",
        ),
        an_item("retry", title="支付失败自动重试", statement="间隔五分钟，超时以后通知客服。"),
        an_item("login", title="Sign in by text message", statement="No passwords are stored."),
        an_item("parcel", title="Lost parcels", statement="The courier searches for a week."),
        an_item("place", title="Numbers", statement="Odd ones", paths=("src/invoice/tax.py",)),
    )
    return store


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("退款退到钱包吗", "refund"),
        ("is a failed payment tried again?", "retry"),
        ("用短信登录吗", "login"),
        ("包裹丢失", "parcel"),
    ],
)
def test_words_of_another_language_find_an_entry(
    shop: SqliteStore, text: str, wanted: str
) -> None:
    assert found(shop, text)[:1] == [wanted]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("login by sms", "login"),
        ("what happens to packages that go missing or are lost?", "parcel"),
        ("付款没成功会不会重发", "retry"),
    ],
)
def test_other_words_of_the_same_language_find_an_entry(
    shop: SqliteStore, text: str, wanted: str
) -> None:
    assert wanted in found(shop, text)


@pytest.mark.parametrize(
    "text",
    [
        "钱包是什么颜色的皮革",
        "how do I parse a login page with a regular expression?",
        "发票的税率怎么配置",
        "快递员的制服多少钱",
    ],
)
def test_one_word_that_means_the_same_is_not_enough(shop: SqliteStore, text: str) -> None:
    assert found(shop, text) == []


def test_one_word_of_an_entry_does_not_prove_two_of_a_question(store: SqliteStore) -> None:
    keep(store, an_item("mail", title="Look at letters locally", statement="docker serves them"))

    assert found(store, "why is the docker container restarting?") == []


def test_a_name_that_means_what_several_words_do_is_enough(store: SqliteStore) -> None:
    keep(
        store,
        an_item("title", title="What a commit message is made of"),
        an_item("text", title="Staff", statement="They use the single sign-on of the hospital."),
    )

    assert found(store, "提交信息包含哪些") == ["title"]
    assert found(store, "单点登录怎么拆卸") == []


def test_a_concept_alone_finds_its_entry(shop: SqliteStore) -> None:
    assert found(shop, "退款") == ["refund"]
    assert found(shop, "sms") == ["login"]


def test_the_word_itself_comes_before_another_that_means_the_same(store: SqliteStore) -> None:
    keep(
        store,
        an_item("other", title="订单取消后库存恢复"),
        an_item("said", title="撤销订单要店长同意"),
    )

    assert found(store, "撤销订单")[0] == "said"
