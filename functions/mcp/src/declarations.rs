//! The tools: which operations are offered, and their descriptions for the model.
//!
//! Operations on webhook endpoints are excluded: a signing secret must not enter a model's context. So are files for
//! test runners.

/// Effect of a tool, for its annotations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Changes nothing.
    Reads,
    /// Adds something: a preset, an operation with its history.
    Adds,
    /// The same, and takes an upload away.
    AddsAndTakes,
    /// Sets a reaction, or removes it again.
    Toggles,
    /// Changes or deletes something; a repetition changes nothing more.
    Replaces,
    /// Makes something public, or private again.
    Publishes,
}

/// A tool.
#[derive(Debug)]
pub(crate) struct ToolDeclaration {
    /// The operation that it calls.
    pub operation: &'static str,
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    pub effect: Effect,
    /// Optional arguments of the operation that a model does not need.
    pub without: &'static [&'static str],
    /// Optional arguments of the operation that the tool needs, having no others in their place.
    pub requires: &'static [&'static str],
}

macro_rules! tools {
    ($(
        $operation:ident as $name:ident, $effect:ident, $title:literal $(without $argument:ident)* $(requires $needed:ident)*:
            $description:literal;
    )*) => {
        /// Every tool.
        pub(crate) const TOOLS: &[ToolDeclaration] = &[$(ToolDeclaration {
            operation: stringify!($operation),
            name: stringify!($name),
            title: $title,
            description: $description,
            effect: Effect::$effect,
            without: &[$(stringify!($argument)),*],
            requires: &[$(stringify!($needed)),*],
        }),*];
    };
}

tools! {
    generatePrompt as generate_prompt, Adds, "Generate a prompt":
        "Write a complete prompt for a goal, in the form that suits the target model: when there is no prompt yet, or with `generationId` to continue one. Costs 1 credit.";
    analyzePrompt as analyze_prompt, Adds, "Analyze a prompt":
        "Score a prompt and list its strengths, weaknesses and findings, without rewriting it. Costs 1 credit.";
    optimizePrompt as optimize_prompt, Adds, "Optimize a prompt":
        "Rewrite a prompt into one or two better versions, listing each change. Variables, code, numbers and quotations are kept. Costs 1 credit.";
    analyzeAndOptimizePrompt as analyze_and_optimize_prompt, Adds, "Analyze and optimize a prompt":
        "Score a prompt and rewrite it in one go; tells which findings the rewrite resolves. Costs 2 credits.";
    refinePrompt as refine_prompt, Adds, "Refine a prompt by feedback":
        "Apply feedback to any prompt, changing nothing else, and report the outcome of each point. For versions of optimize_prompt, use refine_optimized_prompt. Costs 1 credit.";
    refineOptimizedPrompt as refine_optimized_prompt, Adds, "Refine an optimized version by feedback":
        "Apply feedback to a version of an optimization: `id` is its `optimizationId`, `sourceVersionId` its `versionId`. Costs 1 credit.";
    reversePrompt as reverse_prompt, AddsAndTakes, "Reverse-engineer a prompt":
        "Find a prompt that would produce something like an uploaded image or video, a text or a public page; `type` says which. Costs 1 credit.";
    estimatePromptTokens as estimate_tokens, Reads, "Count tokens":
        "Count characters, words and tokens of a text. Free.";
    readPromptChecks as read_prompt_checks, Reads, "Read a prompt's checks" without language without values:
        "List what a prompt demands of its answers that a program can check; `coverage` has the rest. Free.";
    runPromptChecks as run_prompt_checks, Reads, "Check answers"
        without checks without inflections without language without values requires prompt:
        "Tell which demands of a prompt each answer passes or fails, with evidence. Use it before you give an answer. Free.";
    getUsage as get_usage, Reads, "Read usage":
        "Read plan, credits used and left this month, running operations and upload allowance. Free.";
    getCapabilities as get_capabilities, Reads, "Read capabilities":
        "Read what this service offers you: scopes, features, limits and the engine.";
    listModels as list_models, Reads, "List target models":
        "List the models that prompts can be made for (`targetModel`), with guidance for each.";
    listPresets as list_presets, Reads, "List presets":
        "List or search your presets: saved prompts with {{variables}} and values.";
    createPreset as create_preset, Adds, "Create a preset":
        "Save a prompt with {{variables}}, and values for them, to be rendered later.";
    getPreset as get_preset, Reads, "Read a preset":
        "Read one preset with its prompt, variables and saved values.";
    updatePreset as update_preset, Replaces, "Change a preset":
        "Change a preset's name or replace all its saved values; its prompt does not change.";
    deletePreset as delete_preset, Replaces, "Delete a preset":
        "Delete a preset for good.";
    renderPreset as render_preset, Reads, "Render a preset":
        "Fill in a preset's variables with its saved values and those given here, and return the text. Nothing is saved.";
    listOperations as list_operations, Reads, "List operations":
        "List AI operations of the last 90 days, newest first, by status and kind. Results are left out: read one with get_operation.";
    getOperation as get_operation, Reads, "Read an operation":
        "Read an AI operation: its status and, once it has succeeded, its result. Poll with it after a tool gave PENDING or RUNNING.";
    cancelOperation as cancel_operation, Replaces, "Cancel an operation":
        "Cancel an AI operation that is still PENDING; its credits are returned.";
    listHistory as list_history, Reads, "List the history":
        "List or search results of AI operations, one type at a time: optimizations (also analyses) unless `type` says generation or refinement.";
    getHistoryItem as get_history_item, Reads, "Read a history item":
        "Read a history item with its input and every version or refinement.";
    renameHistoryItem as rename_history_item, Replaces, "Rename a history item":
        "Give a history item another title.";
    deleteHistoryItem as delete_history_item, Replaces, "Delete a history item":
        "Delete a history item with all its versions.";
    listLibraryItems as list_library_items, Reads, "Search the prompt library":
        "List or search the prompt library: your own items (`my`), those of the `community` or the operator (`official`), those you `saved` or `upvoted`.";
    createLibraryItem as create_library_item, Adds, "Create a library item":
        "Put a prompt into your library, private until it is published.";
    getLibraryItem as get_library_item, Reads, "Read a library item":
        "Read a library item: the prompt, what it does and how to use it.";
    updateLibraryItem as update_library_item, Replaces, "Change a library item":
        "Change one of your items. Its texts change only while it is not published.";
    deleteLibraryItem as delete_library_item, Replaces, "Delete a library item":
        "Delete one of your items for good, with its votes.";
    toggleLibraryItemSaved as toggle_library_item_saved, Toggles, "Save or unsave a library item":
        "Save an item to your collection; call it again to remove it.";
    toggleLibraryItemVote as toggle_library_item_vote, Toggles, "Vote for a library item":
        "Vote for an item; call it again to take the vote back.";
    publishLibraryItem as publish_library_item, Publishes, "Publish a library item":
        "Make one of your own items visible to everybody, after moderation. Ask the user first: the user must explicitly confirm that this very item be published.";
    unpublishLibraryItem as unpublish_library_item, Publishes, "Unpublish a library item":
        "Make one of your published items private again; others can no longer see it. Ask the user first.";
    createUpload as create_upload, Adds, "Create an upload":
        "Declare a file for an AI operation. The response has an address and headers: PUT the file there within 15 minutes, then call complete_upload. No file goes through this tool.";
    getUpload as get_upload, Reads, "Read an upload":
        "Read the status of an upload.";
    completeUpload as complete_upload, Replaces, "Complete an upload":
        "Verify the uploaded file. Once its status is ready, AI operations accept its id.";
    deleteUpload as delete_upload, Replaces, "Delete an upload":
        "Delete an upload that no operation has used, and its file.";
}
