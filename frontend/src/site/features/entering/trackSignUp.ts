import { newEventId } from '../../../shared/lib/eventId';
import { track } from '../../lib/tracked';
import type { RegisteredUser } from './api';

/** Reports a new entrant, once, by the event id that went with the sign-up. */
export function trackSignUp(
  user: RegisteredUser,
  signUp: { eventId: string; smsConsent: boolean },
) {
  if (!user.isNew) return;
  track({ kind: 'sign_up', eventId: signUp.eventId });
  if (signUp.smsConsent) track({ kind: 'lead_capture', eventId: newEventId() });
}
