import { useRef, useState } from 'react';
import type { FieldErrors } from 'react-hook-form';
import {
  useEstimateCampaignMutation,
  useScheduleCampaignMutation,
  useUpdateCampaignMutation,
  type CampaignBody,
  type EstimateView,
} from '../../api/sms';
import type { ApiError } from '../../../shared/api/apiError';
import { isUnknown } from '../../../shared/api/isUnknown';
import { useAppForm } from '../../../shared/form/useAppForm';
import { newEventId } from '../../../shared/lib/eventId';
import { siteTimeZone } from '../../../shared/lib/nextDrawing';
import { useToast } from '../../../shared/ui/toast/useToast';
import { useAct } from '../../lib/useAct';
import { bodyOf, newCampaign, type CampaignValues, type NamedCampaign } from './campaignValues';
import { isMissing, REQUIRED } from './required';

const loadSchema = () =>
  import(/* webpackChunkName: "sms-rules" */ './campaignSchema').then(
    (file) => file.campaignSchema,
  );

export interface Asked {
  body: NamedCampaign;
  estimate: EstimateView;
}

interface Options {
  /** What the form begins with. */
  values?: CampaignValues | undefined;
  /** The campaign that is changed; without it, a new one is scheduled. */
  edited?: number | undefined;
  onDone: () => void;
}

/** What is filled in is estimated first; what was seen then is scheduled, once. */
export function useCampaignForm({ values = newCampaign, edited, onDone }: Options) {
  const [asked, setAsked] = useState<Asked>();
  const [estimate] = useEstimateCampaignMutation();
  const [schedule] = useScheduleCampaignMutation();
  const [update] = useUpdateCampaignMutation();
  const keyFor = useIdempotencyKey();
  const toast = useToast();
  const scheduling = useAct(explainInDialog);

  const form = useAppForm<CampaignValues>({
    schema: loadSchema,
    defaultValues: values,
    send: askAbout,
    explain,
    onInvalid: tellMissing,
  });

  async function askAbout(values: CampaignValues) {
    const body = bodyOf(values, siteTimeZone());
    const estimated = await estimate({ campaignBody: body }).unwrap();
    scheduling.forget();
    setAsked({ body, estimate: estimated });
  }

  async function send({ body }: Asked) {
    if (edited === undefined) {
      await schedule({ 'Idempotency-Key': keyFor(body), campaignBody: body }).unwrap();
    } else {
      await update({ id: edited, campaignBody: body }).unwrap();
    }
    setAsked(undefined);
    onDone();
    toast({
      title: `Campaign ${edited === undefined ? 'scheduled' : 'updated'} successfully`,
    });
  }

  function explain({ sentence }: ApiError): string {
    const title = `Failed to ${edited === undefined ? 'schedule' : 'update'} campaign`;
    toast({ title, description: sentence, tone: 'bad' });
    return sentence;
  }

  function explainInDialog(error: ApiError): string | undefined {
    const sentence = explain(error);
    if (!form.showServerErrors(error)) {
      return isUnknown(error) && edited === undefined ? `${sentence} ${SAFE}` : sentence;
    }
    setAsked(undefined); // the inputs are behind the dialog
    return undefined;
  }

  function tellMissing(errors: FieldErrors<CampaignValues>) {
    if (isMissing(errors)) toast({ title: REQUIRED, tone: 'bad' });
  }

  return {
    ...form,
    asked,
    isScheduling: scheduling.pending,
    scheduleProblem: scheduling.problem,
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

const SAFE = 'It is safe to try again: the campaign is scheduled only once.';
