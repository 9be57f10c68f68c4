import { inDollars, worthOf } from '../../site/lib/inDollars';
import { shareText } from '../../site/features/success/share';
import { early } from '../../site/features/success/early/placeholders';
import type { Raffle } from '../../themes';

type Words = Record<string, unknown>;

/** A page with the words of a raffle in it, as the server fills it: crates/http/web/src/client/words.rs. */
export function fillTemplate(html: string, raffle: Raffle, scene = '<svg></svg>'): string {
  const { origin, code, nextDrawing } = early;
  const values = {
    LINK: `${origin}/${raffle.key}/ref/${code}`,
    NEXT_DRAWING: nextDrawing,
    PRIZE: raffle.name,
    VALUE: worthOf(raffle),
  };
  const shared = (text: string) => shareText(text, values).replaceAll('\n', '\r\n');
  const words: Words = {
    ...raffle,
    value: worthOf(raffle),
    parts: raffle.kit.map((part) => ({ ...part, value: inDollars(part.valueInCents) })),
    emailSubject: raffle.share.emailSubject,
    emailBody: shared(raffle.share.emailBody),
    textBody: shareText(raffle.share.textBody, values),
  };
  const whole = html
    .replace(
      /\{% if raffle\.(\w+) %\}(.*?)\{% else %\}(.*?)\{% endif %\}/gs,
      (_, name: string, first: string, second: string) => (words[name] ? first : second),
    )
    .replace(/\{% for part in raffle\.(\w+) %\}(.*?)\{% endfor %\}/gs, (_, name: string, element) =>
      (words[name] as Words[]).map((part) => withWords(element as string, 'part', part)).join(''),
    )
    .replaceAll('{{ raffle.scene }}', scene)
    .replaceAll('{{ raffle.json }}', JSON.stringify(raffle).replaceAll('<', '\\u003c'));
  return withWords(whole, 'raffle', words);
}

const withWords = (html: string, name: string, words: Words) =>
  html.replace(
    new RegExp(`\\{\\{ ${name}\\.(\\w+)(\\|encoded)? \\}\\}`, 'g'),
    (_, word: string, encoded?: string) => {
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
