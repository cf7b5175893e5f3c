//! The names of closed lists, as files and the command line have them.

use super::format::{ErrorType, RootCauseCategory, Status, Verification};

impl ErrorType {
    pub const ALL: [Self; 9] = [
        Self::AssertionError,
        Self::TypeError,
        Self::ReferenceError,
        Self::SyntaxError,
        Self::RuntimeError,
        Self::TimeoutError,
        Self::NetworkError,
        Self::ValidationError,
        Self::Other,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::AssertionError => "AssertionError",
            Self::TypeError => "TypeError",
            Self::ReferenceError => "ReferenceError",
            Self::SyntaxError => "SyntaxError",
            Self::RuntimeError => "RuntimeError",
            Self::TimeoutError => "TimeoutError",
            Self::NetworkError => "NetworkError",
            Self::ValidationError => "ValidationError",
            Self::Other => "Other",
        }
    }

    /// The type and a message or pattern, where that does not begin with the type already.
    pub fn before(self, message: &str) -> String {
        let said = message.trim_start().strip_prefix(self.name());
        match said.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')) {
            true => message.to_owned(),
            false => format!("{}: {message}", self.name()),
        }
    }

    /// In any case, with or without the ending.
    pub fn from_name(name: &str) -> Option<Self> {
        let full = format!("{name}Error");
        let fits =
            |kind: &Self| kind.name().eq_ignore_ascii_case(name) || kind.name().eq_ignore_ascii_case(&full);
        Self::ALL.into_iter().find(fits)
    }
}

impl RootCauseCategory {
    pub const ALL: [Self; 12] = [
        Self::NullUndefinedAccess,
        Self::TypeMismatch,
        Self::MissingValidation,
        Self::LogicError,
        Self::OffByOne,
        Self::RaceCondition,
        Self::ResourceLeak,
        Self::MissingErrorHandling,
        Self::ApiMisuse,
        Self::ConfigurationError,
        Self::DependencyIssue,
        Self::Other,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::NullUndefinedAccess => "null_undefined_access",
            Self::TypeMismatch => "type_mismatch",
            Self::MissingValidation => "missing_validation",
            Self::LogicError => "logic_error",
            Self::OffByOne => "off_by_one",
            Self::RaceCondition => "race_condition",
            Self::ResourceLeak => "resource_leak",
            Self::MissingErrorHandling => "missing_error_handling",
            Self::ApiMisuse => "api_misuse",
            Self::ConfigurationError => "configuration_error",
            Self::DependencyIssue => "dependency_issue",
            Self::Other => "other",
        }
    }

    /// With `_` or `-` between the words.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase().replace('-', "_");
        Self::ALL.into_iter().find(|category| category.name() == name)
    }
}

impl Status {
    pub fn name(self) -> &'static str {
        match self {
            Self::InProgress => "in_progress",
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Escalated => "escalated",
        }
    }
}

impl Verification {
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Passed => "passed",
            Self::Failed => "failed",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_is_said_once() {
        let before = |message: &str| ErrorType::AssertionError.before(message);
        assert_eq!(before("AssertionError: 3 != 4"), "AssertionError: 3 != 4");
        assert_eq!(before("AssertionError"), "AssertionError");
        assert_eq!(before("3 != 4"), "AssertionError: 3 != 4");
        assert_eq!(before("AssertionErrors are many"), "AssertionError: AssertionErrors are many");
    }

    #[test]
    fn names_are_those_of_the_files() {
        for kind in ErrorType::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
            assert_eq!(ErrorType::from_name(&kind.name().to_lowercase()), Some(kind));
        }
        for category in RootCauseCategory::ALL {
            assert_eq!(serde_json::to_value(category).unwrap(), category.name());
            assert_eq!(RootCauseCategory::from_name(&category.name().replace('_', "-")), Some(category));
        }
        for status in [Status::InProgress, Status::Passed, Status::Failed, Status::Escalated] {
            assert_eq!(serde_json::to_value(status).unwrap(), status.name());
        }
        for verification in [Verification::Pending, Verification::Passed, Verification::Failed] {
            assert_eq!(serde_json::to_value(verification).unwrap(), verification.name());
        }
        assert_eq!(ErrorType::from_name("type"), Some(ErrorType::TypeError));
        assert_eq!(ErrorType::from_name("KeyError"), None);
    }
}
