"""DynamoDB: expressions of conditions, updates and projections."""

from services import case
from table import item, put, update, values


@case("conditions that fail")
def _(s):
    put(s, "c", a="x")
    new = {"ConditionExpression": "attribute_not_exists(pk)"}
    return [s.db("put_item", Item=item("c"), **new, ReturnValuesOnConditionCheckFailure=mode)
            for mode in ("NONE", "ALL_OLD")], update(s, "missing", "SET a = :a", "attribute_exists(pk)", a="x")


@case("conditions that compare")
def _(s):
    put(s, "cc", n=5, t="abc", l={"L": [{"N": "1"}]}, m={"M": {"a": {"N": "1"}}}, z={"NULL": True})
    conditions = [
        ("n < :n", 10), ("n < :n", "9"), ("gone = :n", 1), ("NOT gone = :n", 1), ("gone <> :n", 1), ("size(t) = :n", 3),
        ("size(m) < :n", 2), ("size(gone) < :n", 2), ("contains(l, :n)", 1), ("contains(t, :n)", "b"), ("m.a = :n", 1),
        ("attribute_type(z, :n)", "NULL"), ("n IN (:n)", 5), ("l[0] = :n", 1), ("n BETWEEN :n AND :hit", 1),
        ("attribute_not_exists(m.b) AND n > :n", 1), ("attribute_not_exists(q.b) AND n > :n", 1),
    ]
    return [(each, update(s, "cc", "SET hit = :hit", each, hit=9, n=value)) for each, value in conditions]


@case("size of a number")
def _(s):
    put(s, "cs", n=5)
    return update(s, "cs", "SET hit = :n", "size(n) < :n", n=2)


@case("bounds of two types")
def _(s):
    put(s, "cb", t="abc")
    return update(s, "cb", "SET hit = :n", "t BETWEEN :n AND :o", n=1, o="9")


def refused(s, pk, *expressions):
    """Expressions on an item of a number and a list."""
    answers = []
    for expression, *value in expressions:
        put(s, pk, a=1, l={"L": [{"S": "0"}, {"S": "1"}, {"S": "2"}]}, z={"SS": ["x", "y"]})
        answers.append((expression, update(s, pk, expression, **({"n": value[0]} if value else {}))))
    return answers


@case("updates")
def _(s):
    return refused(
        s, "u", ("SET status = :n", 1), ("SET b = :m", 1), ("SET b = :b", 1), ("SET pk = :n", "x"), ("ADD a :n", "x"),
        ("SET b = gone + :n", 1), ("SET x.y = :n", 1), ("SET l[7] = :n", 1), ("REMOVE l[3]",), ("",), ("ADD b :n", 1),
        ("SET d = if_not_exists(d, :n) + :n", 1), ("DELETE a :n", 1), ("SET lp = :n", 1), ("SET e = :n", {"SS": []}),
        ("SET e = :n", ""), ("SET lp = :n", ""), ("SET e = :n", {"N": "x"}), ("DELETE z :n", {"SS": ["x", "y"]}),
        ("ADD a :n", 0.1), ("SET l = list_append(:n, l)", {"L": [{"S": "first"}]}),
    )


@case("updates of one path twice")
def _(s):
    return refused(s, "ut", ("SET a = :n, a = :n", 1), ("SET a.b = :n, a = :n", 1))


@case("updates with a clause twice, or an empty one")
def _(s):
    return refused(s, "uc", ("SET a = :n SET b = :n", 1), ("SET",))


@case("list_append to a number")
def _(s):
    return refused(s, "ul", ("SET b = list_append(a, :n)", {"L": []}))


@case("removing from what is not there")
def _(s):
    return refused(s, "ur", ("REMOVE x.y",))


@case("removing two elements of a list")
def _(s):
    return refused(s, "ue", ("REMOVE l[0], l[1]",))


@case("projections")
def _(s):
    put(s, "p", a={"M": {"b": {"N": "1"}, "c": {"N": "2"}}}, l={"L": [{"S": "0"}, {"S": "1"}, {"S": "2"}]})
    paths = ("a.b", "a.b, a.c", "l[0], l[2]", "missing", "a, a.b", "status")
    return [s.db("get_item", Key=item("p"), ProjectionExpression=each) for each in paths]


@case("an empty projection")
def _(s):
    return s.db("get_item", Key=item("p"), ProjectionExpression="")
