"""Which questions point back at their conversation, by closed classes of grammar (SPEC R-18)."""

import pytest

from recall.questions.follow_ups import find_pointer, possible_names

pytestmark = pytest.mark.spec("R-18")


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("What does he earn?", "person"),
        ("Wann kommt sie an?", "person"),
        ("Wie heißt sein Hund?", "person"),
        ("Où habite-t-il maintenant ?", "person"),
        ("Comment s'appelle son chien ?", "person"),
        ("Qual è il suo indirizzo?", "person"),
        ("他的吉他在哪里?", "person"),
        ("When was it sent?", "thing"),
        ("Who lives there?", "thing"),
        ("它在哪里?", "thing"),
        ("The second one, please.", "item"),
        ("第三个是什么?", "item"),
        ("¿Dónde vive?", "subject"),
        ("¿Qué instrumento toca?", "subject"),
        ("Dove lavora?", "subject"),
        ("And the harbour office?", "subject"),
        ("And before that?", "thing"),
        ("¿Y antes?", "more"),
        ("Since when?", "more"),
        # These only look like it.
        ("Wann soll das fertig sein?", None),
        ("Können Sie mir sagen, wo der Server steht?", None),
        ("Quando chiude il porto?", None),
        ("Su quale server gira la coda?", None),
        ("Faut-il redémarrer le serveur ?", None),
        ("Quel jour l'eau sera-t-elle coupée rue des Carmes ?", None),
        ("¿Dónde está el servidor?", None),
        ("其他服务器用什么端口?", None),
        ("吉他在哪里买的?", None),
        ("Which photo shows a cake that has almonds?", None),
        ("Where does my son live in May?", None),
        ("E-Mail des Kunden in Jena?", None),
    ],
)
def test_what_points_back_is_told_from_what_speaks_of_itself(query: str, kind: str | None) -> None:
    pointer = find_pointer(query)

    assert (pointer.kind if pointer else None) == kind


@pytest.mark.parametrize(
    ("query", "place", "earlier"),
    [
        ("Tell me about the last one.", -1, False),
        ("Und was war vor dem zweiten? Der zweite.", 2, False),
        ("What was the first one before that?", 1, True),
    ],
)
def test_a_place_and_a_time_before_are_read_from_the_words(query: str, place: int, earlier: bool) -> None:
    pointer = find_pointer(query)

    assert pointer is not None
    assert (pointer.kind, pointer.place, pointer.earlier) == ("item", place, earlier)


def test_names_are_looked_up_by_runs_of_words_in_any_script() -> None:
    assert {"anna weber", "anna", "marcus"} <= set(possible_names("Did Anna Weber meet Marcus在哪里?"))
    assert "孟浩然" in possible_names("孟浩然在哪里工作?")
