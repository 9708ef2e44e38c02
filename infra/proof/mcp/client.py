"""Drives the service with the official Python client: both eras of the protocol, each part of the interface.

The client validates results against the tools' declared schemas by itself; here is checked what they say.
"""

import asyncio
import json
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import ElicitResult, PromptReference

url, token = sys.argv[1:]


def expect(what, holds, seen=None):
    if not holds:
        sys.exit(f"FAIL {what}: {seen}")
    print(f"ok   {what}")


async def answer(client, request, model):
    """An answer to the request that passes its checks, as docs/checks.md shows it."""
    text = await model(request)
    for _ in range(3):
        run = await client.call_tool("run_prompt_checks", {"prompt": request, "outputs": [text]})
        verdicts = run.structured_content["outputs"][0]["verdicts"]
        failed = [verdict for verdict in verdicts if verdict["verdict"] == "failed"]
        if not failed:
            break
        text = await model(f"{request}\n\nYour answer was:\n{text}\n\nIt fails these checks, mend it: {failed}")
    return text


async def drive(mode):
    told = []

    async def progress(done, total, message):
        told.append((done, total, message))

    async def fill(context, form):
        names = form.requested_schema["required"]
        return ElicitResult(action="accept", content={name: "Porto" for name in names})

    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        async with Client(streamable_http_client(url, http_client=http), mode=mode, elicitation_callback=fill) as client:
            expect(f"{mode}: protocol {client.protocol_version}", client.protocol_version >= "2025-11-25")
            tools = (await client.list_tools()).tools
            expect(f"{mode}: {len(tools)} tools", len(tools) > 30)
            goal = {"message": "A haiku about {{sea}}", "outputMode": "reusable"}
            made = await client.call_tool("generate_prompt", goal, progress_callback=progress)
            expect(f"{mode}: a prompt is generated", not made.is_error, made)
            made = made.structured_content
            # The client tells of it beside its work: an answer that comes at once may be here first.
            for _ in range(100):
                if len(told) == 2:
                    break
                await asyncio.sleep(0.02)
            steps = [done for done, _, _ in told]
            expect(f"{mode}: progress is told", steps == [1, 2], told)
            again = await client.call_tool("generate_prompt", goal)
            fresh = again.structured_content["operationId"] != made["operationId"]
            expect(f"{mode}: another message is another operation", fresh)
            read = await client.call_tool("get_operation", {"id": made["operationId"]})
            expect(f"{mode}: the operation is there", read.structured_content["status"] == "SUCCEEDED", read)
            wrong = await client.call_tool("generate_prompt", {"message": ""})
            expect(f"{mode}: a model is told what is wrong", wrong.is_error and "/message" in wrong.content[0].text, wrong)

            async def model(request):
                # What it is told of the failure makes it shorter.
                return "Quiet green tea." if "c1" in request else "A quiet green tea."

            checked = await answer(client, "Describe our tea in at most 3 words.", model)
            expect(f"{mode}: an agent mends its own answer", checked == "Quiet green tea.", checked)

            preset = {"name": mode, "promptText": "Plan a day in {{city}}.", "values": {}}
            saved = (await client.call_tool("create_preset", preset)).structured_content
            prompts = (await client.list_prompts()).prompts
            listed = [prompt for prompt in prompts if prompt.name == saved["id"]]
            expect(f"{mode}: a preset is a prompt", [a.name for a in listed[0].arguments] == ["city"], prompts)
            prompt = await client.get_prompt(saved["id"], {"city": "Lisbon"})
            text = prompt.messages[0].content.text
            expect(f"{mode}: and is rendered", text == "Plan a day in Lisbon.", text)

            if client.protocol_version >= "2026-07-28":
                prompt = await client.get_prompt(saved["id"])
                text = prompt.messages[0].content.text
                expect(f"{mode}: the user is asked for what is missing", text == "Plan a day in Porto.", text)

            ref = PromptReference(name=saved["id"])
            rome = {"name": mode, "promptText": "{{city}}", "values": {"city": f"Rome, {mode}"}}
            await client.call_tool("create_preset", rome)
            completed = await client.complete(ref, {"name": "city", "value": "rome"})
            expect(f"{mode}: a variable is completed", f"Rome, {mode}" in completed.completion.values, completed)

            resources = await client.list_resources()
            expect(f"{mode}: {len(resources.resources)} resources", len(resources.resources) > 1)
            for resource in resources.resources[:2]:
                contents = (await client.read_resource(str(resource.uri))).contents
                expect(f"{mode}: {resource.uri} is read", json.loads(contents[0].text), contents)


for mode in ("legacy", "auto"):
    asyncio.run(drive(mode))
