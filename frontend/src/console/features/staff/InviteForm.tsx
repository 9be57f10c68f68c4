import { useWatch } from 'react-hook-form';
import { useAppForm } from '../../../shared/form/useAppForm';
import type { StaffRoleView } from '../../api/me';
import { useInviteMemberMutation } from '../../api/staff';
import { roleWords } from '../../lib/roleWords';
import { Field } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';
import type { Outcome } from './outcome';
import { RoleSelect } from './RoleSelect';
import { nameRule } from './rules';

interface Values {
  name: string;
  role: StaffRoleView;
}

interface Props {
  onDone: (outcome: Outcome) => void;
  onClose: () => void;
}

export function InviteForm({ onDone, onClose }: Props) {
  const [invite] = useInviteMemberMutation();
  const form = useAppForm<Values>({
    defaultValues: { name: '', role: 'viewer' },
    send: async ({ name, role }) =>
      onDone(await invite({ inviteBody: { name: name.trim(), role } }).unwrap()),
    explain: ({ code, sentence }) => {
      if (code !== 'name_taken') return sentence;
      form.setError('name', { message: 'Somebody has this name. Choose another one.' });
      form.setFocus('name');
    },
  });
  const { register, control, errors, isSubmitting, problem, submit, formState } = form;
  const role = useWatch({ control, name: 'role' });
  return (
    <FormDialog
      title="Invite somebody"
      submitLabel={isSubmitting ? 'Inviting...' : 'Make the invitation'}
      busy={isSubmitting}
      dirty={formState.isDirty}
      problem={problem}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="dialog-text">
        You get a link to send to them. They open it within 72 hours and choose a password.
      </p>
      <Field label="Name" hint="They log in with it." error={errors.name?.message}>
        {(props) => (
          <input
            {...props}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            {...register('name', nameRule)}
          />
        )}
      </Field>
      <Field label="Role" hint={roleWords[role]} error={errors.role?.message}>
        {(props) => <RoleSelect {...props} {...register('role')} />}
      </Field>
    </FormDialog>
  );
}
