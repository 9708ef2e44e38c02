"""SQS: messages and queues."""

import json

from services import case, said


@case("visibility")
def _(s):
    url = s.queue("visible", VisibilityTimeout="2")
    s.send(url)
    found = [s.receive(url), s.receive(url), s.receive(url, WaitTimeSeconds=20)]
    handle = found[2][0]["ReceiptHandle"]
    change = said(s.sqs.change_message_visibility, QueueUrl=url, ReceiptHandle=handle, VisibilityTimeout=0)
    found.append(s.receive(url))
    return [[(each["Attributes"]["ApproximateReceiveCount"], sorted(each["Attributes"])) for each in messages]
            for messages in found], change, said(s.sqs.delete_message, QueueUrl=url, ReceiptHandle="nonsense")


@case("deleting by an earlier receipt, or again")
def _(s):
    url = s.queue("receipts", VisibilityTimeout="0")
    s.send(url)
    handles = [s.receive(url)[0]["ReceiptHandle"] for _ in range(2)]
    return [said(s.sqs.delete_message, QueueUrl=url, ReceiptHandle=handles[each])["status"] for each in (0, 1, 1)]


@case("a visibility that is out of range")
def _(s):
    url = s.queue("ranges")
    s.send(url)
    change = {"QueueUrl": url, "ReceiptHandle": s.receive(url)[0]["ReceiptHandle"]}
    changes = [said(s.sqs.change_message_visibility, **change, VisibilityTimeout=each) for each in (-1, 43_201)]
    return [each.get("Error") for each in changes], \
        said(s.sqs.receive_message, QueueUrl=url, VisibilityTimeout=43_201).get("Error")


@case("the visibility of a deleted message")
def _(s):
    url = s.queue("deleted")
    s.send(url)
    handle = {"QueueUrl": url, "ReceiptHandle": s.receive(url)[0]["ReceiptHandle"]}
    s.sqs.delete_message(**handle)
    return said(s.sqs.change_message_visibility, **handle, VisibilityTimeout=1).get("Error")


@case("dead letters and their groups")
def _(s):
    dead = s.queue("gone")
    arn = s.sqs.get_queue_attributes(QueueUrl=dead, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    redrive = json.dumps({"deadLetterTargetArn": arn, "maxReceiveCount": 2})
    url = s.queue("poisoned", VisibilityTimeout="0", RedrivePolicy=redrive)
    s.send(url, MessageGroupId="group")
    return arn, [len(s.receive(url)) for _ in range(3)], \
        [{name: value for name, value in letter["Attributes"].items() if "Timestamp" not in name and name != "SenderId"}
         for letter in s.receive(dead)]


@case("groups against the rules")
def _(s):
    url = s.queue("groups")
    return [s.send(url, MessageGroupId=each).get("Error") for each in ("with spaces", "g" * 129)]


@case("messages at the limits")
def _(s):
    url = s.queue("limits")
    return [s.send(url, **each) for each in ({"body": ""}, {"body": "\u0001"}, {"body": "x" * 1_048_576},
                                             {"body": "x" * 1_048_577}, {"DelaySeconds": 900})], \
        [said(s.sqs.receive_message, QueueUrl=url, MaxNumberOfMessages=each).get("Error") for each in (0, 11)]


@case("times that are out of range")
def _(s):
    url = s.queue("times")
    return s.send(url, DelaySeconds=901).get("Error"), \
        said(s.sqs.receive_message, QueueUrl=url, WaitTimeSeconds=21).get("Error")


@case("batches of messages")
def _(s):
    url = s.queue("batches")
    batches = [[], ["a", "a"], [str(n) for n in range(11)], ["no spaces"]]
    bodies = [["x" * 600_000] * 2, ["x", "\u0001"], ["x", ""]]
    batches = [[(name, "x") for name in names] for names in batches] + [list(zip("ab", each)) for each in bodies]
    batches = [[{"Id": name, "MessageBody": body} for name, body in each] for each in batches]
    answers = [said(s.sqs.send_message_batch, QueueUrl=url, Entries=each) for each in batches]
    return [{name: value for name, value in answer.items() if value} for answer in answers]


@case("queues")
def _(s):
    url = s.queue("plain")
    attributes = s.sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])["Attributes"]
    missing = {"QueueUrl": url.replace("plain", "no-such")}
    return {name: attributes[name] for name in sorted(attributes) if "Timestamp" not in name}, \
        said(s.sqs.create_queue, QueueName="plain", Attributes={"VisibilityTimeout": "31"}), \
        said(s.sqs.get_queue_url, QueueName="no-such"), s.send(missing["QueueUrl"]), \
        said(s.sqs.receive_message, **missing), \
        said(s.sqs.set_queue_attributes, QueueUrl=url, Attributes={"VisibilityTimeout": "43201"})


@case("names of queues and attributes")
def _(s):
    return said(s.sqs.create_queue, QueueName="bad name").get("Error"), \
        said(s.sqs.set_queue_attributes, QueueUrl=s.queue("plain"), Attributes={"Colour": "red"}).get("Error")
