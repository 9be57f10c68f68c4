import { useGetSettingsQuery, type SmsSettingsView } from '../../api/admin';
import { useAllowed } from '../../session/me';
import { Badge } from '../../ui/Badge';
import { Card } from '../../ui/Card';
import { Loading, QueryView } from '../../ui/states';
import { CredentialForm } from './CredentialForm';
import { TestText } from '../../ui/testText/TestText';

/** The account that texts are sent with. */
export function TextProvider() {
  const settings = useGetSettingsQuery();
  const allowed = useAllowed();
  return (
    <Card
      title="Text-message provider"
      note="Texts are sent through Twilio. Credentials that are saved here override the server's environment."
    >
      <div className="provider">
        <QueryView query={settings} loading={<Loading lines={1} />}>
          {({ settings: { sms } }) => <State sms={sms} />}
        </QueryView>
        {allowed('save_credentials') && <CredentialForm />}
        {allowed('manage_texts') && <TestText />}
      </div>
    </Card>
  );
}

function State({
  sms: { configured, unreadable, accountSidLast4, phoneNumberLast4 },
}: {
  sms: SmsSettingsView;
}) {
  if (unreadable) {
    return (
      <p className="provider-state">
        <Badge tone="bad">Cannot be opened</Badge> The saved Twilio account cannot be opened: it was
        encrypted with a key that this server does not have. Nothing is sent and nothing is lost.
        Save the credentials again below, or ask the server's operator to restore the key with{' '}
        <span className="code">SECRET_KEY_PREVIOUS</span>.
      </p>
    );
  }
  if (!configured) {
    return (
      <p className="provider-state">
        <Badge tone="warn">Not configured</Badge> Nothing is sent and nothing is lost: texts wait
        until credentials are saved.
      </p>
    );
  }
  return (
    <p className="provider-state">
      <Badge tone="good">Configured</Badge> The account ends in{' '}
      <span className="code">{accountSidLast4}</span>, and texts come from the number that ends in{' '}
      <span className="code">{phoneNumberLast4}</span>.
    </p>
  );
}
