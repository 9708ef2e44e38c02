//! What the server says to each of the protocol's messages.

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, DiscoverResult, GetPromptRequestParams,
        GetPromptResponse, Implementation, InitializeRequestParams, InitializeResult,
        ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
        PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse,
        ServerCapabilities, ServerConfig, Tool,
    },
    service::RequestContext,
};

use crate::{catalogue::Catalogue, prompts, resources, tools, visit::Visit};

/// What a model is told about the server as a whole.
const INSTRUCTIONS: &str = "Makes, judges and improves prompts for language, image and video models. \
    Tools that work on a prompt (generate_prompt, analyze_prompt, optimize_prompt, \
    analyze_and_optimize_prompt, refine_prompt, refine_optimized_prompt, reverse_prompt) cost credits: \
    get_usage tells how many are left. What they made stays in the history. If a result has \
    `status` PENDING or RUNNING, call get_operation with its `operationId` until it is done. \
    Before publish_library_item, ask the user and wait for an explicit yes.";

type Context = RequestContext<RoleServer>;
type Answered<T> = Result<T, ErrorData>;

/// Answers the messages. It knows nothing between two of them. Each message makes one request to the API, and
/// so passes the gate once.
pub(crate) struct Handler;

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_prompts()
            .enable_resources()
            .build();
        let mut own = Implementation::new("prompt-workflow", "1.0.0");
        own.title = Some("Prompt Workflow Service".to_owned());
        ServerConfig::new(capabilities).with_server_info(own).with_instructions(INSTRUCTIONS)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        Catalogue::get().offer(name).map(|offer| offer.tool.clone())
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: Context,
    ) -> Answered<InitializeResult> {
        Visit::of(&context)?.pass().await?;
        context.peer.set_peer_info(request.clone());
        self.negotiate_initialize(&request)
    }

    async fn discover(&self, context: Context) -> Answered<DiscoverResult> {
        Visit::of(&context)?.pass().await?;
        let versions = self.supported_protocol_versions().into_owned();
        Ok(DiscoverResult::from_server_info(versions, self.get_info()))
    }

    async fn ping(&self, context: Context) -> Answered<()> {
        Visit::of(&context)?.pass().await.map(drop)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Answered<ListToolsResult> {
        let granted = Visit::of(&context)?.pass().await?;
        Ok(ListToolsResult::with_all_items(Catalogue::get().granted(&granted["scopes"])))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Context,
    ) -> Answered<CallToolResponse> {
        let visit = Visit::of(&context)?;
        tools::call(&visit, request, &context).await.map(CallToolResponse::from)
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Answered<ListPromptsResult> {
        prompts::list(&Visit::of(&context)?, request).await
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: Context,
    ) -> Answered<GetPromptResponse> {
        prompts::get(&Visit::of(&context)?, request).await.map(GetPromptResponse::from)
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Answered<ListResourcesResult> {
        resources::list(&Visit::of(&context)?, request).await
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Answered<ListResourceTemplatesResult> {
        Visit::of(&context)?.pass().await?;
        Ok(ListResourceTemplatesResult::with_all_items(vec![resources::template()]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: Context,
    ) -> Answered<ReadResourceResponse> {
        resources::read(&Visit::of(&context)?, &request.uri).await.map(ReadResourceResponse::from)
    }
}
