import { useUnsavedChanges } from '../../form/unsavedChanges';
import { Field } from '../../ui/Field';
import { FormActions } from '../../ui/FormActions';
import { ProposedText } from '../../ui/Proposed';
import { useCredentials } from './useCredentials';

export function CredentialForm() {
  const { register, errors, isSubmitting, problem, submit, formState, proposal } = useCredentials();
  useUnsavedChanges(formState.isDirty);

  return (
    <form className="provider-form" onSubmit={submit} noValidate autoComplete="off">
      <Field
        label="Account SID"
        hint="AC and 32 letters and digits, from the provider's console."
        error={errors.TWILIO_ACCOUNT_SID?.message}
      >
        {(props) => (
          <input
            {...props}
            className="code"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            required
            {...register('TWILIO_ACCOUNT_SID')}
          />
        )}
      </Field>
      <Field
        label="Auth Token"
        hint="Stored encrypted, and never shown again."
        error={errors.TWILIO_AUTH_TOKEN?.message}
      >
        {(props) => (
          <input
            {...props}
            type="password"
            autoComplete="new-password" // or browsers fill in the password of the login
            required
            {...register('TWILIO_AUTH_TOKEN')}
          />
        )}
      </Field>
      <Field
        label="Phone Number"
        hint="The number that texts come from."
        error={errors.TWILIO_PHONE_NUMBER?.message}
      >
        {(props) => (
          <input
            {...props}
            type="tel"
            autoComplete="off"
            required
            {...register('TWILIO_PHONE_NUMBER')}
          />
        )}
      </Field>
      <FormActions
        submitLabel={isSubmitting ? 'Saving...' : 'Save credentials'}
        busy={isSubmitting}
        problem={problem}
      />
      <div role="status">{proposal && <ProposedText proposal={proposal} />}</div>
    </form>
  );
}
