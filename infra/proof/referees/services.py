"""Clients of one maker's DynamoDB, S3 and SQS, what their answers say, and the cases that compare these.

The access key is in the environment.
"""

import botocore.config
import botocore.exceptions
import botocore.session

NAME = "prompt-workflow"
# What each maker chooses.
FREE = {"LastModified", "VersionId", "HostId", "RequestId", "MessageId", "ReceiptHandle", "AcceptRanges", "Message",
        "ServerSideEncryption", "ChecksumType", "SequenceNumber", "Expiration", "ResponseMetadata"}
CASES = {}


def case(name):
    """Registers what gives the answers to be compared."""
    return lambda function: CASES.setdefault(name, function)


class Services:
    """Clients of one maker's services."""

    def __init__(self, addresses):
        session = botocore.session.Session()
        config = botocore.config.Config(
            retries={"total_max_attempts": 1}, parameter_validation=False, signature_version="v4",
            s3={"addressing_style": "path"},
        )
        self.dynamodb, self.s3, self.sqs = (
            session.create_client(
                service, region_name="us-east-1", endpoint_url=address,
                config=config.merge(botocore.config.Config(signature_version="s3v4")) if service == "s3" else config,
            )
            for service, address in zip(("dynamodb", "s3", "sqs"), addresses.split(","), strict=True)
        )

    def db(self, operation, **request):
        """An answer of DynamoDB about the table."""
        table = {} if operation.startswith(("batch", "transact")) else {"TableName": NAME}
        return said(getattr(self.dynamodb, operation), **{**table, **request})

    def object(self, operation, name, **request):
        """An answer of S3 about an object."""
        return said(getattr(self.s3, operation), **{"Bucket": NAME, "Key": name, **request})

    def queue(self, name, **attributes):
        """The URL of a queue of these attributes."""
        return self.sqs.create_queue(QueueName=name, Attributes=attributes)["QueueUrl"]

    def send(self, url, body="x", **request):
        """An answer of SQS about a new message."""
        return said(self.sqs.send_message, QueueUrl=url, MessageBody=body, **request)

    def receive(self, url, **request):
        """Received messages."""
        request = {"MaxNumberOfMessages": 10, "MessageSystemAttributeNames": ["All"], **request}
        return self.sqs.receive_message(QueueUrl=url, **request).get("Messages", [])


def said(call, **request):
    """What an answer says."""
    try:
        answer = call(**request)
    except botocore.exceptions.ClientError as error:
        answer = {**error.response, "Error": error.response["Error"]["Code"]}
    if "Body" in answer:
        answer["Body"] = answer["Body"].read().decode()
    return {"status": answer["ResponseMetadata"]["HTTPStatusCode"], **answer}


def shape(answer):
    """An answer without what each maker chooses."""
    if isinstance(answer, dict):
        return {name: shape(value) for name, value in answer.items() if name not in FREE and name != "message"}
    return [shape(value) for value in answer] if isinstance(answer, (list, tuple)) else answer
