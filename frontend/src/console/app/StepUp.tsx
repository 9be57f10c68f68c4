import { useEffect, useState, type ComponentType } from 'react';
import { asApiError } from '../../shared/api/apiError';
import { giveUp, useWaitsForCode } from '../session/stepUp';

/** Asks for a fresh code where a call needs one. The dialog is a file of its own: few calls do. */
export function StepUp() {
  const isWaiting = useWaitsForCode();
  const [Dialog, setDialog] = useState<ComponentType>();
  useEffect(() => {
    if (!isWaiting || Dialog) return;
    import(/* webpackChunkName: "step-up" */ '../features/signIn/StepUpDialog').then(
      (file) => setDialog(() => file.StepUpDialog),
      (thrown: unknown) => giveUp(asApiError(thrown)),
    );
  }, [isWaiting, Dialog]);
  useEffect(() => () => giveUp(), []); // nobody can enter it any more
  return isWaiting && Dialog ? <Dialog /> : null;
}
