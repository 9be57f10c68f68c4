//! Passwords, stored as Argon2id hashes in the PHC string format.

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use kernel::Entropy;
use secrecy::{ExposeSecret, SecretString};
use staff::{PASSWORD_BYTES, PasswordTag, password_tag};

/// Checks a password. Slow on purpose, and as slow for a wrong password as for the right one.
pub trait PasswordCheck: Send + Sync {
    /// Whether this is the password.
    fn verify(&self, password: &SecretString) -> bool;

    /// Tells this password from others.
    fn tag(&self) -> PasswordTag;

    /// Whether it takes as long as the hashes that [`Argon2Hash::of`] makes.
    fn takes_the_usual_time(&self) -> bool {
        true
    }
}

/// An Argon2id hash of a password.
pub struct Argon2Hash(String);

/// The text is not an Argon2id hash, or the password cannot be hashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an Argon2id hash")]
pub struct NotAHash;

/// Random bytes in the place of a hash, so that no password is known for it. It takes as long to check as a real hash.
const DUMMY: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$P4vOLYCBBSUsY8XgBsC2ng$4cxUyGnZOFw57NjUqBGmz54D6zerX12pcOYMZ5PEyac";

impl Argon2Hash {
    /// Reads a PHC string, such as `tombola admin hash-password` prints.
    ///
    /// # Errors
    /// When the text is not a PHC string of Argon2id, or its parameters are not valid.
    pub fn parse(phc: &str) -> Result<Self, NotAHash> {
        let hash = PasswordHash::new(phc).map_err(|_| NotAHash)?;
        let whole = hash.salt.is_some() && hash.hash.is_some();
        let known_version = hash
            .version
            .is_none_or(|version| Version::try_from(version).is_ok());
        let known_parameters = Params::try_from(&hash).is_ok();
        let is_argon2id = hash.algorithm == Algorithm::Argon2id.ident();
        if is_argon2id && whole && known_version && known_parameters {
            Ok(Self(phc.to_owned()))
        } else {
            Err(NotAHash)
        }
    }

    /// Hashes a password with 19 MiB of memory and two passes, as OWASP recommends, and a random salt.
    ///
    /// # Errors
    /// When the password is empty or longer than [`PASSWORD_BYTES`].
    pub fn of(password: &SecretString, entropy: &dyn Entropy) -> Result<Self, NotAHash> {
        Self::salted(password, &entropy.bytes::<16>())
    }

    /// The same with a given salt of at least 8 bytes.
    ///
    /// # Errors
    /// When the password is empty or longer than [`PASSWORD_BYTES`], or the salt is too short.
    pub fn salted(password: &SecretString, salt: &[u8]) -> Result<Self, NotAHash> {
        let bytes = password.expose_secret().as_bytes();
        if bytes.is_empty() || bytes.len() > PASSWORD_BYTES {
            return Err(NotAHash);
        }
        let hash: PasswordHash = Argon2::default()
            .hash_password_with_salt(bytes, salt)
            .map_err(|_| NotAHash)?;
        Ok(Self(hash.to_string()))
    }

    /// A hash that no password matches, for a site without an administrator.
    pub fn dummy() -> Self {
        Self(DUMMY.to_owned())
    }

    /// The PHC string.
    pub fn as_phc(&self) -> &str {
        &self.0
    }
}

impl PasswordCheck for Argon2Hash {
    fn verify(&self, password: &SecretString) -> bool {
        // The hash holds the parameters.
        let password = password.expose_secret().as_bytes();
        Argon2::default()
            .verify_password(password, self.0.as_str())
            .is_ok()
    }

    fn tag(&self) -> PasswordTag {
        password_tag(&self.0)
    }

    fn takes_the_usual_time(&self) -> bool {
        let parameters = |phc: &str| PasswordHash::new(phc).map(|hash| hash.params);
        parameters(&self.0) == parameters(DUMMY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Sevens;

    impl Entropy for Sevens {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(7);
        }
    }

    #[test]
    fn a_hash_verifies_its_password_only() {
        let hash = Argon2Hash::of(&"correct horse".into(), &Sevens).unwrap();
        assert!(
            hash.as_phc().starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
            "{}",
            hash.as_phc()
        );
        let read = Argon2Hash::parse(hash.as_phc()).unwrap();
        assert!(read.verify(&"correct horse".into()));
        for wrong in ["", "correct", "Correct horse", "correct horse "] {
            assert!(!read.verify(&wrong.into()), "{wrong:?}");
        }
    }

    #[test]
    fn a_hash_is_checked_with_its_own_parameters() {
        // A test vector of the reference implementation.
        let reference =
            "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4";
        let hash = Argon2Hash::parse(reference).unwrap();
        assert!(!hash.takes_the_usual_time());
        assert!(hash.verify(&"password".into()));
        assert!(!hash.verify(&"passwort".into()));
    }

    #[test]
    fn the_dummy_hash_costs_as_much_as_a_real_one_and_matches_no_password() {
        let dummy = Argon2Hash::dummy();
        assert!(Argon2Hash::parse(dummy.as_phc()).is_ok());
        let own = Argon2Hash::of(&"correct horse".into(), &Sevens).unwrap();
        let cost = |hash: &Argon2Hash| {
            let hash = PasswordHash::new(hash.as_phc()).unwrap();
            (hash.algorithm, hash.version, hash.params)
        };
        assert_eq!(cost(&dummy), cost(&own));
        assert!(dummy.takes_the_usual_time() && own.takes_the_usual_time());
        assert!(!dummy.verify(&"".into()) && !dummy.verify(&"correct horse".into()));
    }

    #[test]
    fn other_text_than_an_argon2id_hash_is_refused() {
        let whole = Argon2Hash::dummy().as_phc().to_owned();
        for wrong in [
            "".to_owned(),
            "correct horse".to_owned(),
            whole.replace("argon2id", "argon2i"),
            whole.replace("argon2id", "scrypt"),
            whole.replace("v=19", "v=7"),
            whole.replace("m=19456", "m=1"),
            whole.rsplit_once('$').unwrap().0.to_owned(),
            format!("{whole}$"),
        ] {
            assert!(Argon2Hash::parse(&wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_password_has_1_to_1024_bytes() {
        let hashable = |length: usize| Argon2Hash::of(&"x".repeat(length).into(), &Sevens).is_ok();
        assert!(!hashable(0));
        assert!(hashable(1) && hashable(PASSWORD_BYTES));
        assert!(!hashable(PASSWORD_BYTES + 1));
    }
}
