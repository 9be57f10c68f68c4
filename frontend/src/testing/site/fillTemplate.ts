import { inDollars, worthOf } from '../../shared/lib/inDollars';
import { shareText } from '../../site/features/success/share';
import { early } from '../../site/features/success/early/placeholders';
import { filled, type Words } from '../../shared/lib/fillTemplate';
import type { Raffle } from '../../themes';

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
  const parts = raffle.kit.map((part) => ({ ...part, value: inDollars(part.valueInCents) }));
  const words: Words = {
    ...raffle,
    value: worthOf(raffle),
    parts,
    'package.parts': parts,
    emailSubject: raffle.share.emailSubject,
    emailBody: shared(raffle.share.emailBody),
    textBody: shareText(raffle.share.textBody, values),
  };
  // What is HTML already comes last, so that nothing in it is taken for a place.
  return filled(html, { raffle: words }, { raffles: raffle.openRaffles })
    .replaceAll('{{ raffle.scene }}', () => scene)
    .replaceAll('{{ raffle.json }}', () => JSON.stringify(raffle).replaceAll('<', '\\u003c'));
}
