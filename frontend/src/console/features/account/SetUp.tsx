import { useEffect, useRef, useState } from 'react';
import { useConfirmTotpMutation, useSetUpTotpMutation, type TotpSecretView } from '../../api/staff';
import { useAppForm } from '../../../shared/form/useAppForm';
import { codeRule, digitsOf } from '../../form/codeRules';
import { ownPasswordRule } from '../../form/passwordRules';
import { CodeField } from '../../ui/CodeField';
import { CopyButton } from '../../ui/CopyButton';
import { FormActions } from '../../ui/FormActions';
import { PasswordField } from '../../ui/PasswordField';
import { RecoveryCodes } from './RecoveryCodes';

interface Props {
  /** The recovery codes are saved. */
  onDone: () => void;
  onCancel?: () => void;
}

/** A second factor in three steps: the password, the app, the recovery codes. */
export function SetUp({ onDone, onCancel }: Props) {
  const [secret, setSecret] = useState<TotpSecretView>();
  const [codes, setCodes] = useState<string[]>();
  const cancel = onCancel && { onCancel };
  if (codes) return <RecoveryCodes codes={codes} onSaved={onDone} />;
  if (secret) return <App secret={secret} onConfirmed={setCodes} {...cancel} />;
  return <Password onKnown={setSecret} {...cancel} />;
}

interface PasswordProps extends Pick<Props, 'onCancel'> {
  onKnown: (secret: TotpSecretView) => void;
}

function Password({ onKnown, onCancel }: PasswordProps) {
  const [start] = useSetUpTotpMutation();
  const { register, errors, isSubmitting, problem, submit } = useAppForm<{ password: string }>({
    defaultValues: { password: '' },
    send: async (totpSetUpBody) => onKnown(await start({ totpSetUpBody }).unwrap()),
    explain: ({ sentence }) => sentence,
  });
  return (
    <form className="set-up-form" onSubmit={submit} noValidate aria-label="Begin the set-up">
      <PasswordField
        label="Password"
        hint="Step 1 of 3. So that nobody else sets it up on a computer that you left open."
        error={errors.password?.message}
        autoComplete="current-password"
        {...register('password', ownPasswordRule)}
      />
      <FormActions
        submitLabel={isSubmitting ? 'Checking...' : 'Continue'}
        busy={isSubmitting}
        problem={problem}
        {...(onCancel && { onCancel })}
      />
    </form>
  );
}

interface AppProps extends Pick<Props, 'onCancel'> {
  secret: TotpSecretView;
  onConfirmed: (recoveryCodes: string[]) => void;
}

function App({ secret: { secret, otpauthUrl, qrSvg }, onConfirmed, onCancel }: AppProps) {
  const [confirm] = useConfirmTotpMutation();
  const part = useRef<HTMLParagraphElement>(null);
  useEffect(() => part.current?.focus(), []); // the form before is gone
  const form = useAppForm<{ code: string }>({
    defaultValues: { code: '' },
    send: async ({ code }) => {
      const answer = await confirm({ totpCodeBody: { code: digitsOf(code) } }).unwrap();
      onConfirmed(answer.recoveryCodes);
    },
    explain: ({ sentence }) => {
      form.setFocus('code', { shouldSelect: true });
      return sentence;
    },
  });
  const { register, errors, isSubmitting, problem, submit } = form;
  return (
    <form className="set-up-form" onSubmit={submit} noValidate aria-label="Your authenticator app">
      <p ref={part} tabIndex={-1}>
        Step 2 of 3. Scan this with an authenticator app, such as Google Authenticator, 1Password or
        Aegis.
      </p>
      <img
        className="set-up-qr"
        src={`data:image/svg+xml,${encodeURIComponent(qrSvg)}`}
        alt="QR code for an authenticator app"
        width={208}
        height={208}
      />
      <p>
        On this phone?{' '}
        <a className="text-link set-up-open" href={otpauthUrl}>
          Open the app
        </a>
      </p>
      <p>Or type this key into it:</p>
      <div className="set-up-secret">
        <span className="code">{inFours(secret)}</span>
        <CopyButton text={secret} what="the key" />
      </div>
      <CodeField
        label="The 6-digit code that the app shows"
        error={errors.code?.message}
        {...register('code', codeRule)}
      />
      <FormActions
        submitLabel={isSubmitting ? 'Checking...' : 'Turn on'}
        busy={isSubmitting}
        problem={problem}
        {...(onCancel && { onCancel })}
      />
    </form>
  );
}

/** Easier to type. */
const inFours = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ');
