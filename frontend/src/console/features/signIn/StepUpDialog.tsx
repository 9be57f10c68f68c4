import { useEffect } from 'react';
import { useAppForm } from '../../../shared/form/useAppForm';
import { codeRule, digitsOf } from '../../form/codeRules';
import { giveCode, giveUp } from '../../session/stepUp';
import { CodeField } from '../../ui/CodeField';
import { FormDialog } from '../../ui/FormDialog';

/** Over whatever somebody is about to do. What they typed there waits with the call. */
export function StepUpDialog() {
  const form = useAppForm<{ code: string }>({
    defaultValues: { code: '' },
    send: async ({ code }) => {
      const refusal = await giveCode(digitsOf(code));
      if (!refusal) return;
      form.setError('root', { message: refusal.sentence });
      form.setFocus('code', { shouldSelect: true });
    },
    explain: ({ sentence }) => sentence,
  });
  const { register, errors, isSubmitting, problem, submit, setFocus } = form;
  useEffect(() => setFocus('code'), [setFocus]);
  return (
    <FormDialog
      title="Enter a code"
      submitLabel={isSubmitting ? 'Checking...' : 'Continue'}
      busy={isSubmitting}
      problem={problem}
      onSubmit={submit}
      onClose={() => giveUp()}
    >
      <p className="dialog-text">
        This needs a fresh code from your authenticator app. For ten minutes afterwards, you are not
        asked again.
      </p>
      <CodeField error={errors.code?.message} {...register('code', codeRule)} />
    </FormDialog>
  );
}
