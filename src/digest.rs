//! SHA-256 as hexadecimal digits: the one user of the hash.

use sha2::{Digest as _, Sha256};

/// Collects bytes into a digest.
#[derive(Clone, Default)]
pub struct Hasher(Sha256);

impl Hasher {
    pub fn add(&mut self, bytes: impl AsRef<[u8]>) -> &mut Self {
        self.0.update(bytes);
        self
    }

    /// 64 lower-case hexadecimal digits.
    pub fn hex(self) -> String {
        let mut digits = String::with_capacity(64);
        for byte in self.0.finalize() {
            digits.extend([byte >> 4, byte & 15].map(|half| char::from(b"0123456789abcdef"[half as usize])));
        }
        digits
    }

    /// As records name it: `sha256:` and the digits.
    pub fn named(self) -> String {
        format!("sha256:{}", self.hex())
    }
}

/// The digest of some bytes, as 64 hexadecimal digits.
pub fn hex(bytes: impl AsRef<[u8]>) -> String {
    let mut hasher = Hasher::default();
    hasher.add(bytes);
    hasher.hex()
}

/// The same as records name it.
pub fn named(bytes: impl AsRef<[u8]>) -> String {
    format!("sha256:{}", hex(bytes))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_empty_digest_is_the_known_one() {
        let known = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(super::hex(""), known);
        assert_eq!(super::named(""), format!("sha256:{known}"));
    }
}
