import { boolean, object, string } from 'yup';
import type { LandingPageView } from '../../api/admin';
import { formatCount } from '../../../shared/lib/format';
import { lengthOf } from '../../../shared/lib/lengthOf';
import { raffle, text } from '../../form/rules';
import { TEXT_CHARACTERS } from '../../lib/smsSegments';
import { REQUIRED } from './required';
import { endOf } from './templateValues';

const NAME_CHARS = 80;
/** Room for the longest link there can be. */
const LINK_CHARS = 100;

/** The server's rules for a template. */
export const templateSchema = object({
  name: label(),
  landingPage: raffle<LandingPageView>(REQUIRED),
  messageTemplate: string()
    .trim()
    .required(REQUIRED)
    .test('link', (message, context) => {
      const { linkPlaceholder } = context.parent as { linkPlaceholder: string };
      const [links, most] = [
        message.split(linkPlaceholder).length - 1,
        formatCount(TEXT_CHARACTERS),
      ];
      if (links === 0) {
        return context.createError({ message: `The message must contain ${linkPlaceholder}` });
      }
      const words = message.replaceAll(linkPlaceholder, '') + endOf(message);
      const withLinks = lengthOf(words) + links * LINK_CHARS;
      if (Math.max(lengthOf(message), withLinks) > TEXT_CHARACTERS) {
        return context.createError({ message: `A text has at most ${most} characters` });
      }
      return true;
    }),
  linkPlaceholder: string().required(),
  isActive: boolean().required(),
});

/** A name that staff give. */
export function label() {
  return text(NAME_CHARS, REQUIRED, `Must be one line of at most ${NAME_CHARS} characters`);
}
