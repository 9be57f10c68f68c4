import { useDispatch } from 'react-redux';
import { useAppForm } from '../../../shared/form/useAppForm';
import type { OwnAccountView } from '../../api/me';
import { useChangePasswordMutation } from '../../api/staff';
import {
  newPasswordRule,
  ownPasswordRule,
  PASSWORD_HINT,
  repeatedRule,
} from '../../form/passwordRules';
import { useUnsavedChanges } from '../../form/unsavedChanges';
import { sessionSlice } from '../../session/sessionSlice';
import { Card } from '../../ui/Card';
import { FormActions } from '../../ui/FormActions';
import { PasswordField } from '../../ui/PasswordField';

interface Props {
  me: OwnAccountView;
}

interface Values {
  current: string;
  next: string;
  again: string;
}

export function ChangePassword({ me }: Props) {
  return (
    <Card title="Password">
      {me.environment ? (
        <p>
          This account is in the server's settings: its password is changed there, with{' '}
          <span className="code">ADMIN_PASSWORD_HASH</span>. Everybody who uses it is then logged
          out.
        </p>
      ) : (
        <PasswordForm me={me} />
      )}
    </Card>
  );
}

/** Every session ends with the password that began it, this one too. */
function PasswordForm({ me: { name } }: Props) {
  const [change] = useChangePasswordMutation();
  const dispatch = useDispatch();
  const { register, errors, isSubmitting, problem, submit, reset, formState } = useAppForm<Values>({
    defaultValues: { current: '', next: '', again: '' },
    send: async ({ current, next }) => {
      await change({ passwordBody: { current, next } }).unwrap();
      dispatch(sessionSlice.actions.renewed({ notice: 'passwordChanged', name }));
    },
    explain: ({ sentence }) => sentence,
  });
  const { isDirty } = formState;
  useUnsavedChanges(isDirty);
  return (
    <form className="set-up-form" onSubmit={submit} noValidate aria-label="Change your password">
      <input name="username" autoComplete="username" value={name} readOnly hidden />
      <PasswordField
        label="Current password"
        error={errors.current?.message}
        autoComplete="current-password"
        {...register('current', ownPasswordRule)}
      />
      <PasswordField
        label="New password"
        hint={PASSWORD_HINT}
        error={errors.next?.message}
        autoComplete="new-password"
        {...register('next', newPasswordRule)}
      />
      <PasswordField
        label="New password again"
        error={errors.again?.message}
        autoComplete="new-password"
        {...register('again', repeatedRule('next'))}
      />
      <p className="quiet-text">You are then logged out everywhere, and log in with the new one.</p>
      <FormActions
        submitLabel={isSubmitting ? 'Saving...' : 'Change password'}
        busy={isSubmitting}
        problem={problem}
        variant="secondary"
        {...(isDirty && { onCancel: () => reset() })}
      />
    </form>
  );
}
