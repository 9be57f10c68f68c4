import { useEffect, useRef, useState } from 'react';
import type { ApiError } from '../../../shared/api/apiError';
import { useAppForm } from '../../../shared/form/useAppForm';
import { newEventId } from '../../../shared/lib/eventId';
import { whenIdle } from '../../../shared/lib/whenIdle';
import { COOKIES_BLOCKED, takesCookies } from '../../lib/cookies';
import { needsCodes } from '../../lib/phoneVerification';
import { sentenceOf } from '../../lib/sentenceOf';
import { useToast } from '../../../shared/ui/toast/useToast';
import { register as sendEntry } from './api';
import { pendingOf, type PendingCode } from './pendingCode';
import { forgetLink } from './keptLink';
import { leftWords } from './problems';
import type { EnterValues } from './schema';
import type { EntryStubProps } from './stubProps';
import { trackSignUp } from './trackSignUp';
import { loadCodeStep, type Kept } from './useCodeStep';

export interface EnteringOptions extends EntryStubProps {
  /** What was typed before the step for the code, and why that was left. */
  kept: Kept | undefined;
  onCodeSent: (pending: PendingCode) => Promise<void>;
}

/** What stands above the button when entering failed. */
export type Problem = { kind: 'unknown-code' } | { kind: 'failed'; sentence: string };

const invalidPhone = {
  title: 'Invalid phone number',
  description: 'Please enter a valid phone number.',
  tone: 'bad' as const,
};

const loadSchema = () =>
  import(/* webpackChunkName: "validation" */ './schema').then((file) => file.enterSchema);

const UNKNOWN_CODE = 'unknown-code';

const problemOf = (sentence: string): Problem =>
  sentence === UNKNOWN_CODE ? { kind: UNKNOWN_CODE } : { kind: 'failed', sentence };

const leftProblem = (left: Kept['left'] | undefined) =>
  left && leftWords[left] !== undefined ? problemOf(leftWords[left]) : undefined;

const valuesOf = ({ phoneNumber, smsConsent }: PendingCode): EnterValues => ({
  phoneNumber,
  smsConsent,
});

const isUnknownCode = ({ code, fields }: ApiError) =>
  code === 'referral_code_not_found' || fields?.referralCode !== undefined;

/** Entering: at most one request in flight from one form, and the typed number stays until it worked. */
export function useEntering(options: EnteringOptions) {
  const { landingPage, referralCode, prepare, kept, onEntered, onCodeSent } = options;
  const toast = useToast();
  // One for all tries, so that a sign-up is reported once.
  const [eventId] = useState(() => kept?.pending.eventId ?? newEventId());
  const [held, setHeld] = useState(isHeld);
  const code = useRef(referralCode);
  const [left, setLeft] = useState(kept?.left);
  const form = useAppForm<EnterValues>({
    schema: loadSchema,
    ...(kept && { defaultValues: valuesOf(kept.pending) }),
    send,
    explain,
    onInvalid: () => toast(invalidPhone),
  });
  const { register, reset, errors, isSubmitting, problem, submit, setError, setFocus } = form;

  // Back from the step for the code: to people who hear the page, the form has to say so.
  const hasReturned = kept !== undefined;
  useEffect(() => {
    if (hasReturned) setFocus('phoneNumber', { shouldSelect: true });
  }, [hasReturned, setFocus]);

  async function send(values: EnterValues) {
    const sentCode = code.current; // the other button may be pressed meanwhile
    if (needsCodes()) loadCodeStep().catch(() => undefined); // onCodeSent tries again
    const answer = await sendEntry({ values, landingPage, eventId, referralCode: sentCode });
    if ('error' in answer) throw answer.error as unknown; // to explain, and to its input
    if ('verification' in answer) {
      const { phoneNumber, smsConsent } = values;
      const signUp = { phoneNumber, smsConsent, landingPage, eventId, referralCode: sentCode };
      return onCodeSent(pendingOf(signUp, answer.verification));
    }
    const { user } = answer;
    trackSignUp(user, { eventId, smsConsent: values.smsConsent });
    await onEntered(user, sentCode !== undefined);
    reset();
  }

  function explain(error: ApiError): string {
    const isUnknown = code.current !== undefined && isUnknownCode(error);
    if (error.fields?.phoneNumber && !isUnknown) {
      toast(invalidPhone);
      return error.sentence;
    }
    const description = code.current
      ? 'Please try again later.'
      : (error.serverSentence ?? 'Please try again.');
    toast({ title: 'Registration failed', description, tone: 'bad' });
    if (!isUnknown) return sentenceOf(error);
    forgetLink();
    return UNKNOWN_CODE;
  }

  function enter() {
    setLeft(undefined);
    // Tried before a text is sent: without its cookie, the code would count for nothing.
    if (needsCodes() && !takesCookies()) setError('root', { message: COOKIES_BLOCKED });
    else submit();
  }

  useHeldSubmit(() => {
    enter();
    setHeld(false);
  });
  usePrepared(prepare);

  return {
    register,
    phoneError: errors.phoneNumber?.message,
    entering: held || isSubmitting,
    problem: problem === undefined ? leftProblem(left) : problemOf(problem),
    isRenewal: kept?.left === 'expired',
    enter,
    enterWithoutReferral: () => {
      code.current = undefined;
      enter();
    },
  };
}

const isHeld = () => typeof window !== 'undefined' && window.early?.held === true;

/** Replays the submit that the boot script held while the application was on its way. */
function useHeldSubmit(replay: () => void) {
  const latest = useRef(replay);
  useEffect(() => {
    const held = isHeld();
    window.early?.release();
    if (held) latest.current();
  }, []);
}

/** On a slow network the next screen must not take bandwidth from what the first submit waits for. */
function usePrepared(prepare: () => void) {
  const latest = useRef(prepare);
  useEffect(() => {
    let cancel: (() => void) | undefined;
    let isGone = false;
    loadSchema().then(
      () => {
        if (!isGone) cancel = whenIdle(latest.current);
      },
      () => undefined, // the submit loads it again
    );
    return () => {
      isGone = true;
      cancel?.();
    };
  }, []);
}
