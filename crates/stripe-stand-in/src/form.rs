//! Form-encoded bodies and queries as Stripe reads them: `metadata[a]=b`, `expand[0]=c`, `expand[]=c`.

use serde_json::{Map, Value};

/// The tree that a form spells. Every leaf is a string: types are the schema's business.
pub(crate) fn parse(text: &[u8]) -> Result<Map<String, Value>, String> {
    let mut tree = Map::new();
    for (name, value) in url::form_urlencoded::parse(text) {
        let path = path_of(&name).ok_or_else(|| format!("Invalid parameter name: {name}"))?;
        insert(&mut tree, &path, value.into_owned()).map_err(|()| format!("Repeated parameter: {name}"))?;
    }
    Ok(tree)
}

/// `a[b][c]` is `a`, `b`, `c`.
fn path_of(name: &str) -> Option<Vec<&str>> {
    let Some((first, rest)) = name.split_once('[') else {
        return (!name.is_empty() && !name.contains(']')).then(|| vec![name]);
    };
    let rest = rest.strip_suffix(']')?;
    let path: Vec<&str> = std::iter::once(first).chain(rest.split("][")).collect();
    let plain = path.iter().all(|part| !part.contains(['[', ']']));
    (!first.is_empty() && plain).then_some(path)
}

fn insert(tree: &mut Map<String, Value>, path: &[&str], value: String) -> Result<(), ()> {
    let [name, rest @ ..] = path else { return Err(()) };
    let name = if name.is_empty() {
        tree.len().to_string()
    } else {
        (*name).to_owned()
    };
    if rest.is_empty() {
        return match tree.insert(name, Value::String(value)) {
            None => Ok(()),
            Some(_) => Err(()),
        };
    }
    match tree.entry(name).or_insert_with(|| Value::Object(Map::new())) {
        Value::Object(inner) => insert(inner, rest, value),
        _ => Err(()),
    }
}

/// The strings of a list, whichever way it was spelt.
pub(crate) fn list<'a>(tree: &'a Map<String, Value>, name: &str) -> Vec<&'a str> {
    match tree.get(name) {
        Some(Value::Object(items)) => items.values().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_form_is_a_tree_of_strings() {
        let body = b"amount=500&metadata[a]=b+c&metadata[d]=%C3%A9&expand[]=x&expand[]=y&a[b][c]=1";
        let tree = parse(body).unwrap();
        assert_eq!(
            Value::Object(tree.clone()),
            json!({"amount": "500", "metadata": {"a": "b c", "d": "é"}, "expand": {"0": "x", "1": "y"}, "a": {"b": {"c": "1"}}})
        );
        assert_eq!(list(&tree, "expand"), ["x", "y"]);
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        for wrong in ["a=1&a=2", "a=1&a[b]=2", "a[b=1", "a]=1", "[a]=1", "a[b]c]=1"] {
            assert!(parse(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }
}
