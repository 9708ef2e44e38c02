"""Uses the generated Python client against a running service, and against one that is newer (newer.py).

smoke.py <base address> <API key> <address of the newer service>
"""

import sys
import time

from prompt_workflow_service_client import AuthenticatedClient
from prompt_workflow_service_client.api.history import list_history
from prompt_workflow_service_client.api.operations import get_operation, list_operations
from prompt_workflow_service_client.api.presets import create_preset, render_preset
from prompt_workflow_service_client.api.prompts import analyze_prompt, generate_prompt
from prompt_workflow_service_client.api.system import get_capabilities, list_models
from prompt_workflow_service_client.api.webhooks import get_webhook_endpoint
from prompt_workflow_service_client.models.code import Code
from prompt_workflow_service_client.models.create_preset import CreatePreset
from prompt_workflow_service_client.models.engine_kind import EngineKind
from prompt_workflow_service_client.models.envelope_analyzed_prompt import EnvelopeAnalyzedPrompt
from prompt_workflow_service_client.models.envelope_capabilities import EnvelopeCapabilities
from prompt_workflow_service_client.models.envelope_generated_prompt import EnvelopeGeneratedPrompt
from prompt_workflow_service_client.models.envelope_history_page import EnvelopeHistoryPage
from prompt_workflow_service_client.models.envelope_models import EnvelopeModels
from prompt_workflow_service_client.models.envelope_operation import EnvelopeOperation
from prompt_workflow_service_client.models.envelope_operation_page import EnvelopeOperationPage
from prompt_workflow_service_client.models.envelope_preset import EnvelopePreset
from prompt_workflow_service_client.models.envelope_rendered_preset import EnvelopeRenderedPreset
from prompt_workflow_service_client.models.envelope_webhook_endpoint import EnvelopeWebhookEndpoint
from prompt_workflow_service_client.models.error_envelope import ErrorEnvelope
from prompt_workflow_service_client.models.generate_prompt_operation import GeneratePromptOperation
from prompt_workflow_service_client.models.generate_prompt_prefer import GeneratePromptPrefer
from prompt_workflow_service_client.models.generate_request import GenerateRequest
from prompt_workflow_service_client.models.generated_prompt import GeneratedPrompt
from prompt_workflow_service_client.models.list_history_type import ListHistoryType
from prompt_workflow_service_client.models.newer_operation import NewerOperation
from prompt_workflow_service_client.models.preset_values import PresetValues
from prompt_workflow_service_client.models.prompt_request import PromptRequest
from prompt_workflow_service_client.models.render_preset import RenderPreset
from prompt_workflow_service_client.models.status import Status
from prompt_workflow_service_client.models.target_model import TargetModel
from prompt_workflow_service_client.types import Unset

address, key, newer = sys.argv[1:]

with AuthenticatedClient(base_url=address, token=key, raise_on_unexpected_status=True) as client:
    offered = get_capabilities.sync(client=client)
    assert isinstance(offered, EnvelopeCapabilities)
    assert offered.data.engine.kind is EngineKind.RULES
    models = list_models.sync(client=client)
    assert isinstance(models, EnvelopeModels)
    assert {model.name for model in models.data.items} == set(TargetModel)

    request = GenerateRequest(message="A packing list for Iceland", target_model=TargetModel.UNIVERSAL)
    made = generate_prompt.sync(client=client, body=request, idempotency_key="python-1")
    assert isinstance(made, EnvelopeGeneratedPrompt)
    assert "Iceland" in made.data.prompt
    again = generate_prompt.sync_detailed(client=client, body=request, idempotency_key="python-1")
    assert again.headers.get("Idempotent-Replayed") == "true"
    assert isinstance(again.parsed, EnvelopeGeneratedPrompt)
    assert again.parsed.data == made.data

    accepted = generate_prompt.sync(
        client=client,
        body=request,
        idempotency_key="python-2",
        prefer=GeneratePromptPrefer.RESPOND_ASYNC,
    )
    assert isinstance(accepted, EnvelopeOperation)
    operation = accepted
    while operation.data.status in (Status.PENDING, Status.RUNNING):
        time.sleep(0.1)
        polled = get_operation.sync(accepted.data.id, client=client)
        assert isinstance(polled, EnvelopeOperation)
        operation = polled
    assert operation.data.status is Status.SUCCEEDED
    assert isinstance(operation.data, GeneratePromptOperation)
    assert isinstance(operation.data.result, GeneratedPrompt)
    assert "Iceland" in operation.data.result.prompt

    page = list_history.sync(client=client, type_=ListHistoryType.GENERATION, limit=1)
    assert isinstance(page, EnvelopeHistoryPage)
    assert len(page.data.items) == 1 and page.data.has_more

    values = PresetValues.from_dict({"city": "Lisbon"})
    preset = create_preset.sync(
        client=client,
        body=CreatePreset(name="City trips", prompt_text="Three days in {{city}}", values=values),
    )
    assert isinstance(preset, EnvelopePreset)
    rendered = render_preset.sync(preset.data.id, client=client, body=RenderPreset())
    assert isinstance(rendered, EnvelopeRenderedPreset)
    assert rendered.data.text == "Three days in Lisbon"

    refused = create_preset.sync(
        client=client, body=CreatePreset(name="", prompt_text="", values=PresetValues())
    )
    assert isinstance(refused, ErrorEnvelope)
    assert refused.error.code is Code.INVALID_REQUEST
    assert not isinstance(refused.error.details, Unset)
    assert {detail.path for detail in refused.error.details} == {"/name", "/promptText"}

with AuthenticatedClient(base_url=address, token="pwk_wrong") as client:
    stranger = get_capabilities.sync(client=client)
    assert isinstance(stranger, ErrorEnvelope) and stranger.error.code is Code.INVALID_CREDENTIALS

with AuthenticatedClient(base_url=newer, token=key, raise_on_unexpected_status=True) as client:
    added = "added_later"
    granted = get_capabilities.sync(client=client)
    assert isinstance(granted, EnvelopeCapabilities) and granted.data.scopes[0] == added
    analyzed = analyze_prompt.sync(
        client=client, body=PromptRequest(prompt="At most ten words"), idempotency_key="python-3"
    )
    assert isinstance(analyzed, EnvelopeAnalyzedPrompt)
    assert analyzed.data.target_model == added and analyzed.data.constraints[0].kind == added
    listed = list_operations.sync(client=client)
    assert isinstance(listed, EnvelopeOperationPage)
    assert isinstance(listed.data.items[0], NewerOperation) and listed.data.items[0].kind == added
    endpoint = get_webhook_endpoint.sync("whe_1", client=client)
    assert isinstance(endpoint, EnvelopeWebhookEndpoint) and endpoint.data.events[0] == added
    missing = get_operation.sync("none", client=client)
    assert isinstance(missing, ErrorEnvelope) and missing.error.code == added

print("python client: passed")
