import { useRef } from 'react';
import type { ApiError } from '../../../shared/api/apiError';
import { useAppForm } from '../../../shared/form/useAppForm';
import { useAddAppealMutation } from './api';

interface Values {
  message: string;
}

/** Sends an appeal. `refetch` asks again whether the entries are on hold. */
export function useAppeal(id: number, refetch: () => unknown) {
  const [add] = useAddAppealMutation();
  const isSent = useRef(false); // a second press may come before the form is gone

  async function send({ message }: Values) {
    if (isSent.current) return;
    await add({ id, appealBody: { message: message.trim() } }).unwrap();
    isSent.current = true;
  }

  function explain(error: ApiError): string {
    // Sent before, in another tab or with an answer that was lost; or the entries are not on hold any more.
    if (error.status === 409) refetch();
    return error.sentence;
  }

  return useAppForm<Values>({ defaultValues: { message: '' }, send, explain });
}
