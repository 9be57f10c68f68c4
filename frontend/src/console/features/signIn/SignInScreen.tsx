import { useEffect } from 'react';
import { codeRule, recoveryCodeRule } from '../../form/codeRules';
import type { SignedOutNotice } from '../../session/sessionSlice';
import { Button } from '../../ui/Button';
import { CodeField } from '../../ui/CodeField';
import { Field } from '../../ui/Field';
import { signInRules } from './rules';
import { useSignIn } from './useSignIn';

export const notices: Record<SignedOutNotice, string> = {
  ended: 'Your session has ended. Please log in again.',
  elsewhere: 'You were logged out in another tab.',
  unreachable: 'Tombola could not be reached to check your session. Please log in again.',
  invited: 'Your password is set. Log in with it.',
  passwordChanged: 'Your password was changed. Log in with the new one.',
  everywhere: 'You were logged out everywhere.',
};

/** What is no warning. */
const goodNews: readonly (SignedOutNotice | null)[] = ['invited', 'passwordChanged'];

interface Props {
  notice: SignedOutNotice | null;
  /** Who is about to sign in, where that is known. */
  name: string;
}

export function SignInScreen({ notice, name }: Props) {
  return (
    <main className="sign-in">
      <div className="panel">
        <h1 tabIndex={-1}>Admin Access</h1>
        <p className="quiet-text">Enter your admin credentials to access the dashboard</p>
        {notice && (
          <p
            className="notice"
            data-tone={goodNews.includes(notice) ? 'good' : 'warn'}
            role="alert"
          >
            {notices[notice]}
          </p>
        )}
        <SignInForm name={name} />
      </div>
    </main>
  );
}

/** The name and the password, and the code where the account has a second factor, wherever they are asked for. */
export function SignInForm({ name }: { name: string }) {
  const form = useSignIn(name);
  const { register, errors, isSubmitting, problem, submit, step } = form;
  const isFirst = step === 'password';

  // `post` keeps the password out of the address in case the browser submits the form.
  return (
    <form method="post" onSubmit={submit} noValidate aria-label="Sign in">
      {/* In the form at the second step too: password managers look for them beside the code. */}
      <div className="sign-in-fields" hidden={!isFirst}>
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
      </div>
      {!isFirst && <Code key={step} form={form} />}
      <div role="alert" className="problem">
        {problem}
      </div>
      <Button type="submit" variant="primary" busy={isSubmitting}>
        {isSubmitting ? 'Logging in...' : 'Login'}
      </Button>
      {!isFirst && <OtherWays form={form} />}
    </form>
  );
}

interface StepProps {
  form: ReturnType<typeof useSignIn>;
}

/** The second step. */
function Code({ form: { register, errors, step, setFocus } }: StepProps) {
  useEffect(() => setFocus('code'), [setFocus]);
  const error = errors.code?.message;
  if (step === 'code') {
    return (
      <CodeField
        hint="From your authenticator app."
        error={error}
        {...register('code', codeRule)}
      />
    );
  }
  return (
    <Field
      label="Recovery code"
      hint="One of the ten that you saved. Each works once."
      error={error}
    >
      {(control) => (
        <input
          {...control}
          className="code-input"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={32}
          required
          {...register('code', recoveryCodeRule)}
        />
      )}
    </Field>
  );
}

function OtherWays({ form: { step, go, isSubmitting } }: StepProps) {
  const other = step === 'code' ? 'recovery' : 'code';
  return (
    <div className="sign-in-ways">
      <Button variant="ghost" busy={isSubmitting} onClick={() => go(other)}>
        {step === 'code' ? 'Use a recovery code' : 'Use a code from your app'}
      </Button>
      <Button variant="ghost" busy={isSubmitting} onClick={() => go('password')}>
        Back
      </Button>
    </div>
  );
}
