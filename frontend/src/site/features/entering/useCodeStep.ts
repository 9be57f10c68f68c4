import { useCallback, useEffect, useState, type ComponentType } from 'react';
import { clearToasts } from '../../../shared/ui/toast/toasts';
import { isAtCodeStep, isBackAtForm, pushCodeStep } from '../../lib/codeHistory';
import type { LandingPage } from './api';
import {
  forgetPending,
  isExpired,
  keepPending,
  recallPending,
  type PendingCode,
} from './pendingCode';
import type { Left } from './problems';
import type { CodeStepProps } from './stubProps';

/** A file of its own: the first submit does not wait for it, and loads it while its request is on its way. */
export const loadCodeStep = () =>
  import(/* webpackChunkName: "code-step" */ './CodeStep').then((file) => file.CodeStep);

/** What the form starts with after a step for the code. */
export interface Kept {
  pending: PendingCode;
  left: Left;
}

type Step =
  | { name: 'number'; kept?: Kept }
  | { name: 'code'; pending: PendingCode; CodeStep: ComponentType<CodeStepProps> };

/** The stub's two steps: the number, and the code that was sent to it. */
export function useCodeStep(landingPage: LandingPage) {
  const [step, setStep] = useState<Step>({ name: 'number' });
  const pending = step.name === 'code' ? step.pending : undefined;
  const kept = step.name === 'number' ? step.kept : undefined;

  /** A code is on its way. Throws if the next step did not arrive. */
  const open = async (sent: PendingCode) => {
    keepPending(sent); // first: a page that reloads because the step did not arrive shows it then
    const CodeStep = await loadCodeStep();
    pushCodeStep();
    clearToasts(); // what they say is about the step before
    setStep({ name: 'code', pending: sent, CodeStep });
  };

  const update = (news: PendingCode) => {
    keepPending(news);
    setStep((now) => (now.name === 'code' ? { ...now, pending: news } : now));
  };

  const leave = useCallback((from: PendingCode, left: Left) => {
    forgetPending();
    setStep({ name: 'number', kept: { pending: from, left } });
    if (isAtCodeStep()) history.back();
  }, []);

  const restore = useCallback(
    async (waiting: PendingCode, isOver: () => boolean) => {
      const CodeStep = await loadCodeStep();
      if (isOver()) return;
      if (isExpired(waiting)) return leave(waiting, 'expired');
      keepPending(waiting);
      setStep({ name: 'code', pending: waiting, CodeStep });
    },
    [leave],
  );

  useRestored(landingPage, restore);
  useForward(kept?.left === 'changed' ? kept.pending : undefined, restore);
  useShown(step);

  useEffect(() => {
    if (!pending) return undefined;
    const onPop = (event: PopStateEvent) => {
      // What `leave` itself goes back for arrives here too, after it has forgotten what waited.
      if (isBackAtForm(event) && recallPending(landingPage)) leave(pending, 'changed');
    };
    // Back from one's own page, a browser may show this one as it was left, with a code that was used.
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted && !recallPending(landingPage)) setStep({ name: 'number' });
    };
    addEventListener('popstate', onPop);
    addEventListener('pageshow', onShow);
    return () => {
      removeEventListener('popstate', onPop);
      removeEventListener('pageshow', onShow);
    };
  }, [pending, landingPage, leave]);

  return { step, open, update, leave };
}

type Restore = (waiting: PendingCode, isOver: () => boolean) => Promise<void>;

/** After a reload, the step is the one that was left: people look at a text in another app and come back. */
function useRestored(landingPage: LandingPage, restore: Restore) {
  useEffect(() => {
    let isGone = false;
    const pending = recallPending(landingPage);
    if (pending) restore(pending, () => isGone).catch(stayAtNumber);
    else reveal();
    return () => {
      isGone = true;
    };
  }, [landingPage, restore]);
}

/** The forward button leads to the code that was left for another number. */
function useForward(waiting: PendingCode | undefined, restore: Restore) {
  useEffect(() => {
    if (!waiting) return undefined;
    const onPop = () => {
      if (isAtCodeStep()) restore(waiting, () => !isAtCodeStep()).catch(stayAtNumber);
    };
    addEventListener('popstate', onPop);
    return () => removeEventListener('popstate', onPop);
  }, [waiting, restore]);
}

/** The boot script hides the form of a tab that waits for a code; the first step that is shown ends that. */
function useShown(step: Step) {
  const [first] = useState(step);
  useEffect(() => {
    if (step !== first) reveal();
  }, [step, first]);
}

/** The step's file did not arrive. The form is there, and the page says what is the matter. */
function stayAtNumber() {
  reveal();
  window.fileMissing?.(true);
}

const reveal = () => delete document.documentElement.dataset.awaitingCode;
