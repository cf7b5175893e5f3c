//! What the name of a switch says about turning it off.

/// What it means to set a switch of some name to false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Something that the name says it enables no longer happens.
    Enables,
    /// True turns something off.
    Disables,
    /// Nothing but the name of an option: what it does is known elsewhere.
    Option,
    /// A state, a property, an amount of output: no feature.
    Neutral,
}

/// First words of names that turn something off.
const DISABLING: &str = "\
    disable disables disabled skip skips no without hide suppress mute omit exclude bypass ignore";

/// Words of names that turn something on.
const ENABLING: &str = "\
    enable enables enabled feature features use uses allow allows support supports supported transform \
    build include with activate activated auto generate run publish minify cache parallel parallelism \
    search validate verify check retry compress optimize optimise send upload track report notify \
    encrypt sign authenticate secure ssl tls csrf cors gzip sourcemap prefetch preload hydrate ssr watch \
    hmr";

/// Words of names that say what something is, or how much is told.
const NEUTRAL: &str = "\
    is has was did had are ok success successful done found valid invalid error failed failure loading \
    loaded open opened closed dirty ready required optional nullable null readonly private public static \
    default deprecated experimental internal breaking hidden visible draft prerelease debug verbose \
    trace dry test tests testing dev exact lazy quiet silent selected checked empty first last final \
    mutable sync force forced overwrite inline legacy old unique sorted reverse ascending descending \
    blocking exists changed modified root expected result daemon editable writable enumerable \
    configurable bubbles cancelable composed indent color colors colour colours bold emptyoutdir noemit \
    composite incremental check_untyped_defs progress interactive shell text autofocus collapsed \
    expanded index ascii stdin tty pretty newline space spaces semi singlequote once passive capture \
    pending";

/// Switches of the gate's own ground, which another rule judges.
const CI: &str = "\
    continueonerror allowfailure failfast failciiferror passwithnotests";

pub fn meaning(name: &str) -> Meaning {
    let words = words(name);
    let has = |list: &str| words.iter().any(|word| is_listed(list, word));
    let first = words.first().map_or("", String::as_str);
    if is_listed(CI, &words.concat()) || words.is_empty() {
        return Meaning::Neutral;
    }
    if is_listed(DISABLING, first) || words.iter().any(|word| word == "disabled" || word == "disable") {
        return Meaning::Disables;
    }
    match () {
        // What is on by default is on for all who say nothing.
        () if is_default_of_feature(&words) => Meaning::Enables,
        () if has(NEUTRAL) => Meaning::Neutral,
        () if has(ENABLING) => Meaning::Enables,
        // `queued`, `loaded`: what became of something.
        () if words.len() == 1 && first.ends_with("ed") => Meaning::Neutral,
        () => Meaning::Option,
    }
}

/// `DefaultEnableCache`, `enabled_by_default`.
fn is_default_of_feature(words: &[String]) -> bool {
    let is = |word: &String, known: &[&str]| known.contains(&word.as_str());
    let others = words.iter().filter(|word| !is(word, &["default"]));
    words.iter().any(|word| is(word, &["default"]))
        && words.iter().any(|word| is(word, &["enable", "enabled", "enables"]))
        && others.into_iter().all(|word| !is_listed(NEUTRAL, word))
}

fn is_listed(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|listed| listed == word)
}

/// The words of a name in lower case: `useHTTPCache`, `use_http_cache` and `use-http-cache` have the same.
pub fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let letters: Vec<char> = name.chars().collect();
    let mut fresh = true;
    for (at, &letter) in letters.iter().enumerate() {
        if !letter.is_alphanumeric() {
            fresh = true;
            continue;
        }
        let before = at.checked_sub(1).map(|at| letters[at]);
        let next_is_lower = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        let humps = letter.is_uppercase()
            && before.is_some_and(|last| last.is_lowercase() || last.is_ascii_digit() || next_is_lower);
        if fresh || humps {
            words.push(String::new());
        }
        fresh = false;
        if let Some(word) = words.last_mut() {
            word.extend(letter.to_lowercase());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_name_do_not_depend_on_its_style() {
        let expected = ["use", "http", "cache"];
        for name in ["useHTTPCache", "use_http_cache", "use-http-cache", "USE_HTTP_CACHE", "UseHttpCache"] {
            assert_eq!(words(name), expected, "{name}");
        }
    }

    #[test]
    fn names_say_what_false_means() {
        for (name, expected) in [
            ("enableSearch", Meaning::Enables),
            ("build_dmg", Meaning::Enables),
            ("transformAssetUrls", Meaning::Enables),
            ("disableCache", Meaning::Disables),
            ("noVerify", Meaning::Disables),
            ("skip_checks", Meaning::Disables),
            ("notify", Meaning::Enables),
            ("normalise", Meaning::Option),
            ("isOpen", Meaning::Neutral),
            ("queued", Meaning::Neutral),
            ("verbose", Meaning::Neutral),
            ("continue-on-error", Meaning::Neutral),
        ] {
            assert_eq!(meaning(name), expected, "{name}");
        }
    }
}
