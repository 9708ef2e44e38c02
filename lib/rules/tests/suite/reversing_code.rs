//! Finding prompts for programs that explain themselves.
#![allow(clippy::expect_used)]

use domain::Timestamp;
use engine::{Engine, Material, Reversal, ReverseBrief, TargetModel};
use futures::FutureExt;
use rules::Rules;

fn reverse(text: &str) -> Reversal {
    let brief = ReverseBrief {
        material: Material::Text(text.to_owned()),
        language: "en".to_owned(),
        target_model: TargetModel::try_from("Universal").expect("a model of the catalogue"),
    };
    Rules
        .reverse(&brief, Timestamp::from_millis(0))
        .now_or_never()
        .expect("ready")
        .expect("a result")
}

const DOCUMENTED: &str = "import csv\n\n\ndef load_orders(path):\n    \"\"\"Read the orders of a shop.\n\n    Each order is a line of the file. Lines without a customer are skipped,\n    and amounts are taken as they stand there.\n\n    Returns a list of dictionaries.\n    \"\"\"\n    # Files from the old shop have a mark at the beginning.\n    with open(path, encoding=\"utf-8-sig\") as source:\n        rows = csv.DictReader(source)\n        return [row for row in rows if row[\"customer\"]]\n";
const MAIN: &str = "import sys\n\n\ndef total(values):\n    result = 0\n    for value in values:\n        result += value\n    return result\n\n\nif __name__ == \"__main__\":\n    print(total(int(value) for value in sys.argv[1:]))\n";
const MODULE: &str = "'''Count words.\n\nThe words of a file are counted without regard to case.\nNothing is written.\n'''\nimport collections\n\ndef count(text):\n    '''Return how often each word occurs.'''\n    return collections.Counter(text.lower().split())\n\nclass Reader:\n    def __init__(self, path):\n        self.path = path\n";

#[test]
fn docstrings_make_no_prose_of_a_program() {
    for code in [DOCUMENTED, MODULE, &format!("{DOCUMENTED}\n\n{MAIN}")] {
        assert_eq!(reverse(code).structure.expect("a structure").format, "code", "{code}");
    }
}

#[test]
fn prose_about_code_stays_prose() {
    let prose = "\"\"\"Wait,\" she said, and the whole room turned.\n\nNobody had expected her to speak on this evening, least of all her brother.\n\nHe put down his glass and listened.";
    assert_eq!(reverse(prose).structure.expect("a structure").format, "text");
}
