import { boolean, mixed, object, string } from 'yup';
import type { LandingPageView } from '../../api/admin';
import { formatCount } from '../../../shared/lib/format';
import { TEXT_CHARACTERS } from '../../lib/smsSegments';
import { REQUIRED } from './required';

const NAME_CHARS = 80;
/** Room for the longest link there can be. */
const LINK_CHARS = 100;

/** The server's rules for a template. */
export const templateSchema = object({
  name: label(),
  landingPage: mixed<LandingPageView>().required(REQUIRED),
  messageTemplate: string()
    .trim()
    .required(REQUIRED)
    .test('link', (text, context) => {
      const { linkPlaceholder } = context.parent as { linkPlaceholder: string };
      const [links, most] = [text.split(linkPlaceholder).length - 1, formatCount(TEXT_CHARACTERS)];
      if (links === 0) {
        return context.createError({ message: `The message must contain ${linkPlaceholder}` });
      }
      const withLinks = lengthOf(text.replaceAll(linkPlaceholder, '')) + links * LINK_CHARS;
      if (Math.max(lengthOf(text), withLinks) > TEXT_CHARACTERS) {
        return context.createError({ message: `A text has at most ${most} characters` });
      }
      return true;
    }),
  linkPlaceholder: string().required(),
  isActive: boolean().required(),
});

/** A name that staff give. */
export function label() {
  return string()
    .trim()
    .required(REQUIRED)
    .max(NAME_CHARS, `Must be one line of at most ${NAME_CHARS} characters`);
}

// Unicode characters, not UTF-16 units: the server counts that way too.
function lengthOf(text: string): number {
  return [...text].length;
}
