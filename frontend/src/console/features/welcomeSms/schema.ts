import { object } from 'yup';
import type { LandingPageView } from '../../api/admin';
import { formatCount } from '../../../shared/lib/format';
import { raffle, text } from '../../form/rules';
import { TEXT_CHARACTERS } from '../../lib/smsSegments';
import { REQUIRED } from './welcomeValues';

/** The server's rules for a welcome message; how long it is with a link only the server knows. */
export const welcomeSchema = object({
  landingPage: raffle<LandingPageView>(REQUIRED),
  messageTemplate: text(
    TEXT_CHARACTERS,
    REQUIRED,
    `A text has at most ${formatCount(TEXT_CHARACTERS)} characters`,
  ),
});
