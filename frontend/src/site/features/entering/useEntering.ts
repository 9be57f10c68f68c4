import { useEffect, useRef, useState } from 'react';
import { asApiError, type ApiError } from '../../../shared/api/apiError';
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

const isUnknownCode = ({ code, fields }: ApiError) =>
  code === 'referral_code_not_found' || fields?.referralCode !== undefined;

/** Entering: at most one request in flight from one form, and the typed number stays until it worked. */
export function useEntering({ landingPage, referralCode, prepare, onEntered }: EnteringOptions) {
  const { register, handleSubmit, formState, showServerErrors, reset } = useAppForm<EnterValues>({
    schema: loadSchema,
  });
  const toast = useToast();
  const [eventId] = useState(newEventId); // one for all tries, so that a sign-up is reported once
  const [entering, setEntering] = useState(() => isHeld());
  const [problem, setProblem] = useState<Problem>();
  const busy = useRef(false);

  async function send(values: EnterValues, code: string | undefined) {
    const answer = await sendEntry({ values, landingPage, eventId, referralCode: code });
    if ('error' in answer) return explain(answer.error, code);
    const { user } = answer;
    if (user.isNew) track({ kind: 'sign_up', eventId });
    await onEntered(user, code !== undefined);
    reset();
  }

  function explain(thrown: unknown, code: string | undefined) {
    const error = asApiError(thrown);
    if (code && isUnknownCode(error)) return setProblem({ kind: 'unknown-code' });
    if (showServerErrors(error)) return toast(invalidPhone);
    setProblem({ kind: 'failed', sentence: error.sentence });
    const description = code
      ? 'Please try again later.'
      : (error.serverSentence ?? 'Please try again.');
    toast({ title: 'Registration failed', description, tone: 'bad' });
  }

  async function submit(code: string | undefined) {
    if (busy.current) return;
    busy.current = true;
    setEntering(true);
    setProblem(undefined);
    try {
      await handleSubmit(
        (values) => send(values, code),
        () => toast(invalidPhone),
      )();
    } catch (thrown) {
      explain(thrown, code);
    } finally {
      busy.current = false;
      setEntering(false);
    }
  }

  useHeldSubmit(() => void submit(referralCode));
  usePrepared(prepare);

  return {
    register,
    phoneError: formState.errors.phoneNumber?.message,
    entering,
    problem,
    enter: () => void submit(referralCode),
    enterWithoutReferral: () => void submit(undefined),
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
