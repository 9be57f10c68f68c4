import { useState } from 'react';
import type { ApiError } from '../../../shared/api/apiError';
import { useFindTextQuery, useSendTestTextMutation, type TextView } from '../../api/sms';
import { useAppForm } from '../../../shared/form/useAppForm';
import { usePolling } from '../../lib/usePolling';
import { isFinal } from './testTextWords';

const EVERY_MS = 1_000;
/** By then a phone that is on has it; a provider that cannot reach this site never tells. */
const GIVE_UP_AFTER_MS = 120_000;

interface TestTextValues {
  phoneNumber: string;
}

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
  const [sendTestText] = useSendTestTextMutation();
  const [sent, setSent] = useState<Sent>();
  const followed = useFollowed(sent);

  async function send({ phoneNumber }: TestTextValues) {
    setSent(undefined);
    const testTextBody = { phoneNumber: phoneNumber.trim() };
    const text = await sendTestText({ testTextBody }).unwrap();
    setSent({ text, at: Date.now() });
  }

  const explain = ({ code, serverSentence, sentence }: ApiError) =>
    code === 'sms_not_configured' ? serverSentence : sentence;

  const form = useAppForm<TestTextValues>({
    schema: loadSchema,
    defaultValues: { phoneNumber: '' },
    send,
    explain,
  });
  return { ...form, ...followed };
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
