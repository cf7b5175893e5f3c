//! Words that say by themselves that a check is off, newly put into existing code: `CERT_NONE`, `AllowAny`,
//! `NoopHostnameVerifier`, `csrf().disable()`.

use super::reading::{Page, Part, Told};
use crate::detectors::gaps::Gap;
use crate::text::{clipped, contains, occurrences, one_line};

/// More new lines in one place are code of its own, and not a word put into what was there.
const FEW: usize = 4;

/// What a line without white space has; the first name of it is looked for in the whole file.
const WORDS: &[&str] = &[
    "ssl.CERT_NONE",
    "check_hostname=False",
    "verify_mode=CERT_NONE",
    "_create_unverified_context",
    ".verify=False",
    "verify_ssl=False",
    "verify_signature\":False",
    "verify_signature':False",
    "algorithms=[\"none\"]",
    "csrf_exempt",
    "AllowAny]",
    "AllowAny,",
    "csrf().disable()",
    "csrf.disable()",
    "csrf(AbstractHttpConfigurer::disable)",
    "frameOptions().disable()",
    "anyRequest().permitAll()",
    "NoopHostnameVerifier",
    "ALLOW_ALL_HOSTNAME_VERIFIER",
    "AllowAllHostnameVerifier",
    "TrustAllStrategy",
    "TrustSelfSignedStrategy",
    "InsecureTrustManagerFactory",
    "danger_accept_invalid_certs(true)",
    "danger_accept_invalid_hostnames(true)",
    "SslVerifyMode::NONE",
    "strictSSL:false",
    "disableHostCheck:true",
    "allowedHosts:\"all\"",
    "ignoreExpiration:true",
    "ignoreUnknown=true",
    "grpc.WithInsecure()",
    "InsecureIgnoreHostKey()",
    "AutoAddPolicy(",
    "origin:\"*\"",
    "origin:'*'",
    "allow_origins=[\"*\"]",
    "CORS_ALLOW_ALL_ORIGINS=True",
    "CORS_ORIGIN_ALLOW_ALL=True",
    "StrictHostKeyChecking=no",
];

/// The longest name of a word, by which a file is looked through.
fn key(word: &str) -> &str {
    let names = word.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    names.max_by_key(|name| name.len()).unwrap_or_default()
}

pub fn may(_: &[u8], fresh: &[u8]) -> bool {
    WORDS.iter().any(|word| contains(fresh, key(word).as_bytes()))
}

pub fn read(page: &Page<'_>, gap: &Gap<'_>) -> Option<Told> {
    if gap.fresh.len() > FEW {
        return None;
    }
    gap.fresh.iter().find_map(|line| {
        let word = WORDS.iter().find(|word| line.code.contains(**word))?;
        let said = occurrences(&page.before.text, key(word).as_bytes()).next().is_some();
        let was_said = said && page.before.code().iter().any(|line| line.code.contains(word));
        let is_import = ["import", "from", "use"].iter().any(|verb| line.code.starts_with(verb));
        (!was_said && !is_import && !is_in_new_function(page, line.number)).then(|| Told {
            part: Part::Checks,
            message: format!("existing code now says `{}`", clipped(&one_line(&line.code), 80)),
            old: None,
            new: Some(line.number),
            detail: (*word).to_owned(),
        })
    })
}

/// Whether the function around a line has no namesake on the other side: new code is nobody's loss.
fn is_in_new_function(page: &Page<'_>, line: u32) -> bool {
    let Some(function) = page.function(page.after, line) else { return false };
    !page.before.facts.functions.iter().any(|old| old.name == function.name)
}
