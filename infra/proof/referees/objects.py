"""S3: objects, lists and events."""

import json

from services import NAME, case, said


@case("conditional writes")
def _(s):
    def write(name, **conditions):
        answer = s.object("put_object", name, Body=b"x", **conditions)
        return answer["status"], answer.get("Error"), answer.get("ETag")
    _, _, etag = write("cw", IfNoneMatch="*")
    return write("cw", IfNoneMatch="*"), write("cw", IfMatch=etag), write("cw", IfMatch='"other"'), \
        write("none", IfMatch=etag), s.object("delete_object", "cw", IfMatch='"other"'), \
        [s.object("copy_object", "cc", CopySource=f"{NAME}/cw", **each).get("Error")
         for each in ({"CopySourceIfMatch": '"other"'}, {"CopySourceIfMatch": etag}, {"CopySourceIfNoneMatch": etag})]


@case("conditional reads")
def _(s):
    etag = s.object("put_object", "cr", Body=b"body", ContentType="text/plain")["ETag"]
    conditions = [{"IfMatch": '"other"'}, {"IfNoneMatch": etag}, {"IfMatch": etag}]
    return [s.object(read, "cr", **each) for read in ("get_object", "head_object") for each in conditions]


@case("missing objects")
def _(s):
    return s.object("get_object", "none"), s.object("head_object", "none"), s.object("delete_object", "none"), \
        s.object("copy_object", "copy", CopySource=f"{NAME}/none"), s.object("get_object", "k", Bucket="no-such"), \
        said(s.s3.delete_objects, Bucket=NAME, Delete={"Objects": [{"Key": "none"}]})


@case("ranges")
def _(s):
    s.object("put_object", "r", Body=b"0123456789", ContentType="text/plain")
    return [s.object("get_object", "r", Range=f"bytes={each}") for each in ("0-3", "-3", "8-", "8-99", "10-", "99-100")]


@case("ranges that are none")
def _(s):
    ranges = ("bytes=5-2", "nonsense", "bytes=0-1,3-4")
    return [s.object("get_object", "r", Range=each)["status"] for each in ranges]


@case("digests of uploads")
def _(s):
    sums = [{"ChecksumSHA256": "A" * 43 + "="}, {"ContentMD5": "A" * 22 + "=="}, {"ContentMD5": "x"}]
    s.object("put_object", "d", Body=b"body", ContentType="text/plain", ChecksumAlgorithm="SHA256")
    return [s.object("put_object", "cs", Body=b"body", **each).get("Error") for each in sums], \
        s.object("head_object", "d", ChecksumMode="ENABLED"), s.object("head_object", "d")


@case("the digest in the answer to an upload")
def _(s):
    return s.object("put_object", "d", Body=b"body", ChecksumAlgorithm="SHA256")


@case("what is kept beside an object")
def _(s):
    s.object("put_object", "k", Body=b"x", ContentType="text/plain", CacheControl="no-store", ContentEncoding="gzip",
             ContentDisposition="attachment", Metadata={"Colour": "red"})
    s.object("copy_object", "l", CopySource=f"{NAME}/k")
    return [s.object("head_object", each) for each in "kl"]


@case("the type of an object without one")
def _(s):
    s.object("put_object", "n", Body=b"x")
    return s.object("head_object", "n")


@case("a copy onto itself")
def _(s):
    return s.object("copy_object", "k", CopySource=f"{NAME}/k").get("Error")


def listed(s, **request):
    answer = said(s.s3.list_objects_v2, Bucket=NAME, Prefix="l/", **request)
    names = ("status", "Error", "KeyCount", "IsTruncated", "CommonPrefixes", "MaxKeys")
    return {name: answer.get(name) for name in names}, [each["Key"] for each in answer.get("Contents", [])]


@case("lists")
def _(s):
    for name in ("l/a", "l/b c", "l/d/e", "l/ü"):
        s.object("put_object", name, Body=b"x")
    return [listed(s, **each) for each in ({}, {"MaxKeys": 2}, {"Delimiter": "/"}, {"StartAfter": "l/b c"})]


@case("a list of no keys")
def _(s):
    return listed(s, MaxKeys=0)


@case("a list with encoded keys")
def _(s):
    return listed(s, EncodingType="url")


@case("a wrong continuation token")
def _(s):
    return listed(s, ContinuationToken="nonsense")


@case("names of objects")
def _(s):
    return [s.object("put_object", each, Body=b"x").get("Error") for each in ("k" * 1024, "a//b", "ü", "a+b c")]


@case("a name of more than 1,024 bytes")
def _(s):
    return s.object("put_object", "k" * 1025, Body=b"x").get("Error")


@case("events of uploads")
def _(s):
    url = s.queue("events")
    arn = s.sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    uploads = {"Key": {"FilterRules": [{"Name": "prefix", "Value": "uploads/"}]}}
    told = {"QueueArn": arn, "Events": ["s3:ObjectCreated:*"], "Filter": uploads}
    said(s.s3.put_bucket_notification_configuration, Bucket=NAME,
         NotificationConfiguration={"QueueConfigurations": [told]})
    tests = s.receive(url, WaitTimeSeconds=5)
    for name in ("uploads/a b+ü", "elsewhere"):
        s.object("put_object", name, Body=b"x")
    events = s.receive(url, WaitTimeSeconds=5)
    records = [record for event in events for record in json.loads(event["Body"])["Records"]]
    return [sorted(json.loads(test["Body"])) for test in tests], \
        [(record["eventName"], record["eventSource"], record["s3"]["bucket"]["name"], record["s3"]["object"]["key"],
          sorted(record["s3"]["object"])) for record in records]
