import type { LandingPage, RegisteredUser } from './api';
import type { PendingCode } from './pendingCode';
import type { Left } from './problems';

export interface EntryStubProps {
  landingPage: LandingPage;
  referralCode?: string | undefined;
  /** Loads the next screen. Called when everything that the first submit waits for is there. */
  prepare: () => void;
  onEntered: (user: RegisteredUser, referred: boolean) => Promise<void>;
}

export interface CodeStepProps {
  pending: PendingCode;
  onEntered: EntryStubProps['onEntered'];
  /** Another code was sent, or more is known of the one that was. */
  onNews: (pending: PendingCode) => void;
  /** Back to the number. */
  onLeave: (left: Left) => void;
}
