import { useState } from 'react';
import { asApiError } from '../../../shared/api/apiError';
import { useAppForm } from '../../../shared/form/useAppForm';
import { sms, type TextEvidenceView } from '../../api/sms';

interface Values {
  phoneNumber: string;
}

/** The text of a number in a campaign, and what allowed it; without `evidence` there is no such text. */
interface Found {
  evidence: TextEvidenceView | undefined;
}

const loadSchema = () =>
  import(/* webpackChunkName: "campaign-rules" */ './evidenceSchema').then(
    (file) => file.evidenceSchema,
  );

/** Looks up the text of a campaign to a number, and what allowed it. */
export function useEvidence(campaignId: number) {
  const [findText] = sms.endpoints.findCampaignText.useLazyQuery();
  const [findEvidence] = sms.endpoints.findEvidence.useLazyQuery();
  const [found, setFound] = useState<Found>();

  async function send({ phoneNumber }: Values) {
    setFound(undefined);
    const asked = { id: campaignId, phoneNumber: phoneNumber.trim() };
    const text = await findText(asked).unwrap().catch(noneIfUnknown);
    const evidence = text && (await findEvidence({ id: text.id }).unwrap());
    setFound({ evidence });
  }

  const form = useAppForm<Values>({
    schema: loadSchema,
    defaultValues: { phoneNumber: '' },
    send,
    explain: ({ sentence }) => sentence,
  });
  return { ...form, found };
}

/** 404: the campaign sent no text to this number. */
function noneIfUnknown(thrown: unknown): undefined {
  if (asApiError(thrown).status !== 404) throw thrown;
}
