//! Compiles regular expressions while the program that holds them is compiled.
//!
//! `regex-syntax` parses; what it gives becomes a program for the matcher of the crate `patterns`, which is
//! all that is left of an expression at run time. See that crate for the language, and for what makes Cargo compile
//! again when words change.

mod compile;
mod knowledge;
mod node;
mod prefix;
mod ranges;

use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{LitByteStr, LitStr, Token, parse_macro_input};

/// A [`Pattern`](../patterns/struct.Pattern.html) from a string literal.
///
/// `{group.concept}` stands for what people say for a concept: the alternatives of all languages, from the files
/// `knowledge/<language>/*.words` of the workspace.
///
/// # Errors
///
/// What is no regular expression, or names a concept that no language has, does not compile.
#[proc_macro]
pub fn pattern(input: TokenStream) -> TokenStream {
    let literal = parse_macro_input!(input as LitStr);
    let compiled = knowledge::expanded(&literal.value()).and_then(|text| program(&text, &literal));
    compiled
        .unwrap_or_else(|problem| syn::Error::new(literal.span(), problem).to_compile_error())
        .into()
}

/// `table!("group", "before{}behind")`: each concept of a group with the pattern of what people say for it, which stands
/// where the second literal has braces. The concepts come as the files have them, English first.
///
/// # Errors
///
/// As [`pattern`].
#[proc_macro]
pub fn table(input: TokenStream) -> TokenStream {
    let Table { group, frame } = parse_macro_input!(input as Table);
    let rows = || -> Result<Tokens, String> {
        if !frame.value().contains("{}") {
            return Err("braces say where the words stand".to_owned());
        }
        let mut rows = Vec::new();
        for (concept, alternatives) in knowledge::concepts(&group.value())? {
            let text =
                knowledge::expanded(&frame.value().replace("{}", &format!("(?:{alternatives})")))?;
            let pattern =
                program(&text, &frame).map_err(|problem| format!("{concept}: {problem}"))?;
            rows.push(quote!((#concept, #pattern)));
        }
        Ok(quote!(&[#(#rows),*]))
    };
    rows()
        .unwrap_or_else(|problem| syn::Error::new(group.span(), problem).to_compile_error())
        .into()
}

/// `words!("group.concept")`: what each language says for a concept, with its tag. The lines are joined by spaces.
///
/// # Errors
///
/// A concept that no language has does not compile.
#[proc_macro]
pub fn words(input: TokenStream) -> TokenStream {
    let name = parse_macro_input!(input as LitStr);
    let rows = || -> Result<Tokens, String> {
        let rows = knowledge::by_language(&name.value())?;
        let rows = rows.iter().map(|(language, words)| quote!((#language, #words)));
        Ok(quote!(&[#(#rows),*]))
    };
    rows().unwrap_or_else(|problem| syn::Error::new(name.span(), problem).to_compile_error()).into()
}

/// `expression!("…{group.concept}…")`: the text of an expression with its words, those of all languages, for the crate
/// `regex`.
///
/// # Errors
///
/// A concept that no language has does not compile.
#[proc_macro]
pub fn expression(input: TokenStream) -> TokenStream {
    let literal = parse_macro_input!(input as LitStr);
    match knowledge::expanded(&literal.value()) {
        Ok(text) => {
            let text = text.replace(node::is_mark, "");
            quote!(#text)
        }
        Err(problem) => syn::Error::new(literal.span(), problem).to_compile_error(),
    }
    .into()
}

struct Table {
    group: LitStr,
    frame: LitStr,
}

impl Parse for Table {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let group = input.parse()?;
        input.parse::<Token![,]>()?;
        Ok(Self { group, frame: input.parse()? })
    }
}

/// The program of an expression, as an expression of Rust.
fn program(source: &str, literal: &LitStr) -> Result<Tokens, String> {
    let program = compile::program(source)?;
    let bytes: Vec<u8> = program.iter().flat_map(|word| word.to_le_bytes()).collect();
    let bytes = LitByteStr::new(&bytes, literal.span());
    let length = program.len();
    Ok(quote!({
        const PROGRAM: &[u32] = &::patterns::words_of::<#length>(#bytes);
        ::patterns::Pattern::new(PROGRAM)
    }))
}

/// The code points beyond ASCII of a class such as `\w`, as a sorted array of ranges.
#[proc_macro]
pub fn ranges(input: TokenStream) -> TokenStream {
    let literal = parse_macro_input!(input as LitStr);
    let ranges = ranges::beyond_ascii(&ranges::of(&literal.value()));
    let ranges = ranges.iter().map(|(start, end)| quote!((#start, #end)));
    quote!(&[#(#ranges),*]).into()
}
