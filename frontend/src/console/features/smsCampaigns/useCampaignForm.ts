import { useRef, useState } from 'react';
import type { FieldErrors } from 'react-hook-form';
import {
  useEstimateCampaignMutation,
  useScheduleCampaignMutation,
  type CampaignBody,
  type EstimateView,
} from '../../api/sms';
import type { ApiError } from '../../../shared/api/apiError';
import { useAppForm } from '../../../shared/form/useAppForm';
import { newEventId } from '../../../shared/lib/eventId';
import { siteTimeZone } from '../../../shared/lib/nextDrawing';
import { useToast } from '../../../shared/ui/toast/useToast';
import { bodyOf, newCampaign, type CampaignValues, type NamedCampaign } from './campaignValues';
import { isMissing, REQUIRED } from './required';
import { isUnknown, useSubmitting } from '../../form/useSubmitting';

const loadSchema = () =>
  import(/* webpackChunkName: "sms-rules" */ './campaignSchema').then(
    (file) => file.campaignSchema,
  );

export interface Asked {
  body: NamedCampaign;
  estimate: EstimateView;
}

/** What is filled in is estimated first; what was seen then is scheduled, once. */
export function useCampaignForm(onScheduled: () => void) {
  const form = useAppForm<CampaignValues>({ schema: loadSchema, defaultValues: newCampaign });
  const [asked, setAsked] = useState<Asked>();
  const [estimate] = useEstimateCampaignMutation();
  const [schedule] = useScheduleCampaignMutation();
  const keyFor = useIdempotencyKey();
  const toast = useToast();

  function explain(error: ApiError): string | undefined {
    toast({ title: 'Failed to schedule campaign', description: error.sentence, tone: 'bad' });
    const isShown = form.showServerErrors(withAllMessages(error));
    if (isShown) setAsked(undefined); // the inputs are behind the dialog
    return isShown ? undefined : error.sentence;
  }

  const reviewing = useSubmitting(explain);
  const scheduling = useSubmitting((error) => {
    const sentence = explain(error);
    return sentence && isUnknown(error) ? `${sentence} ${SAFE}` : sentence;
  });

  async function askAbout(values: CampaignValues) {
    const body = bodyOf(values, siteTimeZone());
    setAsked({ body, estimate: await estimate({ campaignBody: body }).unwrap() });
  }

  async function send({ body }: Asked) {
    await schedule({ 'Idempotency-Key': keyFor(body), campaignBody: body }).unwrap();
    setAsked(undefined);
    onScheduled();
    toast({ title: 'Campaign scheduled successfully' });
  }

  const tellMissing = (errors: FieldErrors<CampaignValues>) => {
    if (isMissing(errors)) toast({ title: REQUIRED, tone: 'bad' });
  };

  return {
    ...form,
    errors: form.formState.errors,
    asked,
    isReviewing: reviewing.pending,
    isScheduling: scheduling.pending,
    reviewProblem: reviewing.problem,
    scheduleProblem: scheduling.problem,
    review: () => reviewing.run(form.handleSubmit(askAbout, tellMissing)),
    confirm: () => asked && scheduling.run(() => send(asked)),
    reconsider: () => setAsked(undefined),
  };
}

/** One key for what is filled in, however often it is sent; another one once it says something else. */
function useIdempotencyKey() {
  const known = useRef({ body: '', key: '' });
  return (body: CampaignBody): string => {
    const text = JSON.stringify(body);
    if (known.current.body !== text) known.current = { body: text, key: newEventId() };
    return known.current.key;
  };
}

/** An input shows the first message; of a list of numbers each wrong one is named. */
const withAllMessages = (error: ApiError): ApiError =>
  error.fields
    ? {
        ...error,
        fields: Object.fromEntries(
          Object.entries(error.fields).map(([name, messages]) => [name, [messages.join('\n')]]),
        ),
      }
    : error;

const SAFE = 'Trying again here is safe: it is scheduled once.';
