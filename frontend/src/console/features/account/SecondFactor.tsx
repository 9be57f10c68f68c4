import { useState } from 'react';
import { useDispatch } from 'react-redux';
import { countOf } from '../../../shared/lib/format';
import { useToast } from '../../../shared/ui/toast/useToast';
import type { OwnAccountView } from '../../api/me';
import { afterSetUp, useMakeRecoveryCodesMutation, useRemoveTotpMutation } from '../../api/staff';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { CodeDialog } from './CodeDialog';
import { RecoveryCodes } from './RecoveryCodes';
import { SetUp } from './SetUp';

const FEW = 3;

/** The code of an app besides the password: on or off, and what helps when the phone is lost. */
export function SecondFactor({ me: { totp } }: { me: OwnAccountView }) {
  const [isSettingUp, setSettingUp] = useState(false);
  const dispatch = useDispatch();
  const end = () => {
    setSettingUp(false);
    dispatch(afterSetUp());
  };
  return (
    <Card title="Second factor" note="A code from an app on your phone, besides the password.">
      {isSettingUp ? (
        <SetUp onDone={end} onCancel={() => setSettingUp(false)} />
      ) : totp.enabled ? (
        <On totp={totp} />
      ) : (
        <div className="set-up-form">
          <p>
            <Badge tone="warn">Off</Badge> Whoever has your password can log in.
          </p>
          <div>
            <Button variant="primary" onClick={() => setSettingUp(true)}>
              Set up a second factor
            </Button>
          </div>
        </div>
      )}
    </Card>
  );
}

function On({ totp: { required, recoveryCodesLeft } }: Pick<OwnAccountView, 'totp'>) {
  const [asked, setAsked] = useState<'codes' | 'off'>();
  const [codes, setCodes] = useState<string[]>();
  const [make] = useMakeRecoveryCodesMutation();
  const [remove] = useRemoveTotpMutation();
  const toast = useToast();
  const close = () => setAsked(undefined);

  async function makeCodes(code: string) {
    const { recoveryCodes } = await make({ totpCodeBody: { code } }).unwrap();
    setCodes(recoveryCodes);
    close();
  }

  async function turnOff(code: string) {
    await remove({ totpCodeBody: { code } }).unwrap();
    close();
    toast({ title: 'The second factor is off' });
  }

  if (codes) return <RecoveryCodes codes={codes} onSaved={() => setCodes(undefined)} />;
  return (
    <div className="set-up-form">
      <p>
        <Badge tone="good">On</Badge> {countOf(recoveryCodesLeft, 'recovery code')} left.
        {required && ' Your role needs it, so it cannot be turned off.'}
      </p>
      {recoveryCodesLeft < FEW && (
        <p className="notice">
          Make new recovery codes: without them and without your phone, nobody can log in as you.
        </p>
      )}
      <div className="actions">
        <Button onClick={() => setAsked('codes')}>New recovery codes</Button>
        {!required && <Button onClick={() => setAsked('off')}>Turn off</Button>}
      </div>
      {asked === 'codes' && (
        <CodeDialog
          title="New recovery codes"
          submitLabel="Make new codes"
          onCode={makeCodes}
          onClose={close}
        >
          You get ten new codes. The old ones stop working.
        </CodeDialog>
      )}
      {asked === 'off' && (
        <CodeDialog
          title="Turn off the second factor?"
          submitLabel="Turn off"
          danger
          onCode={turnOff}
          onClose={close}
        >
          From then on, your password alone logs you in. Your recovery codes stop working.
        </CodeDialog>
      )}
    </div>
  );
}
