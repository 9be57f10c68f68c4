import { WITHOUT_A_CLOCK } from '../../../../shared/lib/nextDrawing';
import { formatPhone } from '../../../../shared/lib/phone';
import type { Figures } from '../../../lib/early';
import { inFigures } from '../inFigures';
import { isOwn } from '../../../lib/isOwn';
import { hasShareSheet, smsSeparator } from '../share';
import { CODE, FIGURES, HOST, ORIGIN, PHONE } from './placeholders';

/**
 * Makes the built page what React would make of it with these figures. The build rendered the parts that change with
 * placeholders into templates, so that React finds nothing to change. The inline boot script uses this, before React.
 */
export function fillPage({ user, stats }: Figures, dateOfDrawing: string) {
  const figures = Object.values(inFigures(stats));
  const values: [string, string][] = [
    ...Object.values(inFigures(FIGURES)).map((name, i): [string, string] => [name, figures[i]!]),
    [PHONE, formatPhone(user.phoneNumber)],
    [CODE, user.referralCode],
    [ORIGIN, location.origin],
    [HOST, `${location.host}/`], // what is left: the link without its scheme
    [WITHOUT_A_CLOCK, dateOfDrawing],
    ['sms:?', `sms:${smsSeparator(navigator.userAgent)}`],
  ];

  for (const { content, dataset } of document.querySelectorAll<HTMLTemplateElement>(
    'template[data-for]',
  )) {
    for (const element of content.querySelectorAll('*')) {
      for (const node of [...element.attributes, ...element.childNodes]) {
        for (const [name, value] of values) {
          node.nodeValue &&= node.nodeValue
            .replaceAll(name, value)
            .replaceAll(encodeURIComponent(name), encodeURIComponent(value)); // in a link's message
        }
      }
    }
    document.querySelector(`[data-part=${dataset.for}]`)!.replaceWith(content);
  }
  if (!isOwn(user, user.id)) document.querySelector('.own')?.remove();
  if (!hasShareSheet()) document.querySelector('.channels button')?.remove();
}
