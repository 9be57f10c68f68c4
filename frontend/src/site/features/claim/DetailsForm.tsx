import { useEffect } from 'react';
import { useAppForm } from '../../../shared/form/useAppForm';
import type { ClaimDetailsBody } from './api';
import { Confirmations } from './Confirmations';
import { keepDraft, recallDraft } from './draft';
import { TextField } from './TextField';
import type { Details } from './schema';
import { StateField } from './StateField';
import type { Act } from './useClaim';
import { sentenceOf } from '../../lib/sentenceOf';

const loadSchema = () =>
  import(/* webpackChunkName: "claim-rules" */ './schema').then((file) => file.detailsSchema);

interface Props {
  token: string;
  act: Act;
}

/** What was typed stays in this tab until it is sent. */
export function DetailsForm({ token, act }: Props) {
  const form = useAppForm<Details>({
    schema: loadSchema,
    defaultValues: recallDraft(token),
    send: (details) => act('submit', bodyOf(details)),
    explain: sentenceOf,
  });
  const { register, subscribe, errors, isSubmitting, problem, submit } = form;
  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ values }) => keepDraft(token, values),
      }),
    [subscribe, token],
  );
  const field = (name: keyof Details) => ({ ...register(name), error: errors[name]?.message });

  return (
    <form onSubmit={submit} noValidate aria-label="Your details">
      <p>
        We need this to check that you can win and to send you the prize. Only the owners of this
        site see it, and we erase it 90 days after the claim ends. The{' '}
        <a href="/privacy#claims">privacy policy</a> has the details.
      </p>
      <TextField label="First and last name" autoComplete="name" field={field('name')} />
      <TextField
        label="Street address"
        autoComplete="address-line1"
        field={field('addressLine1')}
      />
      <TextField
        label="Apartment, suite (optional)"
        autoComplete="address-line2"
        isOptional
        field={field('addressLine2')}
      />
      <TextField label="City" autoComplete="address-level2" field={field('city')} />
      <StateField field={field('state')} />
      <TextField
        label="ZIP code"
        autoComplete="postal-code"
        inputMode="numeric"
        field={field('postalCode')}
      />
      <Confirmations field={field} />
      <div role="alert" className="problem">
        {problem}
      </div>
      <button type="submit" className="button" aria-disabled={isSubmitting}>
        {isSubmitting ? 'Sending...' : 'Send my details'}
      </button>
    </form>
  );
}

function bodyOf({ addressLine2, ...details }: Details): ClaimDetailsBody {
  return addressLine2 ? { ...details, addressLine2 } : details;
}
