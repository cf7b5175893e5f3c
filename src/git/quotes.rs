//! Names in C quotes, as git writes unusual ones: `"a\tb\303\244"`.

/// What stands behind an opening quote up to the closing one, and where that ends; `None` if it is not quoted so.
pub fn unquote(quoted: &[u8]) -> Option<(Vec<u8>, usize)> {
    let mut bytes = Vec::new();
    let mut rest = quoted.iter().copied().enumerate();
    while let Some((at, byte)) = rest.next() {
        match byte {
            b'"' => return Some((bytes, at + 1)),
            b'\\' => {
                let escape = rest.next()?.1;
                bytes.push(match escape {
                    b'a' => 7,
                    b'b' => 8,
                    b't' => b'\t',
                    b'n' => b'\n',
                    b'v' => 11,
                    b'f' => 12,
                    b'r' => b'\r',
                    b'"' | b'\\' => escape,
                    b'0'..=b'3' => {
                        let digit = |byte: u8| (b'0'..=b'7').contains(&byte).then(|| byte - b'0');
                        let (second, third) = (digit(rest.next()?.1)?, digit(rest.next()?.1)?);
                        (escape - b'0') * 64 + second * 8 + third
                    }
                    _ => return None,
                });
            }
            _ => bytes.push(byte),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back_as_they_were() {
        assert_eq!(unquote(br#"a\tb\303\244\r\"c" rest"#), Some((b"a\tb\xc3\xa4\r\"c".to_vec(), 18)));
        for broken in [&b"open"[..], b"\\", b"\\q\"", b"\\39\"", b"\\777\""] {
            assert_eq!(unquote(broken), None);
        }
    }
}
