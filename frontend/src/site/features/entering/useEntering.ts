import { useEffect, useRef, useState } from 'react';
import type { ApiError } from '../../../shared/api/apiError';
import { useAppForm } from '../../../shared/form/useAppForm';
import { newEventId } from '../../../shared/lib/eventId';
import { whenIdle } from '../../../shared/lib/whenIdle';
import { track } from '../../lib/tracked';
import { useToast } from '../../../shared/ui/toast/useToast';
import { register as sendEntry, type LandingPage, type RegisteredUser } from './api';
import type { EnterValues } from './schema';

export interface EnteringOptions {
  landingPage: LandingPage;
  referralCode?: string | undefined;
  /** Loads the next screen. Called when everything that the first submit waits for is there. */
  prepare: () => void;
  onEntered: (user: RegisteredUser, referred: boolean) => Promise<void>;
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

const isUnknownCode = ({ code, fields }: ApiError) =>
  code === 'referral_code_not_found' || fields?.referralCode !== undefined;

/** Entering: at most one request in flight from one form, and the typed number stays until it worked. */
export function useEntering({ landingPage, referralCode, prepare, onEntered }: EnteringOptions) {
  const toast = useToast();
  const [eventId] = useState(newEventId); // one for all tries, so that a sign-up is reported once
  const [held, setHeld] = useState(isHeld);
  const code = useRef(referralCode);
  const { register, reset, errors, isSubmitting, problem, submit } = useAppForm<EnterValues>({
    schema: loadSchema,
    send,
    explain,
    onInvalid: () => toast(invalidPhone),
  });

  async function send(values: EnterValues) {
    const sentCode = code.current; // the other button may be pressed meanwhile
    const answer = await sendEntry({ values, landingPage, eventId, referralCode: sentCode });
    if ('error' in answer) throw answer.error as unknown; // to explain, and to its input
    const { user } = answer;
    if (user.isNew) {
      track({ kind: 'sign_up', eventId });
      if (values.smsConsent) track({ kind: 'lead_capture', eventId: newEventId() });
    }
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
    return isUnknown ? UNKNOWN_CODE : error.sentence;
  }

  function enter(withCode: string | undefined) {
    code.current = withCode;
    submit();
  }

  useHeldSubmit(() => {
    enter(referralCode);
    setHeld(false);
  });
  usePrepared(prepare);

  return {
    register,
    phoneError: errors.phoneNumber?.message,
    entering: held || isSubmitting,
    problem: problem === undefined ? undefined : problemOf(problem),
    enter: () => enter(referralCode),
    enterWithoutReferral: () => enter(undefined),
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
