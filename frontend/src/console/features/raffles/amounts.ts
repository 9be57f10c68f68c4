import type { Content } from '../../api/raffles';
import { inDollars } from '../../../shared/lib/inDollars';

/** `$500`, `USD 500`, `500 dollars`: crates/domain/raffle/src/content/amounts.rs reads more spellings, and decides. */
const AMOUNT =
  /(?:us\$|usd ?\$?|\$) ?(\d[\d,]*(?:\.\d{1,2})?)\+?|(\d[\d,]*(?:\.\d{1,2})?)\+?[ -](?:us )?(?:dollars?|usd)\b/gi;

const TEXTS = [
  'name',
  'title',
  'tagline',
  'description',
  'metaTitle',
  'metaDescription',
  'successTitle',
] as const;

const centsOf = (number: string): number => Math.round(Number(number.replaceAll(',', '')) * 100);

function worths({ kit, totalValue }: Content): Set<number> {
  return new Set([totalValue.dollars * 100, ...kit.map(({ valueInCents }) => valueInCents)]);
}

/** The amounts in the texts that the prize and its parts are not worth, each with how often it stands there. */
export function otherAmounts(content: Content): Map<string, number> {
  const known = worths(content);
  const found = new Map<string, number>();
  mapTexts(content, (text) => {
    for (const [words, before, after] of text.matchAll(AMOUNT)) {
      const amount = words.replace(/\+$/, '');
      if (!known.has(centsOf(before ?? after ?? '')))
        found.set(amount, (found.get(amount) ?? 0) + 1);
    }
    return text;
  });
  return found;
}

/** The same content with the total value in all places of an amount. */
export function withTotalInPlaceOf(content: Content, amount: string): Content {
  const { dollars, orMore } = content.totalValue;
  return mapTexts(content, (text) =>
    text.replace(AMOUNT, (words) => {
      if (words.replace(/\+$/, '') !== amount) return words;
      return inDollars(dollars * 100) + (words.endsWith('+') && orMore ? '+' : '');
    }),
  );
}

function mapTexts(content: Content, change: (text: string) => string): Content {
  const { emailSubject, emailBody, textBody } = content.share;
  return {
    ...content,
    ...Object.fromEntries(TEXTS.map((name) => [name, change(content[name])])),
    kit: content.kit.map((part) => ({
      ...part,
      item: change(part.item),
      detail: change(part.detail),
    })),
    share: {
      emailSubject: change(emailSubject),
      emailBody: change(emailBody),
      textBody: change(textBody),
    },
  };
}
