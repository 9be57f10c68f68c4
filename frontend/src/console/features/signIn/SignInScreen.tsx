import type { SignedOutNotice } from '../../session/sessionSlice';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { signInRules } from './rules';
import { useSignIn } from './useSignIn';

export const notices: Record<SignedOutNotice, string> = {
  ended: 'Your session has ended. Please log in again.',
  elsewhere: 'You were logged out in another tab.',
  unreachable: 'Tombola could not be reached to check your session. Please log in again.',
};

export function SignInScreen({ notice }: { notice: SignedOutNotice | null }) {
  return (
    <main className="sign-in">
      <div className="panel">
        <h1 tabIndex={-1}>Admin Access</h1>
        <p className="quiet-text">Enter your admin credentials to access the dashboard</p>
        {notice && (
          <p className="notice" role="alert">
            {notices[notice]}
          </p>
        )}
        <SignInForm />
      </div>
    </main>
  );
}

/** The name and the password, wherever they are asked for. */
export function SignInForm() {
  const { register, errors, isSubmitting, problem, submit } = useSignIn();

  // `post` keeps the password out of the address in case the browser submits the form.
  return (
    <form method="post" onSubmit={submit} noValidate aria-label="Sign in">
      <Field label="Username" error={errors.username?.message}>
        {(control) => (
          <input
            {...control}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            required
            {...register('username', signInRules.username)}
          />
        )}
      </Field>
      <Field label="Password" error={errors.password?.message}>
        {(control) => (
          <input
            {...control}
            type="password"
            autoComplete="current-password"
            required
            {...register('password', signInRules.password)}
          />
        )}
      </Field>
      <div role="alert" className="problem">
        {problem}
      </div>
      <Button type="submit" variant="primary" busy={isSubmitting}>
        {isSubmitting ? 'Logging in...' : 'Login'}
      </Button>
    </form>
  );
}
