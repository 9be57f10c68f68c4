import { useEffect } from 'react';
import { useAppForm } from '../../../shared/form/useAppForm';
import { codeRule, digitsOf } from '../../form/codeRules';
import { CodeField } from '../../ui/CodeField';
import { FormDialog } from '../../ui/FormDialog';

interface Props {
  title: string;
  submitLabel: string;
  danger?: boolean;
  /** What happens then. */
  children: string;
  onCode: (code: string) => Promise<unknown>;
  onClose: () => void;
}

/** Takes a code of the second factor for a change of that factor. */
export function CodeDialog({ title, submitLabel, danger, children, onCode, onClose }: Props) {
  const form = useAppForm<{ code: string }>({
    defaultValues: { code: '' },
    send: ({ code }) => onCode(digitsOf(code)),
    explain: ({ sentence }) => {
      form.setFocus('code', { shouldSelect: true });
      return sentence;
    },
  });
  const { register, errors, isSubmitting, problem, submit, setFocus } = form;
  useEffect(() => setFocus('code'), [setFocus]);
  return (
    <FormDialog
      title={title}
      submitLabel={isSubmitting ? 'Checking...' : submitLabel}
      danger={danger ?? false}
      busy={isSubmitting}
      problem={problem}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="dialog-text">{children}</p>
      <CodeField
        hint="From your authenticator app."
        error={errors.code?.message}
        {...register('code', codeRule)}
      />
    </FormDialog>
  );
}
