import { useState } from 'react';
import type { ApiError } from '../../../shared/api/apiError';
import { useFindTextQuery, useSendTestTextMutation, type TextView } from '../../api/sms';
import { useAppForm } from '../../../shared/form/useAppForm';
import { useSubmitting } from '../../form/useSubmitting';
import { usePolling } from '../../lib/usePolling';
import { isFinal } from './testTextWords';

const EVERY_MS = 1_000;
/** By then a phone that is on has it; a provider that cannot reach this site never tells. */
const GIVE_UP_AFTER_MS = 120_000;

interface Sent {
  text: TextView;
  at: number;
}

const loadSchema = () =>
  import(/* webpackChunkName: "credential-rules" */ './credentialSchema').then(
    (file) => file.testTextSchema,
  );

/** Sends a text to try it out, and follows it until nothing more can happen to it. */
export function useTestText() {
  const form = useAppForm({ schema: loadSchema, defaultValues: { phoneNumber: '' } });
  const [sendTestText] = useSendTestTextMutation();
  const [sent, setSent] = useState<Sent>();

  async function send({ phoneNumber }: { phoneNumber: string }) {
    setSent(undefined);
    const testTextBody = { phoneNumber: phoneNumber.trim() };
    const text = await sendTestText({ testTextBody }).unwrap();
    setSent({ text, at: Date.now() });
  }

  function explain(error: ApiError): string | undefined {
    if (form.showServerErrors(error)) return undefined;
    return error.code === 'sms_not_configured' ? error.serverSentence : error.sentence;
  }

  const { pending, problem, run } = useSubmitting(explain);
  const followed = useFollowed(sent);
  const save = () => run(form.handleSubmit(send));
  return { ...form, errors: form.formState.errors, pending, problem, save, ...followed };
}

function useFollowed(sent: Sent | undefined) {
  const id = sent?.text.id ?? 0;
  const query = useFindTextQuery({ id }, { skip: sent === undefined });
  const text = sent && (query.currentData ?? sent.text);
  const asked = query.fulfilledTimeStamp ?? 0;
  const waits = sent !== undefined && !isFinal(text) && asked - sent.at < GIVE_UP_AFTER_MS;
  usePolling(query.refetch, waits ? EVERY_MS : undefined);
  return { text, waits, lookUpError: waits ? query.error : undefined };
}
