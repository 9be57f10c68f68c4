//! Nested parameters as Stripe reads them: `metadata[a]=b`, `expand[0]=c`, `expand[]=c`.

use crate::kit::FormFields;
use serde_json::{Map, Value};

/// The parameters as nested objects. Every leaf is a string. Fails with Stripe's message about the wrong parameter.
pub(crate) fn parse(fields: &FormFields) -> Result<Map<String, Value>, String> {
    let mut form = Map::new();
    for (name, value) in fields.pairs() {
        let path = path_of(name).ok_or_else(|| format!("Invalid parameter name: {name}"))?;
        insert(&mut form, &path, value.clone()).map_err(|()| format!("Repeated parameter: {name}"))?;
    }
    Ok(form)
}

/// `a[b][c]` is `a`, `b`, `c`.
fn path_of(name: &str) -> Option<Vec<&str>> {
    let Some((first, rest)) = name.split_once('[') else {
        return (!name.is_empty() && !name.contains(']')).then(|| vec![name]);
    };
    let rest = rest.strip_suffix(']')?;
    let path: Vec<&str> = std::iter::once(first).chain(rest.split("][")).collect();
    let is_valid = path.iter().all(|part| !part.contains(['[', ']']));
    (!first.is_empty() && is_valid).then_some(path)
}

fn insert(form: &mut Map<String, Value>, path: &[&str], value: String) -> Result<(), ()> {
    let [name, rest @ ..] = path else { return Err(()) };
    let name = if name.is_empty() {
        form.len().to_string()
    } else {
        (*name).to_owned()
    };
    if rest.is_empty() {
        return match form.insert(name, Value::String(value)) {
            None => Ok(()),
            Some(_) => Err(()),
        };
    }
    match form.entry(name).or_insert_with(|| Value::Object(Map::new())) {
        Value::Object(inner) => insert(inner, rest, value),
        _ => Err(()),
    }
}

/// The strings of a list parameter, whether it has indices or not.
pub(crate) fn list<'a>(form: &'a Map<String, Value>, name: &str) -> Vec<&'a str> {
    match form.get(name) {
        Some(Value::Object(items)) => items.values().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn nested_parameters_become_nested_objects_of_strings() {
        let body = b"amount=500&metadata[a]=b+c&metadata[d]=%C3%A9&expand[]=x&expand[]=y&a[b][c]=1";
        let form = parse(&FormFields::parse(body)).unwrap();
        assert_eq!(
            Value::Object(form.clone()),
            json!({"amount": "500", "metadata": {"a": "b c", "d": "é"}, "expand": {"0": "x", "1": "y"}, "a": {"b": {"c": "1"}}})
        );
        assert_eq!(list(&form, "expand"), ["x", "y"]);
    }

    #[test]
    fn repeated_and_malformed_parameters_are_rejected() {
        for wrong in ["a=1&a=2", "a=1&a[b]=2", "a[b=1", "a]=1", "[a]=1", "a[b]c]=1"] {
            assert!(parse(&FormFields::parse(wrong.as_bytes())).is_err(), "{wrong}");
        }
    }
}
