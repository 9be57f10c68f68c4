/** What a template can name: texts, whether something holds, and lists of the same. */
export type Words = Record<string, unknown>;

/**
 * A page of the build with words in its places, filled as the server does: crates/http/web/src/client/templates.rs. A name in
 * it is looked up in all of these words: `raffle.name` in `raffle`.
 */
export function filled(html: string, words: Record<string, Words>, lists: Words = {}): string {
  const value = (path: string): unknown => {
    if (path in lists) return lists[path];
    const [name = '', ...rest] = path.split('.');
    return words[name]?.[rest.join('.')];
  };
  const whole = withBlocks(html, value);
  return Object.entries(words).reduce((page, [name, each]) => withWords(page, name, each), whole);
}

/** A block without others in it. */
const BLOCK =
  /\{% (if|for (\w+) in) ([\w.]+) %\}((?:(?!\{% (?:if|for)).)*?)(?:\{% else %\}((?:(?!\{% (?:if|for)).)*?))?\{% end(?:if|for) %\}/gs;

/** Without its blocks, from the inside out: with one side of each condition, and an element for each of a list. */
function withBlocks(html: string, value: (path: string) => unknown): string {
  const next = html.replace(
    BLOCK,
    (_, kind: string, name: string, of: string, first: string, second: string | undefined) => {
      const found = value(of);
      if (kind !== 'if')
        return (found as Words[]).map((words) => withWords(first, name, words)).join('');
      const holds = Array.isArray(found) ? found.length > 0 : Boolean(found);
      return holds ? first : (second ?? '');
    },
  );
  return next === html ? html : withBlocks(next, value);
}

const withWords = (html: string, name: string, words: Words): string =>
  html.replace(
    new RegExp(`\\{\\{ ${name}\\.(\\w+)(\\|encoded)? \\}\\}`, 'g'),
    (place, word: string, encoded?: string) => {
      if (!(word in words)) return place;
      const text = String(words[word]);
      return escaped(encoded ? encodeURIComponent(text) : text);
    },
  );

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#x27;');
