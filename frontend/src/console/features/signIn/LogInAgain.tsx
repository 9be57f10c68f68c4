import { useEffect, useId, useState } from 'react';
import { useDispatch } from 'react-redux';
import { askBefore, hasUnsavedChanges } from '../../form/unsavedChanges';
import { sessionSlice, type SignedOutNotice } from '../../session/sessionSlice';
import { useMe } from '../../session/me';
import { Button } from '../../ui/Button';
import { useModal } from '../../ui/useModal';
import { notices, SignInForm } from './SignInScreen';

/**
 * Over the console when its session has ended: what was typed stays behind it, and shows again after
 * the login. Nothing of it can be seen or reached meanwhile.
 */
export function LogInAgain({ notice }: { notice: SignedOutNotice | null }) {
  const dispatch = useDispatch();
  const dialog = useModal();
  const name = useMe()?.name ?? '';
  const id = useId();
  const [isTyped] = useState(hasUnsavedChanges);
  useFocusOnMainAfterwards();
  const leave = () => askBefore(() => dispatch(sessionSlice.actions.closed(null)));

  return (
    <dialog
      ref={dialog}
      className="dialog log-in-again"
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      closedby="none"
      onCancel={(event) => event.preventDefault()}
      onClose={() => dialog.current?.showModal()} // where closedby is not known, a second Escape closes it
    >
      <h1 id={`${id}-title`}>Log in again</h1>
      <p id={`${id}-text`}>
        {notices[notice ?? 'ended']} {isTyped && 'What you typed is still here.'}
      </p>
      <SignInForm name={name} />
      <Button variant="ghost" onClick={leave}>
        Leave
      </Button>
    </dialog>
  );
}

/** What had the focus may be gone, because the figures are fetched again. */
function useFocusOnMainAfterwards() {
  useEffect(
    () => () => {
      if (document.activeElement !== document.body) return;
      document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
    },
    [],
  );
}
