import { mixed, object, string } from 'yup';
import type { LandingPageView } from '../../api/admin';
import { formatCount } from '../../../shared/lib/format';
import { TEXT_CHARACTERS } from '../../lib/smsSegments';
import { REQUIRED } from './welcomeValues';

/** The server's rules for a welcome message; how long it is with a link only the server knows. */
export const welcomeSchema = object({
  landingPage: mixed<LandingPageView | ''>()
    .defined()
    .test('chosen', REQUIRED, (key) => key !== ''),
  messageTemplate: string()
    .defined()
    .test('blank', REQUIRED, (text) => text.trim() !== '')
    .test(
      'long',
      `A text has at most ${formatCount(TEXT_CHARACTERS)} characters`,
      (text) => [...text.trim()].length <= TEXT_CHARACTERS,
    ),
});
