import { useState } from 'react';
import {
  useApproveClaimMutation,
  useConfirmClaimNumberMutation,
  useMarkClaimUnreachableMutation,
  useMarkPrizeDeliveredMutation,
  useMarkPrizeShippedMutation,
  useNoteClaimCallMutation,
  useRejectClaimMutation,
  useResendClaimMutation,
  type CallCodeView,
  type ClaimDetailView,
  type RejectionReasonView,
} from '../../api/admin';
import { useAppForm } from '../../../shared/form/useAppForm';
import { useToast } from '../../../shared/ui/toast/useToast';
import { isProposed, type Proposed } from '../../lib/proposal';
import { actNames, type Act } from './words';

interface Values {
  act: Act;
  reason: RejectionReasonView | '';
  note: string;
  carrier: string;
  trackingNumber: string;
}

const loadSchema = () =>
  import(/* webpackChunkName: "claim-rules" */ './schema').then((file) => file.claimSchema);

/** Takes a step with a claim. */
export function useClaimForm({ id, shipment }: ClaimDetailView, act: Act, onDone: () => void) {
  const take = useActs(id);
  const toast = useToast();
  const [proposal, setProposal] = useState<Proposed>();
  const [callCode, setCallCode] = useState<CallCodeView>();

  async function send(values: Values) {
    const answer: unknown = await take(act, values);
    if (isProposed(answer)) return setProposal(answer);
    const code = (answer as ClaimDetailView).callCode;
    if (code) return setCallCode(code);
    onDone();
    toast({ title: actNames[act].done });
  }

  const form = useAppForm<Values>({
    schema: loadSchema,
    defaultValues: {
      act,
      reason: '',
      note: '',
      carrier: shipment?.carrier ?? '',
      trackingNumber: shipment?.trackingNumber ?? '',
    },
    send,
    explain: ({ sentence }) => sentence,
  });
  return { ...form, proposal, callCode };
}

function useActs(id: number) {
  const [approve] = useApproveClaimMutation();
  const [reject] = useRejectClaimMutation();
  const [ship] = useMarkPrizeShippedMutation();
  const [deliver] = useMarkPrizeDeliveredMutation();
  const [resend] = useResendClaimMutation();
  const [call] = useNoteClaimCallMutation();
  const [confirm] = useConfirmClaimNumberMutation();
  const [giveUp] = useMarkClaimUnreachableMutation();

  return (act: Act, { reason, note, carrier, trackingNumber }: Values) => {
    const claimNoteBody = { note: note.trim() };
    switch (act) {
      case 'approve':
        return approve({ id }).unwrap();
      case 'reject':
        return reject({
          id,
          rejectionBody: { reason: reason as RejectionReasonView, ...claimNoteBody },
        }).unwrap();
      case 'ship':
        return ship({ id, shipmentBody: { carrier: carrier.trim(), trackingNumber } }).unwrap();
      case 'deliver':
        return deliver({ id }).unwrap();
      case 'resend':
        return resend({ id }).unwrap();
      case 'call':
        return call({ id, claimNoteBody }).unwrap();
      case 'confirm':
        return confirm({ id, claimNoteBody }).unwrap();
      case 'give-up':
        return giveUp({ id }).unwrap();
    }
  };
}
