//! The routes of pages.

use raffle::RaffleKey;

/// A page's route, such as `/{raffle}/ref/{code}`.
pub(super) struct Route(Vec<Segment>);

/// One part of a route.
enum Segment {
    Exactly(String),
    /// `{raffle}`: the key of a raffle.
    Raffle,
    /// `{userId}`, `{drawingId}`: a number.
    Number,
    /// `{trackingId}`, `{code}`: any text.
    Anything,
}

impl Route {
    pub(super) fn new(route: &str) -> Self {
        let segment = |part: &str| match part {
            "{raffle}" => Segment::Raffle,
            "{userId}" | "{drawingId}" => Segment::Number,
            placeholder if placeholder.starts_with('{') => Segment::Anything,
            text => Segment::Exactly(text.to_owned()),
        };
        Self(route.trim_start_matches('/').split('/').map(segment).collect())
    }

    /// Whether a path, in parts, is of this route. Whether there is such a raffle is for the caller to say.
    pub(super) fn is(&self, parts: &[&str]) -> bool {
        self.spelled(parts)
            .is_some_and(|spelled| spelled == parts.join("/"))
    }

    /// The path as the route has it, whatever its capitals, without its first slash. Ids and tokens keep theirs.
    pub(super) fn spelled(&self, parts: &[&str]) -> Option<String> {
        if self.0.len() != parts.len() {
            return None;
        }
        let spelled = self
            .0
            .iter()
            .zip(parts)
            .map(|(segment, part)| segment.spelled(part));
        Some(spelled.collect::<Option<Vec<_>>>()?.join("/"))
    }
}

impl Segment {
    fn spelled(&self, part: &str) -> Option<String> {
        match self {
            Self::Exactly(text) => text.eq_ignore_ascii_case(part).then(|| text.clone()),
            Self::Raffle => Some(part.to_ascii_lowercase()).filter(|key| RaffleKey::new(key).is_some()),
            Self::Number => part.parse::<i64>().is_ok().then(|| part.to_owned()),
            Self::Anything => (!part.is_empty()).then(|| part.to_owned()),
        }
    }
}
