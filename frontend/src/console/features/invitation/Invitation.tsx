import { useEffect, useRef } from 'react';
import { asApiError } from '../../../shared/api/apiError';
import { formatDateTime } from '../../../shared/lib/format';
import { useGetInvitationQuery, type InvitationView } from '../../api/staff';
import { newPasswordRule, PASSWORD_HINT, repeatedRule } from '../../form/passwordRules';
import { roleNames, roleWords } from '../../lib/roleWords';
import { Button } from '../../ui/Button';
import { PasswordField } from '../../ui/PasswordField';
import { QueryView } from '../../ui/states';
import { useAccept } from './useAccept';

interface Props {
  token: string;
  /** Whether the server printed the link, and no owner made it. */
  isFirstOwner: boolean;
  /** Takes the link out of the address, and leads to the login. */
  onLeave: () => void;
}

/** The first visit of somebody who was invited: they choose a password. */
export function Invitation(props: Props) {
  const { token } = props;
  const found = useGetInvitationQuery({ token });
  const { status } = found.error ? asApiError(found.error) : {};
  return (
    <main className="sign-in">
      <div className="panel">
        {status === 404 || status === 410 ? (
          <Gone {...props} />
        ) : (
          <QueryView query={found} holdsForm>
            {(invitation) => <Welcome {...props} invitation={invitation} />}
          </QueryView>
        )}
      </div>
    </main>
  );
}

/** Used, too old, withdrawn, or copied without its end. */
function Gone({ isFirstOwner, onLeave }: Props) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <>
      <h1 ref={title} tabIndex={-1}>
        This {isFirstOwner ? 'link' : 'invitation'} does not work any more
      </h1>
      <p className="quiet-text">
        {isFirstOwner
          ? 'It was used, or it is older than 24 hours, or the server has been started again, or the link is incomplete. If you have set your password, log in with it. If not, start the server again: it prints a new link.'
          : 'It was used, or it is older than 72 hours, or the link is incomplete. If you have set your password, log in with it. If not, ask an owner of this console for a new link.'}
      </p>
      <Button variant="primary" onClick={onLeave}>
        Go to the login
      </Button>
    </>
  );
}

function Welcome({ invitation, ...props }: Props & { invitation: InvitationView }) {
  const { token, onLeave } = props;
  const { name, role, expiresAt } = invitation;
  const { register, errors, isSubmitting, problem, submit, isGone } = useAccept(
    token,
    name,
    onLeave,
  );
  if (isGone) return <Gone {...props} />;
  return (
    <>
      <h1>Welcome, {name}</h1>
      <p>
        Your role is <strong>{roleNames[role].toLowerCase()}</strong>. {roleWords[role]}
      </p>
      <p className="quiet-text">
        Choose the password with which you log in. This link works once
        {expiresAt && `, until ${formatDateTime(expiresAt)}`}.
      </p>
      <form method="post" onSubmit={submit} noValidate aria-label="Choose a password">
        {/* So that password managers keep the password under this name. */}
        <input name="username" autoComplete="username" value={name} readOnly hidden />
        <PasswordField
          label="New password"
          hint={PASSWORD_HINT}
          error={errors.password?.message}
          autoComplete="new-password"
          {...register('password', newPasswordRule)}
        />
        <PasswordField
          label="New password again"
          error={errors.again?.message}
          autoComplete="new-password"
          {...register('again', repeatedRule('password'))}
        />
        <div role="alert" className="problem">
          {problem}
        </div>
        <Button type="submit" variant="primary" busy={isSubmitting}>
          {isSubmitting ? 'Saving...' : 'Set password'}
        </Button>
      </form>
    </>
  );
}
