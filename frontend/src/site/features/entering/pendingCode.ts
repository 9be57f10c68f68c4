import { CODE_KEY } from '../../lib/early';
import { sentCodeOf, type SentCode } from '../../lib/sentCode';
import { forget, recall, remember } from '../../lib/tabStorage';
import type { LandingPage, Verification } from './api';

/** A sign-up that waits for its code, as this tab keeps it over a reload. */
export interface PendingCode extends SentCode {
  id: string;
  /** In milliseconds by this browser's clock. */
  sentAt: number;
  /** As it was typed. */
  phoneNumber: string;
  /** The number that the text comes from. */
  from: string;
  landingPage: LandingPage;
  referralCode?: string | undefined;
  smsConsent: boolean;
  /** Of the sign-up: see useEntering. */
  eventId: string;
}

type SignUp = Pick<
  PendingCode,
  'phoneNumber' | 'landingPage' | 'referralCode' | 'smsConsent' | 'eventId'
>;

/** The sign-up with the code that was sent for it, for the first time or again. */
export function pendingOf(signUp: SignUp, verification: Verification): PendingCode {
  const { id, from } = verification;
  const sentAt = Date.now();
  return { ...signUp, id, from, sentAt, ...sentCodeOf(verification, sentAt) };
}

export const keepPending = (pending: PendingCode) => remember(CODE_KEY, JSON.stringify(pending));

export const forgetPending = () => forget(CODE_KEY);

/** What waits for its code on the page of this raffle. */
export function recallPending(landingPage: LandingPage): PendingCode | undefined {
  try {
    const pending = JSON.parse(recall(CODE_KEY) ?? 'null') as PendingCode | null;
    return pending?.landingPage === landingPage ? pending : undefined;
  } catch {
    return undefined;
  }
}

/** So is what an older page kept, which does not say until when it works. */
export const isExpired = ({ worksUntil }: PendingCode) => !(worksUntil > Date.now());
