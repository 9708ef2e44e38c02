//! Which programming language a piece of code is in.

use super::document::Code;
use patterns::{Pattern, pattern};

/// Names that fences use, with the name of the language.
const LABELS: [(&str, &str); 32] = [
    ("py", "Python"),
    ("python", "Python"),
    ("js", "JavaScript"),
    ("javascript", "JavaScript"),
    ("jsx", "JavaScript"),
    ("ts", "TypeScript"),
    ("typescript", "TypeScript"),
    ("tsx", "TypeScript"),
    ("rs", "Rust"),
    ("rust", "Rust"),
    ("go", "Go"),
    ("golang", "Go"),
    ("java", "Java"),
    ("kotlin", "Kotlin"),
    ("swift", "Swift"),
    ("c", "C"),
    ("cpp", "C++"),
    ("c++", "C++"),
    ("cs", "C#"),
    ("csharp", "C#"),
    ("rb", "Ruby"),
    ("ruby", "Ruby"),
    ("php", "PHP"),
    ("sql", "SQL"),
    ("html", "HTML"),
    ("css", "CSS"),
    ("sh", "Bash"),
    ("bash", "Bash"),
    ("shell", "Bash"),
    ("yaml", "YAML"),
    ("json", "JSON"),
    ("toml", "TOML"),
];

/// The language of the first piece of code, if it can be told.
pub fn language(code: &[Code]) -> Option<&'static str> {
    let first = code.first()?;
    let label = first.label.split([' ', '{', ',']).next().unwrap_or_default();
    if let Some((_, name)) = LABELS.iter().find(|(known, _)| *known == label) {
        return Some(name);
    }
    let text: String = first.text.chars().take(6000).collect();
    let count = |pattern: Pattern| pattern.find_iter(&text).count();
    [
        ("PHP", count(pattern!(r"<\?php|\$\w+->|\$\w+ = "))),
        ("C#", count(pattern!(r"(?m)^using System|namespace \w|Console\.Write|public (?:async )?\w+ \w+ \{ get;"))),
        ("Java", count(pattern!(r"public (?:static |final )?(?:class|void|interface)|System\.out|import java|private (?:final )?[A-Z]\w+ \w+;"))),
        ("Kotlin", count(pattern!(r"\bfun \w+\(|\bval \w+ ?[:=]|println\("))),
        ("Swift", count(pattern!(r"import (?:UIKit|SwiftUI|Foundation)|\bguard let\b|\bfunc \w+\(.*\) -> \w+ \{|var body: some"))),
        ("Rust", count(pattern!(r"\bfn \w+|\blet mut\b|\bimpl\b|\bpub (?:fn|struct|enum|mod)|::<|println!|&str\b|\buse \w+::"))),
        ("Go", count(pattern!(r"(?m)^package \w+|\bfunc (?:\(\w+ \*?\w+\) )?\w+\(| := |fmt\.|\berr != nil"))),
        ("C++", count(pattern!(r"std::|#include <(?:iostream|vector|string)>|cout <<|template ?<"))),
        ("C", count(pattern!(r"#include <\w+\.h>|\bprintf\(|\bint main\(|malloc\("))),
        ("TypeScript", count(pattern!(r"\binterface \w+ \{|: (?:string|number|boolean)\b|\btype \w+ =|\bas const\b|<\w+>\(")) * 2),
        ("JavaScript", count(pattern!(r"\bconst \w+ =|\blet \w+ =|=> |console\.log|\bfunction\b|document\.|require\(|\bawait\b|===|module\.exports"))),
        ("Python", count(pattern!(r"(?m)^\s*(?:def|class|elif|except|with|from \w+ import|import \w+)\b.*|\bself\.|\bprint\(|__\w+__|\bNone\b|^\s*for \w+ in .*:$"))),
        ("Ruby", count(pattern!(r"(?m)^\s*(?:def \w+[?!]?|end|require ')\b?|\bputs\b|\bdo \|\w+\||\.each\b|attr_\w+"))),
        ("SQL", count(pattern!(r"(?i)\b(?:select .{1,200}? from|insert into|create table|update \w+ set|group by|order by|inner join|left join)\b")) * 2),
        ("HTML", count(pattern!(r"(?i)<!doctype html|</?(?:html|head|body|div|p|span|ul|li|h[1-6]|a|form|section)\b"))),
        ("CSS", count(pattern!(r"(?m)^\s*[.#@]?[\w-]+(?:[ :>.#,]+[\w-]+)* ?\{\s*$|^\s*[\w-]+: [^;{]+;$"))),
        ("Bash", count(pattern!(r"(?m)^#!.*sh\b|^\s*(?:echo|fi|then|done|esac|export|sudo|set -e)\b|\$\{?\w+\}?"))),
    ]
    .into_iter()
    .filter(|(_, count)| *count >= 2)
    .fold(None, |best: Option<(&'static str, usize)>, next| match best {
        Some(best) if best.1 >= next.1 => Some(best),
        _ => Some(next),
    })
    .map(|(name, _)| name)
}

/// What the code declares or asks for, in the order in which it does: names that tell its purpose.
pub fn names(code: &[Code], most: usize) -> Vec<String> {
    let declared = pattern!(
        r"(?i)\b(?:def|fn|function|class|func|fun|struct|enum|trait|interface|type|void|create table|from|join|into)\s+([a-z_][a-z0-9_]{2,40})\b|\bconst ([a-z_]\w{2,40}) = (?:async )?\("
    );
    let mut list: Vec<String> = Vec::new();
    for found in code.iter().flat_map(|code| declared.captures_iter(&code.text)) {
        let Some(name) = found.get(1).or_else(|| found.get(2)) else { continue };
        let name = name.as_str().trim_matches('_');
        if !matches!(name, "main" | "init" | "import" | "test")
            && !list.iter().any(|known| known == name)
        {
            list.push(name.to_owned());
        }
        if list.len() >= most {
            break;
        }
    }
    list
}
