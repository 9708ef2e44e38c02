"""DynamoDB: items, queries, transactions and batches."""

from services import NAME, case
from table import act, item, put, query, transact, values


@case("returned values")
def _(s):
    modes = ("NONE", "ALL_OLD", "UPDATED_OLD", "ALL_NEW", "UPDATED_NEW", "ANY")
    return [s.db("update_item", Key=item("r"), UpdateExpression="SET a = if_not_exists(a, :n) + :n, c = :m",
                 **values(n=1, m="x"), ReturnValues=mode) for mode in modes], \
        [s.db("delete_item", Key=item("r"), ReturnValues="ALL_OLD") for _ in range(2)], \
        s.db("put_item", Item=item("r"), ReturnValues="ALL_NEW")


@case("values and keys at the limits")
def _(s):
    numbers = ("1e125", "1e126", "1" * 38, "1" * 39, "0001.500", "-0", "1e-130", "1e-131")
    attributes = [{"N": number} for number in numbers] + ["x" * 409_700]
    attributes += [{"NS": ["1", "1.0"]}, {"SS": ["a", "a"]}, {"NULL": False}, {"L": []}, {"M": {}}]
    keys = [("", "k"), ("k", ""), ("p" * 2048, "k"), ("p" * 2049, "k"), ("k", "s" * 1024), ("k", "s" * 1025)]
    wrong = [{"pk": {"S": "a"}}, item("a", x="b"), item(1), {}]
    return [(put(s, "v", a=each), s.db("get_item", Key=item("v"), ConsistentRead=True)) for each in attributes], \
        [put(s, *key) for key in keys], [s.db("get_item", Key=key) for key in wrong]


@case("pages of a query")
def _(s):
    for n in range(5):
        put(s, "q", f"s{n}", even={"BOOL": n % 2 == 0}, lp="L", ls=f"{9 - n}", ti=f"t{n}", other="x")
    listed = {"IndexName": "list", "condition": "lp = :p", "p": "L"}
    filtered = {"FilterExpression": "even = :e", **values(p="q", e={"BOOL": True})}
    starts = [item("other", "s1"), item("q", "s11"), {"pk": {"S": "q"}}]
    return [query(s, **each) for each in (
        {"Limit": 2}, {"Limit": 5}, {"Limit": 0}, {"Select": "COUNT"}, {"ScanIndexForward": False, "Limit": 1},
        {**filtered, "Limit": 2}, {**listed, "Limit": 2}, {**listed, "ConsistentRead": True},
        {**listed, "ExclusiveStartKey": item("q", "s1")}, {"IndexName": "missing"},
        {**listed, "ExclusiveStartKey": item("q", "s3", lp="L", ls="6")},
        *({"ExclusiveStartKey": start} for start in starts),
    )]


@case("key conditions")
def _(s):
    return [query(s, each) for each in ("pk > :p", "pk = :p AND a = :p", "sk = :p", "pk = :p AND pk = :p",
                                        "begins_with(pk, :p)", "pk = :p AND sk < :p")]


@case("key conditions of other operators")
def _(s):
    return [query(s, each) for each in ("pk = :p AND sk = :p OR sk = :p", "pk = :p AND contains(sk, :p)",
                                        "pk = :p AND sk <> :p")]


@case("transactions that are cancelled")
def _(s):
    put(s, "t1", a="old")
    old = {"ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
    typeless = {"UpdateExpression": "ADD a :n", **values(n=1)}
    return transact(s, act("t2"), act("t1", ConditionExpression="attribute_not_exists(pk)", **old),
                    act("t3", "ConditionCheck", ConditionExpression="attribute_exists(pk)", **old)), \
        transact(s, act("t2"), act("t1", "Update", **typeless)), s.db("get_item", Key=item("t2"))


@case("transactions against the rules")
def _(s):
    big = {"Put": {"TableName": NAME, "Item": item("t4", a="x" * 410_000)}}
    many = [{"Put": {"TableName": NAME, "Item": item(f"t5-{n}", a="x" * 400_000)}} for n in range(11)]
    return [transact(s, *each) for each in (
        [act("t4"), act("t4", "Delete")], [act(f"t4-{n}") for n in range(101)], [], [act("t4"), big], many,
        [{"Put": {"TableName": "missing", "Item": item("x")}}],
    )], s.db("get_item", Key=item("t4"))


@case("an action of two kinds, and one without a key")
def _(s):
    return transact(s, {**act("t9"), **act("t10", "Delete")}), \
        transact(s, {"Put": {"TableName": NAME, "Item": {"pk": {"S": "x"}}}})


@case("tokens of transactions")
def _(s):
    add = act("t7", "Update", UpdateExpression="ADD n :n", **values(n=1))
    return [transact(s, each, ClientRequestToken="token-7") for each in (add, add, act("t8"))], \
        s.db("get_item", Key=item("t7")), transact(s, add, ClientRequestToken="x" * 37)


@case("transactions that read")
def _(s):
    gets = [act(pk, "Get") for pk in ("t1", "missing")]
    return [s.db("transact_get_items", TransactItems=each) for each in (gets, [gets[0], gets[0]], [])]


@case("batches of items")
def _(s):
    def both(count, sk="s{}"):
        keys = [item("b", sk.format(n)) for n in range(count)]
        read = s.db("batch_get_item", RequestItems={NAME: {"Keys": keys}})
        for found in read.get("Responses", {}).values():
            found.sort(key=lambda each: each["sk"]["S"])
        return s.db("batch_write_item", RequestItems={NAME: [{"PutRequest": {"Item": key}} for key in keys]}), read
    return both(25), both(26), both(2, "same"), both(0), both(100), both(101)


@case("a batch of more than 16 MB")
def _(s):
    keys = [item("b2", f"{n:02}") for n in range(42)]
    for key in keys:
        s.db("put_item", Item={**key, "a": {"S": "x" * 400_000}})
    answer = s.db("batch_get_item", RequestItems={NAME: {"Keys": keys}})
    page = query(s, p="b2")
    return bool(answer["UnprocessedKeys"]), page["Count"], page["LastEvaluatedKey"]
