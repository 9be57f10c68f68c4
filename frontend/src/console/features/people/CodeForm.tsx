import { useState } from 'react';
import {
  useConfirmPersonDataRequestMutation,
  useCreatePersonDataRequestMutation,
  type DataRequestView,
} from '../../api/people';
import { useAppForm } from '../../../shared/form/useAppForm';
import { formatDateTime } from '../../../shared/lib/format';
import { useToast } from '../../../shared/ui/toast/useToast';
import { isProposed, type Proposed } from '../../lib/proposal';
import { ProposedText } from '../../ui/Proposed';
import { useAct } from '../../lib/useAct';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';

interface Props {
  id: number;
  request: DataRequestView;
  /** As people write it. */
  phone: string;
}

interface Values {
  code: string;
}

const loadSchema = () =>
  import(/* webpackChunkName: "people-rules" */ './schema').then((file) => file.codeSchema);

/** The code that was texted to the person, who reads it to staff. */
export function CodeForm({ id, request, phone }: Props) {
  const { register, errors, isSubmitting, problem, submit, proposal } = useConfirm(id, request.id);
  const [create] = useCreatePersonDataRequestMutation();
  const again = useAct(({ sentence }) => sentence);
  const { requestType, expiresAt } = request;
  const resend = () => create({ id, dataRequestBody: { requestType } }).unwrap();
  return (
    <form className="person-form" onSubmit={submit} noValidate aria-label="Confirm with a code">
      <p>
        We texted a code to {phone}. It works until {formatDateTime(expiresAt ?? '')}. Nothing is
        deleted without it.
      </p>
      <Field label="6-digit code" error={errors.code?.message}>
        {(props) => (
          <input
            {...props}
            inputMode="numeric"
            autoComplete="off"
            maxLength={32}
            required
            {...register('code')}
          />
        )}
      </Field>
      <div role="alert" className="problem">
        {problem ?? again.problem}
      </div>
      <div role="status">{proposal && <ProposedText proposal={proposal} />}</div>
      <div className="actions">
        <Button type="submit" variant="danger" busy={isSubmitting}>
          {isSubmitting ? 'Deleting...' : 'Confirm and delete'}
        </Button>
        <Button onClick={() => again.run(resend)} busy={again.pending}>
          Send the code again
        </Button>
      </div>
    </form>
  );
}

function useConfirm(id: number, requestId: number) {
  const [confirm] = useConfirmPersonDataRequestMutation();
  const toast = useToast();
  const [proposal, setProposal] = useState<Proposed>();

  async function send({ code }: Values) {
    const answer: unknown = await confirm({ id, requestId, dataCodeBody: { code } }).unwrap();
    if (isProposed(answer)) return setProposal(answer);
    toast({ title: 'The data was deleted' });
  }

  const form = useAppForm<Values>({
    schema: loadSchema,
    defaultValues: { code: '' },
    send,
    explain: ({ sentence }) => sentence,
  });
  return { ...form, proposal };
}
