import { roleNames, roleWords } from '../../lib/roleWords';
import { useMe } from '../../session/me';
import { Card } from '../../ui/Card';
import { ChangePassword } from './ChangePassword';
import { SecondFactor } from './SecondFactor';
import { Sessions } from './Sessions';

/** One's own account: who one is here, and how one gets in. */
export function AccountScreen() {
  const me = useMe();
  if (!me) return null;
  return (
    <>
      <header className="screen-head">
        <h1>Your account</h1>
      </header>
      <div className="grid">
        <Card title="Who you are">
          <p>
            <strong>{me.name}</strong>, {roleNames[me.role].toLowerCase()}. {roleWords[me.role]}
          </p>
        </Card>
        <div className="grid" data-columns="2">
          <SecondFactor me={me} />
          <ChangePassword me={me} />
        </div>
        <Sessions />
      </div>
    </>
  );
}
