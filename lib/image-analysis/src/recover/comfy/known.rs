//! The nodes whose way with a text is known.
//!
//! Only these pass a text on. What another one makes of it nobody can tell: it may translate it, draw a line of it by
//! chance, or put other words in. So a prompt behind an unknown node is not recovered.

use super::graph::Node;

/// Nodes that hold a text or pass it on as it is.
const HOLDERS: [&str; 31] = [
    "primitivestring",
    "primitivestringmultiline",
    "primitivenode",
    "string",
    "string literal",
    "stringliteral",
    "stringconstant",
    "stringconstantmultiline",
    "text multiline",
    "text multiline (code compatible)",
    "text string",
    "text box",
    "textbox",
    "simple text",
    "simpletext",
    "cr text",
    "cr prompt text",
    "ttn text",
    "ttn textdebug",
    "jjktext",
    "easy string",
    "easy positive",
    "easy negative",
    "easy showanything",
    "showtext|pysssss",
    "previewany",
    "display any (rgthree)",
    "reroute",
    "reroute (rgthree)",
    "rerouteprimitive|pysssss",
    "getnode",
];
/// Nodes that join texts in the order of their names.
const JOINERS: [&str; 9] = [
    "stringconcatenate",
    "joinstrings",
    "joinstringmulti",
    "text concatenate",
    "text concatenate (jps)",
    "cr text concatenate",
    "textconcatenate",
    "string concatenate",
    "ttn concat",
];
/// Nodes that show what a template became.
const POPULATED: [&str; 2] = ["impactwildcardprocessor", "impactwildcardencode"];
/// Beginnings of the classes that encode a text.
const ENCODERS: [&str; 8] = [
    "cliptextencode",
    "textencode",
    "bnk_cliptextencode",
    "smz cliptextencode",
    "kolorstextencode",
    "kolors_textencode",
    "t5textencode",
    "impactwildcardencode",
];
/// Beginnings of the classes that place, weigh or join conditions, or bundle them.
const CONDITIONS: [&str; 34] = [
    "conditioning",
    "pairconditioning",
    "cr conditioning",
    "controlnetapply",
    "acn_advancedcontrolnetapply",
    "controlnetinpaintingalimamaapply",
    "setunioncontrolnettype",
    "gligen",
    "unclipconditioning",
    "stylemodelapply",
    "fluxguidance",
    "fluxdisableguidance",
    "fluxkontext",
    "referencelatent",
    "inpaintmodelconditioning",
    "instructpixtopixconditioning",
    "differentialdiffusion",
    "photomaker",
    "ltxv",
    "wan",
    "hunyuan",
    "cosmos",
    "svd_img2vid",
    "tobasicpipe",
    "frombasicpipe",
    "editbasicpipe",
    "basicpipetodetailerpipe",
    "cfgguider",
    "basicguider",
    "dualcfgguider",
    "reroute",
    "efficient loader",
    "eff. loader sdxl",
    "ipadapter",
];
/// Inputs of encoders that hold no words.
const NO_WORDS: [&str; 16] = [
    "system_prompt",
    "token_normalization",
    "weight_interpretation",
    "parser",
    "mean_normalization",
    "multi_conditioning",
    "use_old_emphasis_implementation",
    "with_sdxl",
    "empty_padding",
    "mode",
    "wildcard_text",
    "affect_pooled",
    "device",
    "offload_device",
    "control_after_generate",
    "model_name",
];

/// Whether a node holds a text or passes it on.
pub fn holds(node: &Node<'_>) -> bool {
    HOLDERS.contains(&node.lower_case()) || POPULATED.contains(&node.lower_case())
}

/// Whether a node joins texts.
pub fn joins(node: &Node<'_>) -> bool {
    JOINERS.contains(&node.lower_case())
}

/// Whether a node encodes a text.
pub fn encodes(node: &Node<'_>) -> bool {
    ENCODERS.iter().any(|start| node.lower_case().starts_with(start))
}

/// Whether a node passes conditions on.
pub fn conditions(node: &Node<'_>) -> bool {
    CONDITIONS.iter().any(|start| node.lower_case().starts_with(start))
}

/// Whether the name of an input says that a text comes through it.
pub fn is_named_a_text(input: &str) -> bool {
    ["text", "prompt", "string"].iter().any(|word| input.contains(word))
}

/// Whether an input of an encoder that holds a text says nothing of what is shown.
pub fn says_nothing(input: &str) -> bool {
    NO_WORDS.contains(&input) || input.starts_with("Select to add")
}
