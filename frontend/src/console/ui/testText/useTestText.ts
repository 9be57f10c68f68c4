import { useState } from 'react';
import type { ApiError } from '../../../shared/api/apiError';
import { skipToken } from '@reduxjs/toolkit/query';
import {
  useFindTextQuery,
  useSendTemplateTestMutation,
  useSendTestTextMutation,
  useTextPolling,
  type TextView,
} from '../../api/sms';
import { useAppForm } from '../../../shared/form/useAppForm';
import { polled } from '../../lib/polled';
import { isFinal } from './testTextWords';

const EVERY_MS = 1_000;
const AFTER_FAILURE_MS = 3_000;
/** By then a phone that is on has it; a provider that cannot reach this site never tells. */
const GIVE_UP_AFTER_MS = 120_000;

/** Codes of errors whose sentence says what is wrong with the account. */
const NO_ACCOUNT = ['sms_not_configured', 'sms_account_unreadable'];

interface TestTextValues {
  phoneNumber: string;
}

interface Sent {
  text: TextView;
  at: number;
}

const loadSchema = () =>
  import(/* webpackChunkName: "test-text-rules" */ './testTextSchema').then(
    (file) => file.testTextSchema,
  );

/** Sends a text to try it out, and follows it until nothing more can happen to it. */
export function useTestText(templateId: number | undefined) {
  const [sendTestText] = useSendTestTextMutation();
  const [sendTemplateTest] = useSendTemplateTestMutation();
  const [sent, setSent] = useState<Sent>();
  const followed = useFollowed(sent);

  async function send({ phoneNumber }: TestTextValues) {
    setSent(undefined);
    const testTextBody = { phoneNumber: phoneNumber.trim() };
    const sending =
      templateId === undefined
        ? sendTestText({ testTextBody })
        : sendTemplateTest({ id: templateId, testTextBody });
    const text = await sending.unwrap();
    setSent({ text, at: Date.now() });
  }

  const explain = ({ code, serverSentence, sentence }: ApiError) =>
    code && NO_ACCOUNT.includes(code) ? serverSentence : sentence;

  const form = useAppForm<TestTextValues>({
    schema: loadSchema,
    defaultValues: { phoneNumber: '' },
    send,
    explain,
  });
  return { ...form, ...followed };
}

function useFollowed(sent: Sent | undefined) {
  const arg = sent ? { id: sent.text.id } : skipToken;
  const query = useFindTextQuery(arg);
  const text = sent && (query.currentData ?? sent.text);
  const asked = query.startedTimeStamp ?? 0; // whether or not there was an answer
  const waits = sent !== undefined && !isFinal(text) && asked - sent.at < GIVE_UP_AFTER_MS;
  const everyMs = query.error ? AFTER_FAILURE_MS : EVERY_MS;
  useTextPolling(arg, polled(waits ? everyMs : undefined));
  return { text, waits, lookUpError: isFinal(text) ? undefined : query.error };
}
