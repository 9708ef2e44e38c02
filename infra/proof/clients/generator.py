"""Uses the Python client of OpenAPI Generator against a running service, and against one that is newer (newer.py).

generator.py <base address> <API key> <address of the newer service>
"""

import sys
import time

from prompt_workflow import (
    ApiClient,
    ApiException,
    Code,
    Configuration,
    ConstraintKind,
    CountParameters,
    CreatePreset,
    EngineKind,
    ErrorEnvelope,
    GeneratePromptOperation,
    GenerateRequest,
    HistoryApi,
    NewerOperation,
    OperationsApi,
    PresetsApi,
    PromptRequest,
    PromptsApi,
    RenderPreset,
    Status,
    SystemApi,
    TargetModel,
    WebhooksApi,
)

address, key, newer = sys.argv[1:]


def problem(exception: ApiException) -> ErrorEnvelope:
    """What the service says of a refused request."""
    assert isinstance(exception.data, ErrorEnvelope)
    return exception.data


with ApiClient(Configuration(host=address, access_token=key)) as client:
    system, prompts, presets = SystemApi(client), PromptsApi(client), PresetsApi(client)
    operations, history = OperationsApi(client), HistoryApi(client)

    assert system.get_capabilities().data.engine.kind is EngineKind.RULES
    models = {model.name for model in system.list_models().data.items}
    assert models == set(TargetModel)

    request = GenerateRequest(
        message="A packing list for Iceland", targetModel=TargetModel.UNIVERSAL
    )
    made = prompts.generate_prompt("generator-1", request).data
    assert "Iceland" in made.prompt
    again = prompts.generate_prompt_with_http_info("generator-1", request)
    assert again.headers is not None and again.headers.get("idempotent-replayed") == "true"
    assert again.data.data == made

    # Its declared type is that of the 200 alone.
    accepted = prompts.generate_prompt_with_http_info(
        "generator-2", request, prefer="respond-async"
    )
    assert accepted.status_code == 202 and accepted.headers is not None
    _, _, identifier = accepted.headers.get("location", "").rpartition("/")
    operation = operations.get_operation(identifier).data.actual_instance
    assert isinstance(operation, GeneratePromptOperation)
    while operation.status in (Status.PENDING, Status.RUNNING):
        time.sleep(0.1)
        polled = operations.get_operation(identifier).data.actual_instance
        assert isinstance(polled, GeneratePromptOperation)
        operation = polled
    assert operation.status is Status.SUCCEEDED
    assert operation.result is not None and "Iceland" in operation.result.prompt

    page = history.list_history("generation", limit=1).data
    assert len(page.items) == 1 and page.has_more

    preset = presets.create_preset(
        CreatePreset(
            name="City trips", promptText="Three days in {{city}}", values={"city": "Lisbon"}
        )
    ).data
    rendered = presets.render_preset(preset.id, RenderPreset()).data
    assert rendered.text == "Three days in Lisbon"

    limited = PromptRequest(prompt="Write about the sea in at most ten words")
    analyzed = prompts.analyze_prompt("generator-3", limited).data
    assert analyzed.constraints[0].kind.actual_instance is ConstraintKind.WORD_COUNT
    bound = analyzed.constraints[0].parameters.actual_instance
    assert isinstance(bound, CountParameters) and bound.number == 10

    try:
        # What the document forbids is refused before it is sent.
        presets.create_preset(CreatePreset(name="", promptText="", values={}))
        raise AssertionError("an empty name")
    except ValueError:
        pass
    try:
        presets.get_preset("ps_none")
        raise AssertionError("no such preset")
    except ApiException as refused:
        assert problem(refused).error.code.actual_instance is Code.NOT_FOUND

with ApiClient(Configuration(host=address, access_token="pwk_wrong")) as client:
    try:
        SystemApi(client).get_capabilities()
        raise AssertionError("a stranger")
    except ApiException as refused:
        assert problem(refused).error.code.actual_instance is Code.INVALID_CREDENTIALS

with ApiClient(Configuration(host=newer, access_token=key)) as client:
    added = "added_later"
    assert SystemApi(client).get_capabilities().data.scopes[0].actual_instance == added
    analyzed = PromptsApi(client).analyze_prompt("generator-4", limited).data
    assert analyzed.target_model.actual_instance == added
    assert analyzed.constraints[0].kind.actual_instance == added
    listed = OperationsApi(client).list_operations().data.items[0].actual_instance
    assert isinstance(listed, NewerOperation) and listed.kind == added
    endpoint = WebhooksApi(client).get_webhook_endpoint("whe_1").data
    assert endpoint.events[0].actual_instance == added
    try:
        OperationsApi(client).get_operation("none")
        raise AssertionError("no such operation")
    except ApiException as refused:
        assert problem(refused).error.code.actual_instance == added

print("second python client: passed")
