import { boolean, mixed, object, string } from 'yup';
import type { LandingPageView } from '../../shared/api/admin';
import { formatCount } from '../../shared/lib/format';
import { TEXT_CHARACTERS } from '../../shared/lib/smsSegments';
import { REQUIRED } from './required';

/** The server's rules for a template. */
export const templateSchema = object({
  name: string().trim().required(REQUIRED),
  landingPage: mixed<LandingPageView>().required(REQUIRED),
  messageTemplate: string()
    .required(REQUIRED)
    .test('blank', REQUIRED, (text) => text.trim() !== '')
    .test('long', `A text has at most ${formatCount(TEXT_CHARACTERS)} characters`, isShort)
    .test('link', (text, context) => {
      const { linkPlaceholder } = context.parent as { linkPlaceholder: string };
      if (text.includes(linkPlaceholder)) return true;
      return context.createError({ message: `The message must contain ${linkPlaceholder}` });
    }),
  linkPlaceholder: string().required(),
  isActive: boolean().required(),
});

function isShort(text: string): boolean {
  return [...text].length <= TEXT_CHARACTERS;
}
