"""A server that reads requests and writes answers with the types of the vendors' own libraries."""

import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from anthropic.types import Message
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming
from openai.types.chat import ChatCompletion, ChatCompletionContentPartParam
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
from pydantic import TypeAdapter

FIXTURES = json.loads((Path(__file__).parent / "fixtures.json").read_text())["fixtures"]
ANSWER = next(f["response"]["content"] for f in FIXTURES if "new kettle" in f["match"].get("userMessage", ""))


def chat(body: dict) -> ChatCompletion:
    message = {"role": "assistant", "content": ANSWER, "refusal": None}
    choice = {"index": 0, "finish_reason": "stop", "message": message, "logprobs": None}
    usage = {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18}
    return ChatCompletion.model_validate({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": body["model"],
        "choices": [choice], "usage": usage,
    })


def message(body: dict) -> Message:
    return Message.model_validate({
        "id": "msg_1", "type": "message", "role": "assistant", "model": body["model"],
        "content": [{"type": "text", "text": ANSWER, "citations": None}],
        "stop_reason": "end_turn", "stop_sequence": None,
        "usage": {"input_tokens": 9, "output_tokens": 9},
    })


PATHS = {
    "/v1/chat/completions": (TypeAdapter(CompletionCreateParamsNonStreaming), chat),
    "/v1/messages": (TypeAdapter(MessageCreateParamsNonStreaming), message),
}


def unknown(sent, understood, place=""):
    """What was sent and is in none of the library's types."""
    if isinstance(sent, dict):
        for name, value in sent.items():
            if not isinstance(understood, dict) or name not in understood:
                yield f"{place}/{name}"
            else:
                yield from unknown(value, understood[name], f"{place}/{name}")
    elif isinstance(sent, list):
        understood = list(understood) if isinstance(understood, (list, tuple)) else []
        if len(understood) != len(sent):
            yield place
        for position, (one, other) in enumerate(zip(sent, understood)):
            yield from unknown(one, other, f"{place}/{position}")


def misread(adapter, sent):
    """What an adapter does not know of what was sent."""
    understood = adapter.dump_json(adapter.validate_python(sent), warnings=False)
    return unknown(sent, json.loads(understood))


class Handler(BaseHTTPRequestHandler):
    """Answers with what the library makes of the request."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        params, answer = PATHS[self.path]
        try:
            problems = list(misread(params, body))
            # A union with a lazy list is written back empty, so its items are read one by one.
            if self.path == "/v1/chat/completions":
                problems.remove("/messages/1/content")
                for part in body["messages"][1]["content"]:
                    problems += misread(TypeAdapter(ChatCompletionContentPartParam), part)
        except ValueError as error:
            problems = [str(error)]
        if problems:
            print(f"{self.path}: {problems}", file=sys.stderr, flush=True)
            return self.reply(400, json.dumps({"error": {"message": "see the log", "type": "bad"}}))
        return self.reply(200, answer(body).model_dump_json())

    def do_GET(self):
        self.reply(200, "{}")

    def reply(self, status: int, text: str):
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
