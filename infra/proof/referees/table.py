"""Requests to DynamoDB, in few words."""

from services import NAME


def typed(value):
    """A value in DynamoDB's JSON."""
    if isinstance(value, dict):
        return value
    return {"N": str(value)} if isinstance(value, (int, float)) else {"S": value}


def item(pk, sk="k", **attributes):
    """An item, or its key."""
    return {name: typed(value) for name, value in {"pk": pk, "sk": sk, **attributes}.items()}


def values(**named):
    """Values of an expression, or none."""
    return {"ExpressionAttributeValues": {f":{name}": typed(value) for name, value in named.items()}} if named else {}


def put(s, *key, **attributes):
    return s.db("put_item", Item=item(*key, **attributes))


def update(s, pk, expression, condition=None, **named):
    condition = {"ConditionExpression": condition} if condition else {}
    return s.db("update_item", Key=item(pk), UpdateExpression=expression, ReturnValues="ALL_NEW", **condition,
                **values(**named))


def query(s, condition="pk = :p", p="q", **request):
    return s.db("query", KeyConditionExpression=condition, **{**values(p=p), **request})


def act(pk, kind="Put", **more):
    what = {"Item": item(pk, v=1)} if kind == "Put" else {"Key": item(pk)}
    return {kind: {"TableName": NAME, **what, **more}}


def transact(s, *actions, **more):
    return s.db("transact_write_items", TransactItems=list(actions), **more)
