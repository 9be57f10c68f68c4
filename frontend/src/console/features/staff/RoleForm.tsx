import { useWatch } from 'react-hook-form';
import { useAppForm } from '../../../shared/form/useAppForm';
import { useToast } from '../../../shared/ui/toast/useToast';
import type { StaffRoleView } from '../../api/me';
import { useChangeMemberMutation, type StaffMemberView } from '../../api/staff';
import { isProposed } from '../../lib/proposal';
import { roleNames, roleWords } from '../../lib/roleWords';
import { Field } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';
import type { Outcome } from './outcome';
import { RoleSelect } from './RoleSelect';
import { explained } from './words';

interface Props {
  member: StaffMemberView;
  isOwn: boolean;
  onDone: (outcome: Outcome) => void;
  onClose: () => void;
}

export function RoleForm({ member: { id, name, role: stored }, isOwn, onDone, onClose }: Props) {
  const [change] = useChangeMemberMutation();
  const toast = useToast();
  const form = useAppForm<{ role: StaffRoleView }>({
    defaultValues: { role: stored },
    send: async ({ role }) => {
      if (role === stored) return onClose();
      const answer = await change({ id, memberBody: { role } }).unwrap();
      onDone(answer);
      if (!isProposed(answer)) toast({ title: `${name} is now ${roleNames[role].toLowerCase()}` });
    },
    explain: explained,
  });
  const { register, control, errors, isSubmitting, problem, submit, formState } = form;
  const role = useWatch({ control, name: 'role' });
  return (
    <FormDialog
      title={`Change the role of ${name}`}
      submitLabel={isSubmitting ? 'Saving...' : 'Change role'}
      busy={isSubmitting}
      dirty={formState.isDirty}
      problem={problem}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="dialog-text">
        {isOwn
          ? 'You are logged out at once, and log in again with the new role. You may not be able to take it back.'
          : 'They are logged out at once, and log in again with the new role.'}
      </p>
      <Field label="Role" hint={roleWords[role]} error={errors.role?.message}>
        {(props) => <RoleSelect {...props} {...register('role')} />}
      </Field>
    </FormDialog>
  );
}
